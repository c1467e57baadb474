// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels ask of a GPU, against the table of targets.
#pragma once

#include "support/Target.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string_view>

namespace tegula::driver {

/// The first op of the module that a target cannot run, and why.
struct Missing {
  mlir::Operation *op;
  std::string why;
};
std::optional<Missing> findMissing(mlir::ModuleOp module, const Target &target);

} // namespace tegula::driver
