// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arrows behind the LLVM dialect, on text: tegula-translate --emit=llvm|ptx|cubin|resources [--arch sm_90a]
// [file.mlir] reads what tile-lower-to-llvm leaves, or kernels before it, which it lays out and lowers first.
#include "codegen/Codegen.h"
#include "driver/Config.h"
#include "ir/TileDialect.h"
#include "lower/Passes.h"
#include "transforms/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SourceMgr.h"

using namespace tegula;

namespace cl = llvm::cl;
static cl::opt<std::string> inputFile(cl::Positional, cl::desc("<file>"), cl::init("-"));
static cl::opt<std::string> outputFile("o", cl::desc("where the output goes"), cl::init("-"));
static cl::opt<std::string> archName("arch", cl::desc("the architecture"), cl::init("sm_90a"));
enum class Emit { Llvm, Optimized, Ptx, Cubin, Resources };
static cl::opt<Emit> emit("emit", cl::desc("what to write"), cl::init(Emit::Ptx),
                          cl::values(clEnumValN(Emit::Llvm, "llvm", "LLVM IR"),
                                     clEnumValN(Emit::Optimized, "llvm-opt", "optimized LLVM IR"),
                                     clEnumValN(Emit::Ptx, "ptx", "PTX"), clEnumValN(Emit::Cubin, "cubin", "a cubin"),
                                     clEnumValN(Emit::Resources, "resources", "what ptxas says of each kernel")));

static int report(llvm::Error error) {
  llvm::errs() << "tegula-translate: error: " << llvm::toString(std::move(error)) << '\n';
  return 1;
}

static std::string toolPath(llvm::StringRef variable, llvm::StringRef fallback) {
  return llvm::sys::Process::GetEnv(variable).value_or(fallback.str());
}

static int write(llvm::StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream stream(outputFile, error);
  if (error)
    return report(llvm::createStringError("'" + outputFile + "': " + error.message()));
  stream << text;
  return 0;
}

static std::string describe(const codegen::Cubin &cubin) {
  std::string text;
  for (const codegen::KernelResources &kernel : cubin.kernels)
    text += kernel.name + ": registers " + std::to_string(kernel.registers) + ", stack " +
            std::to_string(kernel.stackBytes) + ", spills " +
            std::to_string(kernel.spillStoreBytes + kernel.spillLoadBytes) + "\n";
  for (const codegen::AssemblerRemark &remark : cubin.remarks)
    text += remark.code + ": " + remark.message + "\n";
  return text;
}

static int translate(mlir::ModuleOp module, const Target &target) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> kernels = codegen::translateToLlvm(module, context);
  if (!kernels)
    return 1;
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (emit == Emit::Llvm) {
    kernels->print(stream, nullptr);
    return write(text);
  }
  std::string libdevice = toolPath("TEGULA_LIBDEVICE", TEGULA_LIBDEVICE);
  if (emit == Emit::Optimized) {
    if (llvm::Error error = codegen::optimize(*kernels, target, libdevice))
      return report(std::move(error));
    kernels->print(stream, nullptr);
    return write(text);
  }
  llvm::Expected<std::vector<std::string>> ptx = codegen::compileToPtx(*kernels, {&target}, libdevice);
  if (!ptx)
    return report(ptx.takeError());
  if (emit == Emit::Ptx)
    return write(ptx->front());
  auto cubins = codegen::assemble({{ptx->front(), &target}}, toolPath("TEGULA_PTXAS", TEGULA_PTXAS));
  if (!cubins)
    return report(cubins.takeError());
  return write(emit == Emit::Cubin ? cubins->front().image : describe(cubins->front()));
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "Kernels to machine code\n");
  const Target *target = findTarget(archName);
  if (!target)
    return report(llvm::createStringError(unknownTargetMessage(archName)));
  std::string why;
  auto file = mlir::openInputFile(inputFile, &why);
  if (!file)
    return report(llvm::createStringError(why));

  mlir::DialectRegistry registry;
  registry.insert<tile::TileDialect, mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect, mlir::LLVM::LLVMDialect,
                  mlir::NVVM::NVVMDialect, mlir::scf::SCFDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  mlir::SourceMgrDiagnosticHandler diagnostics(sources, &context);
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceFile<mlir::ModuleOp>(sources, &context);
  if (!module)
    return 1;
  if (!module->getOps<tile::KernelOp>().empty()) {
    mlir::PassManager passes(&context);
    passes.addPass(createTileAssignLayouts());
    passes.addPass(createTileLowerToLlvm());
    if (mlir::failed(passes.run(*module)))
      return 1;
  }
  return translate(*module, *target);
}
