// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop of a kernel that sums a matrix product, as splitting writes it:
//   for sub-tile:                                      a CTA does one after the other
//     for k: acc = dot load a[m, k], load b[k, n] acc acc
//     store acc
// A program's own loop over k and a product of whole rows are one form. On tensor cores, a warpgroup of its own copies
// what is loaded here into shared memory, ahead of those that multiply.
#pragma once

#include "ir/TileDialect.h"
#include "transforms/products/TmaWindows.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <string>

namespace tegula {

/// What a product reads of an array, in each iteration of the loop.
struct Factor {
  tile::LoadOp load;
  mlir::BlockArgument array;
  /// Where the window begins in each dimension of the array: a sum.
  llvm::SmallVector<llvm::SmallVector<mlir::Value, 2>> offsets;
  /// The elements of the window in each dimension of the array; 0 where one element is taken, and the dimension with
  /// it.
  llvm::SmallVector<int64_t> extents;
  /// The product takes the array's dimensions in the other order.
  bool isTransposed = false;
  EvenArguments even = {};
};

struct Mainloop {
  /// The loop over sub-tiles, and in it the one that sums.
  mlir::scf::ForOp work, loop;
  tile::DotOp dot;
  Factor a, b;
  /// The dimensions of their arrays that the rows and the columns of the product follow.
  unsigned rows, columns;
};

/// Which CTA of the launch, and which thread group of it, a kernel for consumers finds itself to be. `member` is null
/// if a CTA has one.
struct Position {
  mlir::Value block, member;
};
Position positionIn(tile::KernelOp kernel);

/// Whether tensor cores multiply these types: by mma.sync, or by wgmma.
bool hasTensorTypes(tile::DotOp dot, bool mmaSync);

/// The loop of a kernel for the consumers of a CTA, if tensor cores can run it on what TMA, or with mma.sync cp.async,
/// copies: what they read beyond the edges changes nothing that is stored. Else `obstacle` says what is in the way.
std::optional<Mainloop> findMainloop(tile::KernelOp kernel, std::string &obstacle);

} // namespace tegula
