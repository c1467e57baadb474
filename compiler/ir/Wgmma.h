// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an instruction of Hopper's tensor cores multiplies: the compiler's view of include/tegula/wgmma.def (PTX ISA,
// "Asynchronous Warpgroup Level Matrix Instructions"); and which of that a warp multiplies on chips before and after.
#pragma once

#include "ir/Elements.h"

#include <optional>

namespace tegula {

struct WgmmaTypes {
  const Element *left, *right, *sum;

  /// The rows of one instruction, and what it contracts of the rows of its operands.
  static constexpr int64_t rows = 64, bytesOfDepth = 32, mostColumns = 256;
  /// How many elements an instruction contracts.
  int64_t depth() const { return bytesOfDepth * 8 / left->bits; }
  /// Whether it takes so many columns.
  bool hasColumns(int64_t columns) const;
  /// Of operands in shared memory, whether M or N may run along the rows; else the contracted dimension does.
  bool isTransposable() const { return left->bits == 16; }
  bool areIntegers() const { return !left->isFloat(); }
  /// Whether mma.sync multiplies them on all chips from sm_80 on, as 16 x 8 results of the same depth (PTX ISA, "Warp
  /// Level Matrix Multiply-Accumulate Instructions": m16n8k16 of 16 bits, m16n8k32 of 8, m16n8k8 of tf32).
  bool hasMmaSync() const { return sum->bits == 32 && (left->bits > 8 || areIntegers()); }
};

/// What multiplies elements of these types and sums them in that one; none if no instruction does.
std::optional<WgmmaTypes> findWgmma(mlir::Type left, mlir::Type right, mlir::Type sum);

} // namespace tegula
