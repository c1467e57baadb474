// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/KernelLowering.h"
#include "lower/Passes.h"
#include "support/Target.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILELOWERTOLLVM
#include "lower/Passes.h.inc"

namespace {
struct LowerToLlvm : impl::TileLowerToLlvmBase<LowerToLlvm> {
  using TileLowerToLlvmBase::TileLowerToLlvmBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    const Target *smallest = findTarget(std::string(arch));
    if (!smallest) {
      module.emitError() << unknownTargetMessage(std::string(arch));
      return signalPassFailure();
    }
    OpBuilder builder(&getContext());
    for (tile::KernelOp kernel : llvm::to_vector(module.getOps<tile::KernelOp>())) {
      // The function takes the kernel's name.
      OwningOpRef<Operation *> source(kernel->getParentOp() ? (kernel->remove(), kernel.getOperation()) : nullptr);
      builder.setInsertionPointToEnd(module.getBody());
      if (failed(lower::KernelLowering(kernel, *smallest, builder).run()))
        return signalPassFailure();
    }
    for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
      if (isa<tile::EntryOp>(op))
        op.erase();

    LLVMTypeConverter types(&getContext());
    RewritePatternSet patterns(&getContext());
    arith::populateArithToLLVMConversionPatterns(types, patterns);
    populateSCFToControlFlowConversionPatterns(patterns);
    cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
    LLVMConversionTarget target(getContext());
    target.addLegalOp<ModuleOp>();
    target.addLegalDialect<NVVM::NVVMDialect>();
    if (failed(applyFullConversion(module, target, std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
} // namespace tegula
