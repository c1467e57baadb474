// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Codegen.h"
#include "codegen/Libdevice.h"

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"

// Initialising one target by name, not all of them, is a matter of start-up time.
extern "C" void LLVMInitializeNVPTXTargetInfo();
extern "C" void LLVMInitializeNVPTXTarget();
extern "C" void LLVMInitializeNVPTXTargetMC();
extern "C" void LLVMInitializeNVPTXAsmPrinter();

namespace tegula::codegen {

static constexpr llvm::StringLiteral triple = "nvptx64-nvidia-cuda";

static std::unique_ptr<llvm::TargetMachine> createMachine(const Target &target) {
  [[maybe_unused]] static const bool initialized = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  std::string error;
  const llvm::Target *nvptx = llvm::TargetRegistry::lookupTarget(triple.str(), error);
  if (!nvptx)
    return nullptr;
  llvm::TargetOptions options;
  // Every operation of the language rounds: a product and a sum never become a fused multiply-add.
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(nvptx->createTargetMachine(triple, target.llvmCpu, target.llvmFeatures,
                                                                         options, llvm::Reloc::PIC_, std::nullopt,
                                                                         llvm::CodeGenOptLevel::Default));
}

static llvm::Error noNvptx() {
  return llvm::createStringError("this build of LLVM cannot generate code for NVIDIA GPUs (target nvptx64 is missing)");
}

// What pays for straight code and plain loops: no interprocedural work, no vectorisation, no unrolling. Inlining is for
// libdevice. Global value numbering and a second round leave the machine code as it is, and would double the time.
static constexpr llvm::StringLiteral pipeline = "always-inline,globaldce,"
                                                "function(sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,"
                                                "loop-mssa(licm),early-cse<memssa>,adce)";

llvm::Error optimize(llvm::Module &module, const Target &target, llvm::StringRef libdevice) {
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(target);
  if (!machine)
    return noNvptx();
  module.setTargetTriple(triple);
  module.setDataLayout(machine->createDataLayout());
  if (llvm::Error error = linkLibdevice(module, libdevice))
    return error;

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(machine.get());
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  if (llvm::Error error = builder.parsePassPipeline(passes, pipeline))
    return error;
  passes.run(module, modules);
  return llvm::Error::success();
}

llvm::Expected<std::string> emitPtx(llvm::Module &module, const Target &target) {
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(target);
  if (!machine)
    return noNvptx();
  llvm::SmallString<0> ptx;
  {
    llvm::raw_svector_ostream stream(ptx);
    llvm::legacy::PassManager passes;
    if (machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile))
      return noNvptx();
    passes.run(module);
  }
  return reheadPtx(ptx, target);
}

std::string reheadPtx(llvm::StringRef ptx, const Target &target) {
  if (target.ptxVersion.empty())
    return ptx.str();
  std::string result;
  result.reserve(ptx.size() + 16);
  bool inHead = true;
  for (llvm::StringRef rest = ptx; !rest.empty();) {
    auto [line, after] = rest.split('\n');
    if (inHead && line.starts_with(".version"))
      result += ".version " + std::string(target.ptxVersion);
    else if (inHead && line.starts_with(".target")) {
      result += ".target " + std::string(target.name) + line.substr(line.find(',')).str();
      inHead = false;
    } else
      result += line;
    result += '\n';
    rest = after;
  }
  return result;
}

} // namespace tegula::codegen
