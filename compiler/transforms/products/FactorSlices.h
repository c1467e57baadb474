// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factors that are computed from what is loaded, as mma.sync takes them: a slice of the depth at a time, in the
// registers that the parts were loaded into.
#pragma once

#include "transforms/products/Mainloop.h"

namespace tegula {

/// Whether a part of a tile can be computed alone in each step, with parts of the loop's factors at hand. `isCut` says
/// along which dimensions it is a part.
bool canSlice(mlir::Value tile, const Mainloop &mainloop, llvm::ArrayRef<bool> isCut);

/// Of the depth of a step: `depth` elements from `offset` on, null for 0. `number` is what the loop counts.
struct DepthSlice {
  mlir::Value number, offset;
  int64_t depth;
};

/// A slice of a factor of `product`, with 0 beyond the end of what is summed: M x K or, on the right, N x K.
/// `parts` are the same slices of the loop's factors, which lie likewise.
mlir::Value computeSlice(mlir::OpBuilder &builder, const Mainloop &mainloop, const Product &product, bool isLeft,
                         const DepthSlice &slice, llvm::ArrayRef<mlir::Value> parts);

} // namespace tegula
