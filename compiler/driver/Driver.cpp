// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/Driver.h"

#include "codegen/CodeStore.h"
#include "codegen/Codegen.h"
#include "codegen/Process.h"
#include "driver/Capabilities.h"
#include "driver/Explain.h"
#include "driver/Outputs.h"
#include "driver/Pipeline.h"
#include "driver/RefusedCode.h"
#include "driver/SlowCode.h"
#include "driver/Timing.h"
#include "frontend/Frontend.h"
#include "frontend/diagnostics/SourceDiagnostics.h"
#include "ir/TileDialect.h"
#include "stub/CAbi.h"
#include "stub/Expr.h"
#include "stub/Names.h"
#include "stub/Stub.h"
#include "stub/Torch.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tegula::driver {
namespace {

class Run {
public:
  explicit Run(const Options &options)
      : options(options), targets(options.targets), context(makeRegistry(), MLIRContext::Threading::DISABLED),
        diagnostics(&context, llvm::errs(), options.warnings) {
    context.loadAllAvailableDialects();
  }

  ExitCode run();

private:
  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registry.insert<tile::TileDialect, arith::ArithDialect, cf::ControlFlowDialect, LLVM::LLVMDialect,
                    math::MathDialect, scf::SCFDialect, ub::UBDialect, vector::VectorDialect>();
    return registry;
  }

  bool isIr() const { return llvm::sys::path::extension(options.input) == ".mlir"; }
  frontend::FrontendOptions frontendOptions() const;
  ExitCode precompile();
  ExitCode import();
  ExitCode parseIr();
  bool transform(const char *step, llvm::function_ref<void(OpPassManager &)> add);
  bool split();
  bool checkTargets();
  bool verify();
  ExitCode translateKernels();
  ExitCode linkKernels();
  ExitCode compileKernels();
  /// PTX that ptxas takes at once, and what it makes of it.
  struct Assembled {
    const Target *target;
    codegen::PtxPart part;
    codegen::Cubins cubins;
  };
  void splitPtx();
  ExitCode assembleAll(bool mayDivide, const codegen::CodeStore &known = codegen::CodeStore());
  ExitCode makeCode(const std::string &base);
  ExitCode refuse(llvm::Error error);
  bool takePtx(const codegen::CodeStore &known);
  void keep(codegen::CodeStore &kept) const;
  ExitCode emitText();
  void addTexts(llvm::ArrayRef<std::string> texts, llvm::StringRef suffix);
  ExitCode emitStub();
  ExitCode emitTorch(const std::string &base, const std::string &file);
  ExitCode emitCAbi(const std::string &base);
  std::string resources() const;
  std::vector<stub::Image> images() const;
  ExitCode addDependencyFile();
  ExitCode checkStubName(const std::string &base);
  ExitCode fail(ExitCode code, const llvm::Twine &message) {
    llvm::errs() << "tegulac: error: " << message << '\n';
    return code;
  }

  std::error_code readInput();
  std::string stem() const { return options.input == "-" ? "stdin" : llvm::sys::path::stem(options.input).str(); }
  /// The base of a stub's names. Without -o it differs from that of a kernel file kernels.cpp.
  std::string stubBase() const { return options.output.empty() ? stem() + ".tegula" : options.output; }
  /// Where a single text goes.
  std::string textOutput() const { return options.output.empty() ? "-" : options.output; }
  /// Where the file of one architecture goes: that of -o if there is but one.
  std::string archOutput(const Target &target, llvm::StringRef suffix) const {
    if (targets.size() == 1 && !options.output.empty())
      return options.output;
    std::string base = options.output.empty() ? stem() : options.output;
    return base + "." + std::string(target.name) + suffix.str();
  }

  const Options options;
  std::vector<const Target *> targets;
  Timing timing;
  MLIRContext context;
  llvm::SourceMgr sources;
  frontend::SourceDiagnosticHandler diagnostics;
  OwningOpRef<ModuleOp> module;
  /// What a pipe or the standard input had.
  std::optional<std::string> streamed;
  std::vector<std::string> dependencies;
  // The kernels, arrow by arrow.
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> llvmModule;
  KernelLocations kernels;
  InlineTexts inlineTexts;
  codegen::LinkedKernels linked;
  std::vector<std::string> ptx;
  std::vector<Assembled> assembled; // in the order of the targets
  std::string mainOutput;
  Outputs outputs;
};

/// Why the input cannot be read, if so. The standard input and pipes can be read once: here.
std::error_code Run::readInput() {
  StringRef path = options.input;
  if (llvm::sys::fs::is_directory(path))
    return std::make_error_code(std::errc::is_a_directory);
  llvm::sys::fs::file_status status;
  bool isStream = path == "-" || (!llvm::sys::fs::status(path, status) && !llvm::sys::fs::is_regular_file(status));
  auto buffer = isStream ? llvm::MemoryBuffer::getFileOrSTDIN(path) : llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return buffer.getError();
  if (isStream)
    streamed = (*buffer)->getBuffer().str();
  return {};
}

ExitCode Run::run() {
  if (std::error_code error = readInput())
    return fail(environment, "'" + options.input + "' cannot be read: " + error.message());
  if (options.emit == Emit::pch)
    return precompile();
  if (std::vector<std::string> names = passNames();
      options.dumpAfter && !options.dumpAfter->empty() && !llvm::is_contained(names, *options.dumpAfter))
    return fail(invalidOptions, "no pass is called '" + *options.dumpAfter + "'; there are " + llvm::join(names, ", "));
  bool isCode = options.emit == Emit::ptx || options.emit == Emit::sass || options.emit == Emit::cubin;
  if (isCode && options.output == "-" && targets.size() > 1) {
    if (!options.hasDefaultTargets)
      return fail(invalidOptions, "the code of several architectures is several files: ask for one --arch, or give -o "
                                  "a name");
    targets.resize(1);
  }
  if (ExitCode code = import())
    return code;
  ExitCode code = options.emit == Emit::stub ? emitStub() : emitText();
  if (code)
    return code;
  if (diagnostics.hasErrors()) // Warnings that -Werror made errors.
    return invalidInput;
  if (options.writeDependencies)
    if (ExitCode failure = addDependencyFile())
      return failure;
  for (const std::string &input : dependencies)
    if (outputs.replace(input))
      return fail(invalidOptions, "the output would replace its own input, " + input + ": give -o another name");
  if (std::optional<std::string> name = outputs.nameOfTwo())
    return fail(invalidOptions, "two outputs would be one file, " + *name + ": give -MF another name");
  if (std::optional<std::string> file = outputs.foreignFile())
    return fail(invalidOptions, "the output would replace " + *file +
                                    ", which tegulac did not write: give -o another name, or remove that file");
  {
    auto step = timing.step("write");
    if (llvm::Error error = outputs.write(options.keepUnchanged))
      return fail(environment, llvm::toString(std::move(error)));
  }
  if (options.timeReport)
    timing.print(llvm::errs());
  return success;
}

frontend::FrontendOptions Run::frontendOptions() const {
  frontend::FrontendOptions result;
  result.input = options.input == "-" ? "<stdin>" : options.input;
  result.contents = streamed;
  result.hasSystemDependencies = options.hasSystemDependencies;
  result.warnings = options.warnings;
  result.clangArguments = options.clangArguments;
  result.resourceDir = options.resourceDir;
  result.includeDir = options.includeDir;
  result.precompiled = options.precompiled;
  result.debugChecks = options.debugChecks;
  // A scope has two.
  result.profileEvents = 2 * options.profileEvents;
  return result;
}

ExitCode Run::precompile() {
  if (options.output.empty())
    return fail(invalidOptions, "--emit=pch needs a name for its file: -o language.pch");
  return frontend::precompileLanguage(frontendOptions(), options.output, llvm::errs()) ? success : invalidInput;
}

/// MLIR's parser does not survive all text: of a loop whose bounds its own body defines it takes what is not there, and
/// after some errors it frees twice. Whatever it has done to memory then, nothing more is done with it.
ExitCode Run::parseIr() {
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext recovery;
  bool isDone = recovery.RunSafely([&] { module = parseSourceFile<ModuleOp>(options.input, sources, &context); });
  llvm::CrashRecoveryContext::Disable();
  if (isDone && module)
    return success;
  if (!isDone)
    fail(invalidInput, "'" + options.input + "' is not tile IR: MLIR's parser cannot read it");
  llvm::sys::Process::Exit(invalidInput, /*NoCleanup=*/true);
}

ExitCode Run::import() {
  auto step = timing.step("parse and import");
  if (isIr()) {
    dependencies = {options.input};
    if (ExitCode code = parseIr(); code != success)
      return code;
    return transform("tile passes", addReadPasses) ? success : invalidInput;
  }
  frontend::FrontendResult result = frontend::importFile(context, frontendOptions(), llvm::errs());
  if (result.failed || !result.module)
    return invalidInput;
  module = std::move(result.module);
  if (streamed)
    diagnostics.addFile(frontendOptions().input, *streamed);
  dependencies = std::move(result.dependencies);
  return transform("tile passes", addTilePasses) ? success : invalidInput;
}

namespace {
/// Errors of a pass end in its name: [tegula-check-extents] is of tile-check-extents.
class NamesErrors : public PassInstrumentation {
public:
  explicit NamesErrors(frontend::SourceDiagnosticHandler &diagnostics) : diagnostics(diagnostics) {}
  void runBeforePass(Pass *pass, Operation *) override {
    StringRef name = pass->getArgument();
    diagnostics.setReporter(name.consume_front("tile-") ? name : "");
  }
  void runAfterPass(Pass *, Operation *) override { diagnostics.setReporter(""); }
  void runAfterPassFailed(Pass *, Operation *) override { diagnostics.setReporter(""); }

private:
  frontend::SourceDiagnosticHandler &diagnostics;
};
} // namespace

bool Run::transform(const char *name, llvm::function_ref<void(OpPassManager &)> add) {
  auto step = timing.step(name);
  PassManager passes(&context);
  passes.enableVerifier(options.verify);
  passes.addInstrumentation(std::make_unique<NamesErrors>(diagnostics));
  add(passes);
  if (options.dumpAfter) {
    const std::string &wanted = *options.dumpAfter;
    auto isWanted = [wanted](Pass *pass, Operation *) { return wanted.empty() || pass->getArgument() == wanted; };
    passes.enableIRPrinting([](Pass *, Operation *) { return false; }, isWanted, /*printModuleScope=*/true,
                            /*printAfterOnlyOnChange=*/false, /*printAfterOnlyOnFailure=*/false, llvm::errs());
  }
  return mlir::succeeded(passes.run(*module));
}

/// To kernels, as far as the form to emit is. Tile IR that was read may have them already.
bool Run::split() {
  if (!module->getOps<tile::KernelOp>().empty())
    return true;
  auto addSplit = [&](OpPassManager &passes) {
    addSplitPasses(passes, targets, options.splitRemarks, options.splitVariants);
  };
  auto addShared = [&](OpPassManager &passes) { addSharedPasses(passes, targets); };
  if (!transform("split", addSplit))
    return false;
  if (options.emit == Emit::tileSplit)
    return true;
  return transform("expand", addExpandPasses) &&
         (options.emit == Emit::tileExpanded || transform("shared memory", addShared));
}

/// Whether every target has what the kernels use; of the default ones, those that have it stay.
bool Run::checkTargets() {
  if (options.hasDefaultTargets)
    llvm::erase_if(targets, [&](const Target *target) { return targets.size() > 1 && findMissing(*module, *target); });
  bool isGood = true;
  diagnostics.setReporter("check-targets");
  for (const Target *target : targets)
    if (std::optional<Missing> missing = findMissing(*module, *target)) {
      missing->op->emitError() << missing->why << ": leave it out of --arch (in CMake: ARCHS)";
      isGood = false;
    }
  diagnostics.setReporter("");
  return isGood;
}

/// Checks once what the passes made, before it becomes code: a mistake of theirs is told as one.
bool Run::verify() {
  auto step = timing.step("verify");
  diagnostics.setReporter("internal");
  bool isValid = mlir::succeeded(mlir::verify(*module));
  diagnostics.setReporter("");
  if (!isValid)
    llvm::errs() << "tegulac: internal error: passes made invalid IR, which is a bug in tegulac: please report it with "
                    "this input\n";
  return isValid;
}

/// To LLVM IR. The module is consumed: it holds the kernels alone afterwards.
ExitCode Run::translateKernels() {
  auto addLowering = [&](OpPassManager &passes) { addLoweringPasses(passes, targets); };
  if (!checkTargets() || !transform("layouts", addLayoutPasses) || !verify() || !transform("lower", addLowering))
    return invalidInput;
  auto step = timing.step("to LLVM IR");
  llvmModule = codegen::translateToLlvm(*module, llvmContext, options.verify);
  if (!llvmModule)
    return invalidInput;
  if (!options.lineInfo)
    llvm::StripDebugInfo(*llvmModule);
  return success;
}

ExitCode Run::linkKernels() {
  kernels = locationsOfKernels(*module);
  inlineTexts = inlineTextsOf(*module);
  if (ExitCode failure = translateKernels())
    return failure;
  auto step = timing.step("link");
  auto result = codegen::linkKernels(*llvmModule, *targets.front(), options.libdevice);
  if (!result)
    return fail(environment, llvm::toString(result.takeError()));
  linked = std::move(*result);
  return success;
}

/// Linked kernels to PTX for every target.
ExitCode Run::compileKernels() {
  auto step = timing.step("LLVM IR to PTX");
  auto compiled = codegen::compileToPtx(linked, targets);
  if (!compiled)
    return fail(environment, llvm::toString(compiled.takeError()));
  ptx = std::move(*compiled);
  return success;
}

void Run::splitPtx() {
  assembled.clear();
  for (auto [text, target] : llvm::zip(ptx, targets))
    for (codegen::PtxPart &part : codegen::splitPtx(text))
      assembled.push_back({target, std::move(part), {}});
}

/// After ptxas refused code: that of the program is its own mistake.
ExitCode Run::refuse(llvm::Error error) {
  diagnostics.setReporter("inline-ptx");
  llvm::Error rest = reportRefusedTexts(std::move(error), inlineTexts);
  diagnostics.setReporter("");
  return rest ? fail(environment, llvm::toString(std::move(rest))) : invalidInput;
}

/// Cubins of all parts, by ptxas where none is known; of each one, or as many as serve its kernels best.
ExitCode Run::assembleAll(bool mayDivide, const codegen::CodeStore &known) {
  auto step = timing.step("ptxas");
  std::vector<codegen::AssemblyJob> jobs;
  std::vector<codegen::Cubins *> results;
  for (Assembled &each : assembled) {
    codegen::AssemblyJob job{each.part.text, each.target, mayDivide};
    const std::string *kept = known.find(codegen::cubinKey(job, options.ptxas));
    each.cubins = kept ? codegen::unpackCubins(*kept) : codegen::Cubins();
    if (each.cubins.empty()) {
      jobs.push_back(job);
      results.push_back(&each.cubins);
    }
  }
  if (!jobs.empty()) {
    auto made = codegen::assemble(jobs, options.ptxas);
    if (!made)
      return refuse(made.takeError());
    for (auto [result, cubins] : llvm::zip(results, *made))
      *result = std::move(cubins);
  }
  for (const Assembled &each : assembled)
    for (const codegen::Cubin &cubin : each.cubins)
      warnOfSlowCode(cubin, *each.target, kernels);
  return success;
}

/// Linked kernels to cubins in parts, as far as the last run with this output has not done it.
ExitCode Run::makeCode(const std::string &base) {
  if (!options.reuseCubins) {
    if (ExitCode failure = compileKernels())
      return failure;
    splitPtx();
    return options.ptxOnly ? success : assembleAll(/*mayDivide=*/true);
  }
  std::string file = base + ".cubins";
  llvm::sys::fs::file_status status;
  if (!llvm::sys::fs::status(file, status) && !llvm::sys::fs::is_regular_file(status))
    return fail(environment,
                "'" + file + "', where --reuse-cubins keeps code, is not a file: remove it, or give -o another name");
  auto before = llvm::MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  codegen::CodeStore known(before ? (*before)->getBuffer() : ""), kept;
  if (!takePtx(known))
    if (ExitCode failure = compileKernels())
      return failure;
  splitPtx();
  if (!options.ptxOnly)
    if (ExitCode failure = assembleAll(/*mayDivide=*/true, known))
      return failure;
  keep(kept);
  outputs.add(file, kept.text());
  return success;
}

/// All PTX as the last run made it, if it was of the same kernels for the same targets.
bool Run::takePtx(const codegen::CodeStore &known) {
  auto step = timing.step("code of the last run");
  std::vector<std::string> texts;
  for (const Target *target : targets)
    if (const std::string *text = known.find(codegen::kernelsKey(linked, *target)))
      texts.push_back(*text);
  if (texts.size() != targets.size())
    return false;
  ptx = std::move(texts);
  return true;
}

void Run::keep(codegen::CodeStore &kept) const {
  for (auto [target, text] : llvm::zip(targets, ptx))
    kept.add(codegen::kernelsKey(linked, *target), text);
  for (const Assembled &each : assembled)
    if (!each.cubins.empty())
      kept.add(codegen::cubinKey({each.part.text, each.target}, options.ptxas), codegen::pack(each.cubins));
}

ExitCode Run::emitText() {
  mainOutput = textOutput();
  if (options.emit == Emit::cpu) {
    if (!verify())
      return invalidInput;
    stub::StubOptions stubOptions;
    stubOptions.kernelSource = options.input;
    stubOptions.sourceName = mainOutput;
    FailureOr<std::string> text = stub::printCpu(*module, stubOptions);
    if (mlir::failed(text))
      return invalidInput;
    outputs.add(mainOutput, std::move(*text));
    return success;
  }
  if (options.emit == Emit::torch)
    return emitTorch(options.output == "-" ? stem() : stubBase(), mainOutput);
  if (options.emit != Emit::tile && !split())
    return invalidInput;
  if (options.emit == Emit::tileLayout && !transform("layouts", addLayoutPasses))
    return invalidInput;
  if (options.emit <= Emit::tileLayout) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module->print(stream);
    outputs.add(mainOutput, text + "\n");
    return success;
  }
  if (options.emit == Emit::llvm) {
    if (ExitCode failure = translateKernels())
      return failure;
    std::string text;
    llvm::raw_string_ostream(text) << *llvmModule;
    outputs.add(mainOutput, std::move(text));
    return success;
  }
  if (ExitCode failure = linkKernels())
    return failure;
  if (options.emit == Emit::resources) {
    if (ExitCode failure = makeCode(options.output.empty() || options.output == "-" ? stem() : options.output))
      return failure;
    outputs.add(mainOutput, resources());
    return success;
  }
  if (ExitCode failure = compileKernels())
    return failure;
  if (options.emit == Emit::ptx) {
    addTexts(ptx, ".ptx");
    return success;
  }
  for (auto [text, target] : llvm::zip(ptx, targets)) // One file for each architecture.
    assembled.push_back({target, {text, {}}, {}});
  if (ExitCode failure = assembleAll(/*mayDivide=*/false))
    return failure;
  if (options.emit == Emit::sass) {
    std::vector<std::string> texts;
    for (const Assembled &each : assembled) {
      llvm::Expected<std::string> text = codegen::disassemble(each.cubins.front().image, options.nvdisasm);
      if (!text)
        return fail(environment, llvm::toString(text.takeError()));
      texts.push_back(std::move(*text));
    }
    addTexts(texts, ".sass");
    return success;
  }
  mainOutput = archOutput(*targets.front(), ".cubin");
  for (const Assembled &each : assembled)
    outputs.add(archOutput(*each.target, ".cubin"), each.cubins.front().image);
  return success;
}

/// A text for each architecture; one alone goes to the standard output, unless -o names a file.
void Run::addTexts(llvm::ArrayRef<std::string> texts, llvm::StringRef suffix) {
  bool single = targets.size() == 1;
  mainOutput = single ? textOutput() : archOutput(*targets.front(), suffix);
  for (auto [text, target] : llvm::zip(texts, targets))
    outputs.add(single ? mainOutput : archOutput(*target, suffix), text);
}

/// A line per kernel and architecture, and one per remark of ptxas.
std::string Run::resources() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (const Assembled &each : assembled)
    for (const codegen::Cubin &cubin : each.cubins) {
      for (const codegen::KernelResources &kernel : cubin.kernels)
        stream << each.target->name << ' ' << kernel.name << ": registers " << kernel.registers << ", stack "
               << kernel.stackBytes << ", spills " << kernel.spillStoreBytes + kernel.spillLoadBytes << '\n';
      for (const codegen::AssemblerRemark &remark : cubin.remarks)
        stream << each.target->name << " remark " << remark.code << ": " << remark.message << '\n';
    }
  return text;
}

/// The cubins of each architecture, and the PTX of those whose PTX later chips can load; or the PTX alone, in parts, of
/// which the driver compiles those that it loads.
std::vector<stub::Image> Run::images() const {
  std::vector<stub::Image> result;
  if (options.ptxOnly) {
    for (const auto &[target, part, cubins] : assembled)
      result.push_back({target->number, target->feature, stub::ImageKind::ptx, part.text, numberOf(*target->archClass),
                        target->hasGridDependencies(), part.kernels});
    return result;
  }
  for (const auto &[target, part, cubins] : assembled)
    for (const codegen::Cubin &cubin : cubins) {
      std::vector<std::string> names = part.kernels;
      if (cubins.size() > 1) {
        names.clear();
        for (const codegen::KernelResources &kernel : cubin.kernels)
          names.push_back(kernel.name);
      }
      result.push_back({target->number, target->feature, stub::ImageKind::cubin, cubin.image,
                        numberOf(*target->archClass), target->hasGridDependencies(), names});
    }
  for (auto [text, target] : llvm::zip(ptx, targets))
    if (target->isPortable())
      result.push_back({target->number,
                        target->feature,
                        stub::ImageKind::ptx,
                        text,
                        numberOf(*target->archClass),
                        target->hasGridDependencies(),
                        {}});
  return result;
}

/// The operators of the entries whose stub is `base`.
ExitCode Run::emitTorch(const std::string &base, const std::string &file) {
  if (ExitCode failure = checkStubName(base))
    return failure;
  llvm::StringRef name = llvm::sys::path::filename(base);
  name.consume_back(".torch.cpp");
  stub::TorchOptions torchOptions;
  torchOptions.kernelSource = options.input;
  torchOptions.headerName = name.str() + ".h";
  torchOptions.space = options.torchNamespace.empty() ? stub::identifier(stem()) : options.torchNamespace;
  if (stub::identifier(torchOptions.space) != torchOptions.space)
    return fail(invalidOptions, "--torch-namespace takes a C++ name, which '" + torchOptions.space + "' is not");
  FailureOr<std::string> text = stub::printTorch(*module, torchOptions);
  if (mlir::failed(text))
    return invalidInput;
  if (file == "-" || options.emit == Emit::torch)
    outputs.add(file, std::move(*text));
  else
    outputs.addOwn(file, std::move(*text), stub::notice.str());
  return success;
}

/// The C functions of the entries whose stub is `base`.
ExitCode Run::emitCAbi(const std::string &base) {
  std::string name = llvm::sys::path::filename(base).str();
  stub::CAbiOptions cOptions;
  cOptions.kernelSource = options.input;
  cOptions.headerName = name + ".h";
  cOptions.cHeaderName = name + ".c.h";
  cOptions.prefix = options.cPrefix->empty() ? stub::identifier(name) + "_" : *options.cPrefix;
  if (llvm::any_of(cOptions.prefix, [](char c) { return !llvm::isAlnum(c) && c != '_'; }) ||
      llvm::isDigit(cOptions.prefix.front()))
    return fail(invalidOptions, "--c-abi takes what C names may begin with, letters, digits and '_', and '" +
                                    cOptions.prefix + "' is not that");
  FailureOr<stub::CAbi> text = stub::printCAbi(*module, cOptions);
  if (mlir::failed(text))
    return invalidInput;
  outputs.addOwn(base + ".c.h", std::move(text->header), stub::notice.str());
  outputs.addOwn(base + ".c.cpp", std::move(text->source), stub::notice.str());
  return success;
}

ExitCode Run::emitStub() {
  std::string base = stubBase();
  if (ExitCode failure = checkStubName(base))
    return failure;
  if (!options.torchNamespace.empty())
    if (ExitCode failure = emitTorch(base, base + ".torch.cpp"))
      return failure;
  if (options.cPrefix)
    if (ExitCode failure = emitCAbi(base))
      return failure;
  if (!split())
    return invalidInput;
  OwningOpRef<ModuleOp> hostModule = module->clone(); // Lowering consumes the kernels; the stub needs the rest.
  if (!module->getOps<tile::KernelOp>().empty()) {
    if (ExitCode failure = linkKernels())
      return failure;
    if (ExitCode failure = makeCode(base))
      return failure;
  }
  auto step = timing.step("print the stub");
  stub::StubOptions stubOptions;
  stubOptions.headerName = llvm::sys::path::filename(base).str() + ".h";
  stubOptions.kernelSource = options.input;
  mainOutput = base + ".cpp";
  stubOptions.sourceName = mainOutput;
  stubOptions.exportEntries = options.exportEntries;
  FailureOr<stub::Stub> text = stub::printStub(*hostModule, images(), stubOptions);
  if (mlir::failed(text))
    return invalidInput;
  outputs.addOwn(base + ".h", std::move(text->header), stub::notice.str());
  outputs.addOwn(mainOutput, std::move(text->source), stub::notice.str());
  return success;
}

ExitCode Run::addDependencyFile() {
  std::string file = options.dependencyFile;
  if (file.empty()) {
    llvm::SmallString<128> beside(mainOutput == "-" ? stem() : mainOutput);
    llvm::sys::path::replace_extension(beside, ".d");
    file = beside.str().str();
  }
  std::vector<std::string> names = options.dependencyTargets;
  if (names.empty())
    names = {mainOutput};
  for (const std::vector<std::string> &files : {names, dependencies})
    for (const std::string &each : files)
      if (!canBeInRule(each))
        return fail(invalidOptions,
                    "no dependency file can name " + stub::quoted(each) +
                        ", because make and ninja cannot write this name: rename that file, or remove -MD");
  outputs.add(file, dependencyRule(names, dependencies, options.hasPhonyTargets));
  return success;
}

/// Sources include the stub's header, by its name between quotes.
ExitCode Run::checkStubName(const std::string &base) {
  llvm::StringRef name = llvm::sys::path::filename(base);
  auto isLost = [](unsigned char c) { return c < 0x20 || c == 0x7f || c == '"'; };
  if (llvm::none_of(name, isLost))
    return success;
  return fail(invalidOptions, "no source can include a header called " + stub::quoted(name.str() + ".h") +
                                  ": give -o another name, without quotes and line breaks");
}

} // namespace

/// Where the outputs of one of several inputs go.
static std::string outputOf(const Options &options, llvm::StringRef input) {
  if (!llvm::StringRef(options.output).ends_with("/"))
    return options.output;
  static constexpr std::pair<Emit, const char *> suffixes[] = {{Emit::stub, ""},          {Emit::torch, ".torch.cpp"},
                                                               {Emit::cpu, ".cpp"},       {Emit::llvm, ".ll"},
                                                               {Emit::resources, ".txt"}, {Emit::pch, ".pch"}};
  const char *suffix = options.emit <= Emit::tileLayout ? ".mlir" : "";
  for (auto [emit, name] : suffixes)
    if (emit == options.emit)
      suffix = name;
  // Of one architecture; those of several add its name and a suffix of their own.
  if (options.targets.size() == 1)
    suffix = options.emit == Emit::ptx     ? ".ptx"
             : options.emit == Emit::sass  ? ".sass"
             : options.emit == Emit::cubin ? ".cubin"
                                           : suffix;
  return options.output + (input == "-" ? "stdin" : llvm::sys::path::stem(input)).str() + suffix;
}

void runAndExit(const Options &options) {
  codegen::endProgramsOnSignal();
  if (!options.explain.empty())
    llvm::sys::Process::Exit(explain(options.explain), /*NoCleanup=*/true);
  ExitCode first = success;
  for (const std::string &input : options.inputs) {
    Options one = options;
    one.input = input;
    one.output = outputOf(options, input);
    auto *run = new Run(one); // What it allocates goes with the process.
    if (ExitCode code = run->run(); first == success)
      first = code;
  }
  llvm::sys::Process::Exit(first, /*NoCleanup=*/true);
}

} // namespace tegula::driver
