// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts of the tiles that mma.sync multiplies: a warp has blocks of 16 rows and 8 columns of the result (PTX ISA,
// "Matrix Fragments for mma.m16n8k16 with floating point type", and m16n8k32 for integers). The warps of a thread group
// share the result as evenly as they can, for what they read of both factors is then least.
#pragma once

#include "layout/DistributedLayout.h"

namespace tegula::layout {

/// The accumulator of a product of so many rows and columns. Each warp has neighbouring columns.
Expected<DistributedLayout> mmaAccumulator(int64_t rows, int64_t columns, int64_t groupThreads);

/// The same where each warp has whole rows, which it can reduce alone, and a multiple of 16 columns: of elements of 16
/// bits it is a left factor, too.
Expected<DistributedLayout> mmaAccumulatorOfRows(int64_t rows, int64_t columns, int64_t groupThreads);

enum class MmaFactor { left, right };

/// What the warps need of a factor, where they have this accumulator: of the left one, M x K, or of the right one, as
/// N x K. A 32-bit register has neighbours along K, if there is room for several.
DistributedLayout mmaFactor(MmaFactor factor, const DistributedLayout &accumulator, int64_t elementBytes);

/// Whether a tile consists of 8 x 8 matrices as ldmatrix loads them, four at a time: 4 lanes have a row of 16 bytes.
/// The map is a placement's.
bool isOfMatrices(const LinearMap &map, int64_t elementBytes);

/// Whether a tile in this layout consists of 8 x 8 matrices as stmatrix stores them: the accumulator of wgmma.
bool isStoredByMatrices(const DistributedLayout &layout, int64_t elementBytes);

} // namespace tegula::layout
