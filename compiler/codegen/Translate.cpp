// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Codegen.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace tegula::codegen {

/// Inline assembly synchronises threads, for all that LLVM knows: it must not move into divergent branches. One without
/// effects may be shared and dropped like arithmetic.
static void describeAsm(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && call->isInlineAsm()) {
      call->setConvergent();
      call->setDoesNotThrow();
      if (!llvm::cast<llvm::InlineAsm>(call->getCalledOperand())->hasSideEffects())
        call->setDoesNotAccessMemory();
    }
}

/// Unrolling is the author's choice: neither LLVM nor ptxas, which may take seconds for it, makes it on its own.
static void keepLoops(llvm::Function &function) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  for (llvm::Loop *loop : loops.getLoopsInPreorder())
    if (!loop->getLoopID())
      loop->setLoopAlreadyUnrolled();
}

std::unique_ptr<llvm::Module> translateToLlvm(mlir::ModuleOp module, llvm::LLVMContext &context, bool verify) {
  mlir::MLIRContext *mlirContext = module.getContext();
  mlir::DialectRegistry registry;
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  mlir::registerNVVMDialectTranslation(registry);
  mlirContext->appendDialectRegistry(registry);

  std::unique_ptr<llvm::Module> translated =
      mlir::translateModuleToLLVMIR(module, context, "kernels", /*disableVerification=*/!verify);
  if (!translated)
    return nullptr;
  for (llvm::Function &function : *translated)
    if (!function.isDeclaration()) {
      describeAsm(function);
      keepLoops(function);
    }
  return translated;
}

} // namespace tegula::codegen
