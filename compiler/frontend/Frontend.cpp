// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Frontend.h"

#include "frontend/Importer.h"
#include "frontend/Precompiled.h"
#include "frontend/diagnostics/HeaderErrors.h"
#include "frontend/diagnostics/SourceDiagnostics.h"

#include "mlir/IR/Verifier.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace tegula::frontend {

namespace {
/// Remembers every file; those of the system and of the language, which may be precompiled, only if they are asked for.
class AllDependencies : public DependencyCollector {
public:
  explicit AllDependencies(const FrontendOptions &options) : options(options) {}
  bool needSystemDependencies() override { return options.hasSystemDependencies; }
  bool sawDependency(StringRef name, bool, bool isSystem, bool, bool isMissing) override {
    bool isOfLanguage = name.starts_with(options.includeDir + "/") || name == options.precompiled;
    return !isMissing && !name.starts_with("<") && (options.hasSystemDependencies || (!isSystem && !isOfLanguage));
  }

private:
  const FrontendOptions &options;
};

class ImportConsumer : public ASTConsumer {
public:
  ImportConsumer(mlir::ModuleOp module, HeaderErrors &printer, const FrontendOptions &options)
      : module(module), printer(printer), options(options) {}
  void Initialize(ASTContext &ast) override { printer.parsing(ast); }
  void HandleTranslationUnit(ASTContext &ast) override {
    if (!ast.getDiagnostics().hasErrorOccurred())
      Importer(ast, module, options.debugChecks, options.profileEvents).importEntries();
  }

private:
  mlir::ModuleOp module;
  HeaderErrors &printer;
  const FrontendOptions &options;
};

class ImportAction : public ASTFrontendAction {
public:
  ImportAction(mlir::ModuleOp module, HeaderErrors &printer, const FrontendOptions &options)
      : module(module), printer(printer), options(options) {}
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &, StringRef) override {
    return std::make_unique<ImportConsumer>(module, printer, options);
  }
  void ExecuteAction() override {
    begun = true;
    printer.mute(false);
    ASTFrontendAction::ExecuteAction();
  }
  /// Whether the file was parsed: a precompiled header may be refused before.
  bool hasBegun() const { return begun; }

private:
  mlir::ModuleOp module;
  HeaderErrors &printer;
  const FrontendOptions &options;
  bool begun = false;
};
} // namespace

/// The command line of an ordinary compilation of a file.
static std::shared_ptr<CompilerInvocation> makeInvocation(const FrontendOptions &options, const char *language,
                                                          DiagnosticOptions &diagnosticOptions,
                                                          DiagnosticConsumer &printer) {
  // Clang finds the standard library from where it is installed itself.
  StringRef prefix = options.resourceDir; // <prefix>/lib/clang/<version>, or <prefix>/lib/tegula/clang
  for (int i = 0; i < 3; ++i)
    prefix = llvm::sys::path::parent_path(prefix);
  llvm::SmallString<128> program(prefix);
  llvm::sys::path::append(program, "bin", "clang++");
  std::vector<std::string> arguments = {program.str().str(), "-x", language, "-std=c++23", "-fsyntax-only",
                                        // Bodies name the options of a launch in any order.
                                        "-Wno-reorder-init-list", "-Wno-undefined-internal", "-Wno-undefined-inline",
                                        "-D__TEGULA__",
                                        // tegulac's threads have the stack for it (Stack.h).
                                        "-fbracket-depth=4096", "-Wno-stack-exhausted",
                                        "-fno-elide-type", // Whole types are shorter than "array<[...], 1 aka 1>".
                                        "-resource-dir", options.resourceDir, "-isystem", options.includeDir};
  llvm::append_range(arguments, options.clangArguments);
  // What has no meaning in C++ has none in a kernel.
  llvm::append_range(arguments,
                     llvm::ArrayRef{"-Werror=return-type", "-Werror=uninitialized",
                                    "-Wno-error=sometimes-uninitialized", "-Wno-uninitialized-const-reference"});
  arguments.push_back(options.input);
  std::vector<const char *> pointers;
  for (const std::string &argument : arguments)
    pointers.push_back(argument.c_str());
  CreateInvocationOptions how;
  how.Diags = CompilerInstance::createDiagnostics(&diagnosticOptions, &printer, /*ShouldOwnClient=*/false);
  std::shared_ptr<CompilerInvocation> invocation = createInvocation(pointers, how);
  if (invocation)
    invocation->getDiagnosticOpts().ShowColors = diagnosticOptions.ShowColors;
  if (invocation && options.contents) {
    PreprocessorOptions &preprocessor = invocation->getPreprocessorOpts();
    preprocessor.RetainRemappedFileBuffers = true; // It may be parsed twice.
    preprocessor.addRemappedFile(options.input, llvm::MemoryBuffer::getMemBuffer(*options.contents).release());
  }
  return invocation;
}

// ---- The language's header, precompiled -----------------------------------------------------------------------------

/// A precompiled header names its files relative to the folder of the language: both can be copied elsewhere. Clang
/// calls that folder the sysroot, which is set here, after its driver has found the system's headers. Clang compares
/// the sizes of the files, and their times unless it was made with -fno-pch-timestamp.
static void makeRelocatable(CompilerInvocation &invocation, StringRef folder) {
  invocation.getHeaderSearchOpts().Sysroot = folder.str();
}

bool precompileLanguage(const FrontendOptions &given, StringRef output, llvm::raw_ostream &messages) {
  FrontendOptions options = given;
  llvm::SmallString<128> header;
  if (!llvm::sys::fs::real_path(given.input, header)) // Its folder begins the names of the other headers.
    options.input = header.str().str();
  IntrusiveRefCntPtr<DiagnosticOptions> diagnosticOptions(new DiagnosticOptions());
  HeaderErrors printer(messages, *diagnosticOptions, options.warnings);
  CompilerInstance compiler;
  std::shared_ptr<CompilerInvocation> invocation = makeInvocation(options, "c++-header", *diagnosticOptions, printer);
  if (!invocation)
    return false;
  invocation->getFrontendOpts().ProgramAction = clang::frontend::GeneratePCH;
  invocation->getFrontendOpts().OutputFile = output.str();
  StringRef folder = llvm::sys::path::parent_path(llvm::sys::path::parent_path(options.input));
  invocation->getFrontendOpts().RelocatablePCH = !folder.empty();
  makeRelocatable(*invocation, folder);
  compiler.setInvocation(std::move(invocation));
  compiler.createDiagnostics(&printer, /*ShouldOwnClient=*/false);
  GeneratePCHAction action;
  return compiler.ExecuteAction(action) && printer.getNumErrors() == 0;
}

// ---- The file -------------------------------------------------------------------------------------------------------

/// Parses the file into `result`, with the precompiled header or without. False if that was refused.
static bool parse(std::shared_ptr<CompilerInvocation> invocation, bool isPrecompiled, const FrontendOptions &options,
                  HeaderErrors &printer, mlir::MLIRContext &context, FrontendResult &result) {
  CompilerInstance compiler;
  if (isPrecompiled) {
    invocation->getPreprocessorOpts().ImplicitPCHInclude = options.precompiled;
    makeRelocatable(*invocation, options.includeDir);
  }
  compiler.setInvocation(std::move(invocation));
  compiler.createDiagnostics(&printer, /*ShouldOwnClient=*/false);
  auto dependencies = std::make_shared<AllDependencies>(options);
  compiler.addDependencyCollector(dependencies);
  result.module = mlir::ModuleOp::create(mlir::FileLineColLoc::get(&context, options.input, 0, 0));
  ImportAction action(*result.module, printer, options);
  printer.mute(isPrecompiled); // Why it is refused is nothing to the user.
  bool isParsed = compiler.ExecuteAction(action);
  printer.mute(false);
  if (isPrecompiled && !action.hasBegun())
    return false;
  result.dependencies = dependencies->getDependencies();
  // The file itself first, before what was precompiled.
  auto own = llvm::find(result.dependencies, options.input);
  if (own != result.dependencies.end())
    std::rotate(result.dependencies.begin(), own, std::next(own));
  result.failed = !isParsed || printer.getNumErrors() != 0;
  return true;
}

FrontendResult importFile(mlir::MLIRContext &context, const FrontendOptions &options, llvm::raw_ostream &messages) {
  FrontendResult result;
  result.failed = true;
  IntrusiveRefCntPtr<DiagnosticOptions> diagnosticOptions(new DiagnosticOptions());
  diagnosticOptions->ShowColors = messages.has_colors();
  HeaderErrors printer(messages, *diagnosticOptions, options.warnings);
  std::shared_ptr<CompilerInvocation> invocation = makeInvocation(options, "c++", *diagnosticOptions, printer);
  if (!invocation)
    return result;
  bool isPrecompiled = canUsePrecompiled(options, *invocation);
  if (!isPrecompiled ||
      !parse(std::make_shared<CompilerInvocation>(*invocation), true, options, printer, context, result))
    parse(std::move(invocation), false, options, printer, context, result);
  if (!result.failed) {
    SourceDiagnosticHandler handler(&context, messages, options.warnings);
    if (options.contents)
      handler.addFile(options.input, *options.contents);
    result.failed = mlir::failed(mlir::verify(*result.module));
  }
  if (result.failed)
    result.module = nullptr;
  return result;
}

} // namespace tegula::frontend
