// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For the rooms that transform and lower IR: the LLVM dialects cost most of its time, and would cost it again in each
// file.
#include "pch_common.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
