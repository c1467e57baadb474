// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a copy is cut into TMA copies.
//
// One of them moves a box of at most 256 elements along each dimension, and with a swizzle of S bytes a box has rows of
// S bytes (PTX ISA, "Tensor Mode"): wide rows are copied panel by panel. In shared memory a box is dense and begins at
// a multiple of 128 bytes. A dimension of 257 takes a box of 256 elements and one of 1. With multicast, each block of
// the cluster fetches an equal share of the window for all.
#pragma once

#include "ir/TileDialect.h"

namespace tegula {

/// One TMA copy: its extents, what it adds to the window's offsets, and where in shared memory it goes, in bytes.
struct CopyBox {
  llvm::SmallVector<int64_t> extents, offsets;
  int64_t sharedOffset = 0;
};

/// What a block fetches of a window: the share of the next block begins `step` elements further along `dim`, and
/// `bytes` further in shared memory.
struct CopyShare {
  int64_t dim = -1, step = 0, bytes = 0;
};

struct CopyBoxes {
  llvm::SmallVector<CopyBox> boxes;
  CopyShare share;
};

/// "24 x 64".
std::string textOf(llvm::ArrayRef<int64_t> extents);

/// A power of two that divides where a ref begins in shared memory, for certain; allocations begin at more.
int64_t sharedAlignmentOf(mlir::Value ref);

/// Cuts the copy between a window of an array, which has these extents in the order of its tensor map, and shared
/// memory; with several blocks, what one of them fetches. Windows and shared memory that TMA does not take are errors
/// of `copy`.
mlir::FailureOr<CopyBoxes> cutCopy(mlir::Operation *copy, llvm::ArrayRef<int64_t> extents, mlir::Value sharedRef,
                                   int64_t blocks);

} // namespace tegula
