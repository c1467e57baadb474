// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From laid-out tile kernels to the LLVM dialect.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tegula {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lower/Passes.h.inc"
} // namespace tegula
