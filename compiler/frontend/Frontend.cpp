// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Frontend.h"

#include "frontend/HeaderErrors.h"
#include "frontend/Importer.h"
#include "frontend/SourceDiagnostics.h"

#include "mlir/IR/Verifier.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/Utils.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace tegula::frontend {

namespace {
/// Remembers every file, those of the system included.
class AllDependencies : public DependencyCollector {
public:
  bool needSystemDependencies() override { return true; }
  bool sawDependency(StringRef name, bool, bool, bool, bool isMissing) override {
    return !isMissing && !name.starts_with("<");
  }
};

class ImportConsumer : public ASTConsumer {
public:
  explicit ImportConsumer(mlir::ModuleOp module) : module(module) {}
  void HandleTranslationUnit(ASTContext &ast) override {
    if (!ast.getDiagnostics().hasErrorOccurred())
      Importer(ast, module).importEntries();
  }

private:
  mlir::ModuleOp module;
};

class ImportAction : public ASTFrontendAction {
public:
  explicit ImportAction(mlir::ModuleOp module) : module(module) {}
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &, StringRef) override {
    return std::make_unique<ImportConsumer>(module);
  }

private:
  mlir::ModuleOp module;
};
} // namespace

/// The command line of an ordinary compilation of the file.
static std::shared_ptr<CompilerInvocation> makeInvocation(const FrontendOptions &options,
                                                          IntrusiveRefCntPtr<DiagnosticsEngine> diagnostics) {
  // Clang finds the standard library from where it is installed itself.
  StringRef prefix = options.resourceDir; // <prefix>/lib/clang/<version>
  for (int i = 0; i < 3; ++i)
    prefix = llvm::sys::path::parent_path(prefix);
  llvm::SmallString<128> program(prefix);
  llvm::sys::path::append(program, "bin", "clang++");
  std::vector<std::string> arguments = {program.str().str(), "-x", "c++", "-std=c++23", "-fsyntax-only",
                                        // Bodies name the options of a launch in any order.
                                        "-Wno-reorder-init-list", "-Wno-undefined-internal", "-Wno-undefined-inline",
                                        "-resource-dir", options.resourceDir, "-isystem", options.includeDir};
  llvm::append_range(arguments, options.clangArguments);
  arguments.push_back(options.input);
  std::vector<const char *> pointers;
  for (const std::string &argument : arguments)
    pointers.push_back(argument.c_str());
  CreateInvocationOptions how;
  how.Diags = std::move(diagnostics);
  return createInvocation(pointers, how);
}

FrontendResult importFile(mlir::MLIRContext &context, const FrontendOptions &options, llvm::raw_ostream &messages) {
  FrontendResult result;
  result.failed = true;
  IntrusiveRefCntPtr<DiagnosticOptions> diagnosticOptions(new DiagnosticOptions());
  diagnosticOptions->ShowColors = messages.has_colors();
  HeaderErrors printer(messages, *diagnosticOptions);
  CompilerInstance compiler;
  std::shared_ptr<CompilerInvocation> invocation = makeInvocation(
      options, CompilerInstance::createDiagnostics(diagnosticOptions.get(), &printer, /*ShouldOwnClient=*/false));
  if (!invocation)
    return result;
  invocation->getDiagnosticOpts().ShowColors = messages.has_colors();
  compiler.setInvocation(std::move(invocation));
  compiler.createDiagnostics(&printer, /*ShouldOwnClient=*/false);
  auto dependencies = std::make_shared<AllDependencies>();
  compiler.addDependencyCollector(dependencies);

  result.module = mlir::ModuleOp::create(mlir::FileLineColLoc::get(&context, options.input, 0, 0));
  ImportAction action(*result.module);
  bool isParsed = compiler.ExecuteAction(action);
  result.dependencies = dependencies->getDependencies();
  result.failed = !isParsed || printer.getNumErrors() != 0;
  if (!result.failed) {
    SourceDiagnosticHandler handler(&context, messages);
    result.failed = mlir::failed(mlir::verify(*result.module));
  }
  if (result.failed)
    result.module = nullptr;
  return result;
}

} // namespace tegula::frontend
