// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checks of tile IR. Passes.td documents them.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

// The generated code says `impl`, which would be ambiguous with mlir's own under `using namespace mlir`.
namespace tegula {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "checks/Passes.h.inc"
} // namespace tegula
