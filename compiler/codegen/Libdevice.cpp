// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Libdevice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"

namespace tegula::codegen {

static std::string firstMissing(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && function.getName().starts_with("__nv_"))
      return function.getName().str();
  return {};
}

/// The library asks how the code around it is compiled. Denormals are kept: every answer is 0.
static void answerReflect(llvm::Module &module) {
  llvm::Function *reflect = module.getFunction("__nvvm_reflect");
  if (!reflect)
    return;
  for (llvm::User *user : llvm::make_early_inc_range(reflect->users())) {
    auto *call = llvm::cast<llvm::CallInst>(user);
    call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), 0));
    call->eraseFromParent();
  }
  reflect->eraseFromParent();
}

llvm::Error linkLibdevice(llvm::Module &module, llvm::StringRef path) {
  std::string needed = firstMissing(module);
  if (needed.empty())
    return llvm::Error::success();
  auto fail = [&](const llvm::Twine &why) {
    return llvm::createStringError("the kernels call " + needed + " of CUDA's libdevice, and " + why +
                                   ": install a CUDA toolkit, or name its libdevice.10.bc in TEGULA_LIBDEVICE");
  };
  if (path.empty())
    return fail("none was found beside ptxas, in CUDA_HOME or in /usr/local/cuda (PyPI: nvidia-nvvm)");
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fail("'" + path + "' cannot be read (" + buffer.getError().message() + ")");
  // Lazily: functions that are not called are never parsed.
  auto library =
      llvm::getOwningLazyBitcodeModule(std::move(*buffer), module.getContext(), /*ShouldLazyLoadMetadata=*/true);
  if (!library)
    return fail("'" + path + "' is not LLVM bitcode (" + llvm::toString(library.takeError()) + ")");
  (*library)->setDataLayout(module.getDataLayout());
  (*library)->setTargetTriple(module.getTargetTriple());

  llvm::SmallVector<std::string> own;
  for (const llvm::Function &function : module)
    if (!function.isDeclaration())
      own.push_back(function.getName().str());
  if (llvm::Linker::linkModules(module, std::move(*library), llvm::Linker::Flags::LinkOnlyNeeded))
    return fail("it could not be linked");
  if (std::string missing = firstMissing(module); !missing.empty())
    return fail("'" + path + "' has no " + missing);
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && !llvm::is_contained(own, function.getName()))
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  answerReflect(module);
  return llvm::Error::success();
}

} // namespace tegula::codegen
