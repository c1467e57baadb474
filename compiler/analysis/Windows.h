// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares windows of an array by where they begin: sums of multiples of integers that the program knows.
//   o[2 * i] and o[2 * i + 1]             in any two iterations they begin an odd number apart, and have 1 row each
//   o[ds(0, m)] and o[ds(m, n)]           one begins where the other ends
//   o[ds(0, n, 2)] and o[ds(1, n, 2)]     one has the even elements, the other one the odd ones
//   o[ds<64>(128 * i)]                    from one iteration to another it moves by a multiple of 128
// Sums and products of signed 32-bit indices do not wrap, as in C++.
#pragma once

#include "analysis/Symbols.h"

#include "llvm/ADT/MapVector.h"

namespace tegula {

class Windows {
public:
  Windows(tile::LaunchOp launch, Symbols &symbols) : launch(launch), symbols(symbols) {}

  /// The same elements at the same positions.
  bool equal(mlir::Value a, mlir::Value b);
  /// No element in common, in whichever iterations of the loops around them.
  bool disjoint(mlir::Value a, mlir::Value b);
  /// Every time the program comes by, it is the same window or one without a common element.
  bool repeatsApart(mlir::Value ref);

private:
  /// An integer: what is the same in all iterations, and a multiple of `step` that is not.
  struct Start {
    Linear fixed;
    int64_t step = 0;
  };

  Start startOf(mlir::Value offset);
  void add(Start &start, mlir::Value value, int64_t factor, unsigned depth);
  void addVarying(Start &start, mlir::Value value, int64_t factor, unsigned depth);
  bool varies(mlir::Value value);
  Linear sizeOf(tile::SliceOp slice, unsigned dim);
  bool apart(tile::SliceOp left, tile::SliceOp right, unsigned dim);
  bool interleave(tile::StridedSliceOp left, tile::StridedSliceOp right);
  bool repeatsApart(tile::StridedSliceOp strided);

  tile::LaunchOp launch;
  Symbols &symbols;
  llvm::DenseMap<mlir::Value, bool> varying;
};

} // namespace tegula
