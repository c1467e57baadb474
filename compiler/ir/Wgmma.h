// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an instruction of Hopper's tensor cores multiplies: the compiler's view of include/tegula/wgmma.def (PTX ISA,
// "Asynchronous Warpgroup Level Matrix Instructions"); and which of that a warp multiplies on chips before and after.
#pragma once

#include "ir/Elements.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace tegula {

struct WgmmaTypes {
  const Element *left, *right, *sum;

  /// The rows of one instruction, and what it contracts of the rows of its operands.
  static constexpr int64_t rows = 64, bytesOfDepth = 32, mostColumns = 256;
  /// How many elements an instruction contracts; of f64, which warps alone multiply, twice 32 bytes.
  int64_t depth() const { return left->bits == 64 ? 8 : bytesOfDepth * 8 / left->bits; }
  /// Whether it takes so many columns.
  bool hasColumns(int64_t columns) const;
  /// The columns of each instruction of a product of so many, one or two: all but the last take multiples of 64, which
  /// begin a panel of shared memory. Empty if there are none.
  llvm::SmallVector<int64_t, 2> instructionColumns(int64_t columns) const;
  /// Of operands in shared memory, whether M or N may run along the rows; else the contracted dimension does.
  bool isTransposable() const { return left->bits == 16; }
  bool areIntegers() const { return !left->isFloat(); }
};

/// What multiplies elements of these types and sums them in that one; none if no instruction does.
std::optional<WgmmaTypes> findWgmma(mlir::Type left, mlir::Type right, mlir::Type sum);

/// What a warp multiplies from sm_80 on, as 16 x 8 results (PTX ISA, "Warp Level Matrix Multiply-Accumulate
/// Instructions": m16n8k16 of 16 bits, m16n8k32 of 8, m16n8k8 of tf32 and f64): what a warpgroup does, if it is summed
/// in 32 bits, and f64. Chips whose instructions are others do the same by several of theirs.
std::optional<WgmmaTypes> findMma(mlir::Type left, mlir::Type right, mlir::Type sum);

} // namespace tegula
