// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the entries of a module twice, as stubs for the CPU alone:
//   tegula-fuzz-print FILE.mlir OUTPUT [MOST]
// writes OUTPUT.whole.h and .cpp, where launches run the programs as they are written (less what is never used), and
// OUTPUT.split.h and .cpp, where they run the kernels that splitting makes of them. Entries are in the namespaces
// `whole` and `split`. An entry that a pass refuses is left out, and said on stdout: "NAME: MESSAGE". So is an entry
// whose kernels are more than MOST operations of the LLVM dialect: ptxas would take long.
#include "checks/Passes.h"
#include "driver/Pipeline.h"
#include "ir/TileDialect.h"
#include "stub/Stub.h"
#include "transforms/Passes.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Transforms/Passes.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace tegula;

namespace {

int fail(const llvm::Twine &message) {
  llvm::errs() << "tegula-fuzz-print: " << message << '\n';
  return 1;
}

/// Runs passes, or says why not.
bool runPasses(ModuleOp module, StringRef name, llvm::function_ref<void(OpPassManager &)> add) {
  std::string message;
  ScopedDiagnosticHandler diagnostics(module.getContext(), [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error && message.empty())
      message = diagnostic.str();
    return success();
  });
  PassManager passes(module.getContext());
  add(passes);
  if (succeeded(passes.run(module)))
    return true;
  llvm::outs() << name << ": " << message << '\n';
  return false;
}

/// Splits as the driver does; or, what is called s..., into sub-tiles so small that there are many, and many at an
/// edge. Those of an odd number have sides that are no powers of two.
void addSplitting(StringRef name, OpPassManager &passes) {
  passes.addPass(createTileSinkTakes());
  if (!name.starts_with("s")) {
    driver::addSplitPasses(passes);
    driver::addExpandPasses(passes);
    driver::addSharedPasses(passes);
    passes.addPass(createTileMaskExtents());
    return;
  }
  TileSplitOptions options;
  options.threads = 64;
  options.mostPerThread = 4;
  bool isOdd = StringRef("13579").contains(name.back());
  options.productSide = isOdd ? 24 : 16;
  options.productDepth = isOdd ? 12 : 4;
  options.columns = isOdd ? 24 : 16;
  passes.addPass(createTileSplit(options));
  passes.addPass(createTileMaskExtents());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
}

bool isSound(ModuleOp module, StringRef name) {
  OwningOpRef<ModuleOp> copy = module.clone();
  return runPasses(*copy, name, [](OpPassManager &passes) { passes.addPass(createTileCheckExtents()); });
}

/// What the driver would make a kernel of goes as far as LLVM, in at most `most` operations.
bool isLowered(ModuleOp module, StringRef name, int64_t most) {
  if (name.starts_with("s"))
    return true;
  OwningOpRef<ModuleOp> copy = module.clone();
  if (!runPasses(*copy, name, [](OpPassManager &passes) {
        driver::addLayoutPasses(passes);
        driver::addLoweringPasses(passes);
      }))
    return false;
  int64_t operations = 0;
  copy->walk([&](Operation *) { ++operations; });
  if (operations > most)
    llvm::outs() << name << ": its kernels have " << operations << " operations\n";
  return operations <= most;
}

/// What nobody wants has no form in C++.
void eraseDead(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  (void)runRegionDCE(rewriter, module->getRegions());
  for (bool changed = true; changed;) {
    changed = false;
    module.walk([&](Operation *op) {
      if (!isOpTriviallyDead(op))
        return;
      op->erase();
      changed = true;
    });
  }
}

void moveAll(ModuleOp from, ModuleOp to) {
  for (Operation &op : llvm::make_early_inc_range(*from.getBody())) {
    op.remove();
    to.push_back(&op);
  }
}

bool print(ModuleOp module, const std::string &output, const std::string &space) {
  for (auto entry : module.getOps<tile::EntryOp>())
    entry.setQualifiedName(space + "::" + entry.getSymName().str());
  std::string base = output + "." + space;
  stub::StubOptions options;
  options.headerName = llvm::sys::path::filename(base).str() + ".h";
  options.lineDirectives = false;
  options.splitOnCpu = space == "split";
  FailureOr<stub::Stub> text = stub::printStub(module, {}, options);
  if (failed(text))
    return false;
  for (auto [suffix, content] : {std::pair(".h", &text->header), {".cpp", &text->source}}) {
    std::string why;
    auto file = openOutputFile(base + suffix, &why);
    if (!file)
      return fail(why) == 0;
    file->os() << *content;
    file->keep();
  }
  return true;
}

} // namespace

int main(int argc, char **argv) {
  int64_t most = std::numeric_limits<int64_t>::max();
  if (argc < 3 || argc > 4 || (argc == 4 && StringRef(argv[3]).getAsInteger(10, most)))
    return fail("usage: tegula-fuzz-print FILE.mlir OUTPUT [MOST]");
  DialectRegistry registry;
  registry.insert<tile::TileDialect, arith::ArithDialect, scf::SCFDialect, ub::UBDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(argv[1], sources, &context);
  if (!module)
    return 1;

  Location loc = UnknownLoc::get(&context);
  OwningOpRef<ModuleOp> whole = ModuleOp::create(loc), split = ModuleOp::create(loc);
  for (auto entry : module->getOps<tile::EntryOp>()) {
    OwningOpRef<ModuleOp> alone = ModuleOp::create(loc);
    alone->push_back(entry->clone());
    if (!isSound(*alone, entry.getSymName()))
      continue;
    OwningOpRef<ModuleOp> cut = alone->clone();
    if (!runPasses(*cut, entry.getSymName(), [&](OpPassManager &passes) { addSplitting(entry.getSymName(), passes); }))
      continue;
    if (!isLowered(*cut, entry.getSymName(), most))
      continue;
    eraseDead(*alone);
    moveAll(*alone, *whole);
    moveAll(*cut, *split);
  }
  return print(*whole, argv[2], "whole") && print(*split, argv[2], "split") ? 0 : 1;
}
