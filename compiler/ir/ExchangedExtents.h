// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles of kernels have powers of two of elements along dimensions that a thread group holds whole, of which fewer may
// be there: 65 of 128. What exchanges a tile in shared memory is told how many, and has room for these alone.
#pragma once

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include <vector>

namespace tegula::tile {

/// Notes on what exchanges a tile, tile.take its source and tile.sort its rows, the most elements that are there along
/// each dimension of it, from its start on.
void noteExchangedExtents(mlir::Operation *op, llvm::ArrayRef<int64_t> extents);
/// What is noted; else the shape, of its first operand.
std::vector<int64_t> exchangedExtentsOf(mlir::Operation *op);

} // namespace tegula::tile
