// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an author allows of a launch's arithmetic (include/tegula/language/math.h, "approx_math").
#pragma once

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace tegula {

/// On launches, and on the kernels made of them.
inline constexpr llvm::StringLiteral approxMathAttr = "tile.approx_math";

inline bool hasApproxMath(mlir::Operation *launchOrKernel) { return launchOrKernel->hasAttr(approxMathAttr); }

inline void setApproxMath(mlir::Operation *launchOrKernel) {
  launchOrKernel->setAttr(approxMathAttr, mlir::UnitAttr::get(launchOrKernel->getContext()));
}

/// A kernel computes as the launch that it is made of.
inline void passApproxMath(mlir::Operation *launch, mlir::Operation *kernel) {
  if (hasApproxMath(launch))
    setApproxMath(kernel);
}

} // namespace tegula
