// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ptxas could not make fast, told at the launch.
#pragma once

#include "codegen/Codegen.h"

#include "mlir/IR/BuiltinOps.h"

#include "llvm/ADT/StringMap.h"

namespace tegula::driver {

/// Where the launches of kernels are, by the kernels' names.
using KernelLocations = llvm::StringMap<mlir::Location>;
KernelLocations locationsOfKernels(mlir::ModuleOp module);

/// Warns of products that wait for each other, and of registers that tensor-core kernels keep in memory. Each kernel is
/// told of once: it leaves `kernels`.
void warnOfSlowCode(const codegen::Cubin &cubin, const Target &target, KernelLocations &kernels);

} // namespace tegula::driver
