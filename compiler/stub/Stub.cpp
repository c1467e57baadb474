// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stub/Stub.h"

#include "ir/HostAttributes.h"
#include "stub/Host.h"
#include "stub/Images.h"
#include "stub/Kernels.h"

#include "tegula/abi_version.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;

namespace tegula::stub {

void printNotice(Writer &out, const std::string &kernelSource) {
  std::string source;
  for (char c : kernelSource) // A file may be called anything; the comment is one line.
    source += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  source = source.empty() ? "" : " from " + source;
  out.verbatim(notice.str() + source + ". Do not edit: changes are lost.");
}

static std::string sourceName(const StubOptions &options) {
  if (!options.sourceName.empty() && options.sourceName != "-")
    return options.sourceName;
  StringRef header = options.headerName;
  return header.empty() ? "(generated)" : header.substr(0, header.rfind('.')).str() + ".cpp";
}

/// Opens and closes namespaces so that what follows is in the right one.
namespace {
class Namespaces {
public:
  explicit Namespaces(Writer &out) : out(out) {}
  void enter(const std::string &space) {
    if (space == current)
      return;
    leave();
    current = space;
    if (!space.empty()) {
      out.line("namespace " + space + " {");
      out.blank();
    }
  }
  void leave() {
    if (!current.empty()) {
      out.line("} // namespace " + current);
      out.blank();
    }
    current.clear();
  }

private:
  Writer &out;
  std::string current;
};
} // namespace

static SmallVector<tile::EntryOp> entriesOf(ModuleOp module) { return llvm::to_vector(module.getOps<tile::EntryOp>()); }

/// Whether launches of it on the CPU run its plan.
static bool runsPlanOnCpu(tile::LaunchOp launch, const StubOptions &options) {
  return options.splitOnCpu && !launch.getPlan().empty() && !launch.isExplicit();
}

/// The CPU kernels that launches need; with `alsoUnsplit`, the bodies of all launches.
static LogicalResult printPrograms(Writer &out, ModuleOp module, const KernelNames &kernels, Names &names,
                                   const StubOptions &options, bool alsoUnsplit) {
  SourceFiles files;
  module.walk([&](Operation *op) {
    auto launch = op->getParentOfType<tile::LaunchOp>();
    if (isa<tile::SliceOp, tile::StridedSliceOp, tile::SubtileOp, tile::StoreOp>(op) || (launch && launch.isExplicit()))
      if (std::vector<Position> positions = positionsOf(op->getLoc()); !positions.empty())
        files.add(positions.front().file, names);
  });
  size_t begin = out.position();
  LogicalResult result = success();
  llvm::StringSet<> split;
  module.walk([&](tile::LaunchOp launch) {
    if (runsPlanOnCpu(launch, options))
      launch.getPlan().walk([&](tile::LaunchKernelOp inner) { split.insert(inner.getKernel()); });
    if ((alsoUnsplit || !runsPlanOnCpu(launch, options)) &&
        failed(printLaunchFunction(out, launch, kernels.ofLaunch(launch), files, names)))
      result = failure();
  });
  for (auto kernel : module.getOps<tile::KernelOp>())
    if (split.contains(kernel.getSymName()) && !kernel.getCluster() &&
        failed(printKernelFunction(out, kernel, kernels.onCpu(kernel.getSymName()), files, names)))
      result = failure();
  std::vector<std::string> declarations = files.declarations();
  if (!declarations.empty())
    declarations.push_back("");
  for (const std::string &line : llvm::reverse(declarations))
    out.insert(begin, line);
  return result;
}

/// What the CPU kernels of a module need.
static void printCpuIncludes(Writer &out, ModuleOp module) {
  out.line("#include \"tegula/abi.h\"");
  bool isExplicit = false;
  module.walk([&](tile::LaunchOp launch) { isExplicit |= launch.isExplicit(); });
  if (isExplicit)
    out.line("#include \"tegula/cpu/explicit.h\"");
  out.line("#include \"tegula/cpu/kernel.h\"");
  out.blank();
}

FailureOr<std::string> printCpu(ModuleOp module, const StubOptions &options) {
  Writer out(options.lineDirectives);
  Names names;
  KernelNames kernels(module, names);
  printNotice(out, options.kernelSource);
  printCpuIncludes(out, module);
  out.line("namespace tegula::" + kernels.getSpace() + " {");
  out.blank();
  if (failed(printPrograms(out, module, kernels, names, options, /*alsoUnsplit=*/true)))
    return failure();
  out.line("} // namespace tegula::" + kernels.getSpace());
  return out.finish(sourceName(options));
}

// ---- Header ---------------------------------------------------------------------------------------------------------

void printDoc(Writer &out, std::optional<StringRef> doc, StringRef marker) {
  if (!doc)
    return;
  SmallVector<StringRef> lines;
  doc->split(lines, '\n');
  for (StringRef line : lines) {
    line = line.rtrim(" \t\r\\"); // A backslash at the end would take the next line into the comment.
    out.verbatim(line.empty() ? marker.str() : (marker + " " + line).str());
  }
}

/// The headers of several kernel files may define it, of which a program includes all: the first one does. Where they
/// mean different structs of one name, the compiler says so.
static void printStruct(Writer &out, tile::EntryOp entry, const Signature &signature) {
  std::string members;
  for (auto [type, name] : llvm::zip(signature.resultTypes, signature.resultNames))
    members += type + " " + name + ";";
  const QualifiedName &structName = signature.resultStruct;
  // Letters beyond ASCII are part of names, colons are not.
  std::string guard = llvm::join(llvm::split(structName.text(), "::"), "_");
  guard = "TEGULA_STRUCT_" + guard + "_" + llvm::utohexstr(llvm::xxh3_64bits(members), /*LowerCase=*/true);
  out.verbatim("#ifndef " + guard);
  out.verbatim("#define " + guard);
  if (auto doc = entry->getAttrOfType<StringAttr>(tile::resultDoc))
    printDoc(out, doc.getValue());
  auto docs = entry->getAttrOfType<ArrayAttr>(tile::resultMemberDocs);
  out.open("struct " + structName.name);
  for (auto [i, type, name] : llvm::enumerate(signature.resultTypes, signature.resultNames)) {
    if (docs && i < docs.size() && !cast<StringAttr>(docs[i]).empty())
      printDoc(out, cast<StringAttr>(docs[i]).getValue(), "  ///");
    out.line(type + " " + name + ";");
  }
  out.close(";");
  out.verbatim("#endif");
  out.blank();
}

static std::string printHeader(ModuleOp module, const StubOptions &options) {
  Writer out(/*lineDirectives=*/false);
  printNotice(out, options.kernelSource);
  out.line("#pragma once");
  out.blank();
  out.line("#include \"tegula/runtime.h\"");
  out.blank();
  size_t begin = out.position();
  Namespaces namespaces(out);
  llvm::StringSet<> structs;
  for (tile::EntryOp entry : entriesOf(module)) {
    Signature signature(entry);
    const QualifiedName &structName = signature.resultStruct;
    if (signature.returnsStruct && structs.insert(structName.space + "::" + structName.name).second) {
      namespaces.enter(structName.space);
      printStruct(out, entry, signature);
    }
    namespaces.enter(signature.name.space);
    printDoc(out, entry.getDoc());
    out.line((signature.isVoid() ? "" : "[[nodiscard]] ") + std::string(options.exportEntries ? "TEGULA_EXPORT " : "") +
             signature.declaration(/*withDefaults=*/true) + ";");
    out.blank();
  }
  namespaces.leave();
  if (out.mentionsSince(begin, "std::numeric_limits")) { // In default arguments.
    out.insert(begin, "");
    out.insert(begin, "#include <limits>");
  }
  return out.finish(options.headerName);
}

// ---- Source ---------------------------------------------------------------------------------------------------------

/// The kernels that the entries launch.
static llvm::SetVector<StringRef> launchedKernels(ModuleOp module) {
  llvm::SetVector<StringRef> launched;
  module.walk([&](tile::LaunchKernelOp launch) { launched.insert(launch.getKernel()); });
  return launched;
}

/// What an abi::kernel is told of a kernel beyond its name.
static std::string resourcesOf(tile::KernelOp kernel) {
  int64_t sharedBytes = kernel.getSharedBytes().value_or(0), cluster = kernel.getCluster().value_or(1);
  if (sharedBytes == 0 && cluster == 1)
    return "";
  return ", /*shared_bytes=*/" + std::to_string(sharedBytes) + ", /*cluster=*/" + std::to_string(cluster);
}

/// Opens the namespace of what entries launch.
static void enterKernels(Writer &out, const KernelNames &kernels) {
  out.line("namespace tegula::" + kernels.getSpace() + " {");
  out.line("namespace {");
  out.blank();
}

static void leaveKernels(Writer &out, const KernelNames &kernels) {
  out.line("} // namespace");
  out.line("} // namespace tegula::" + kernels.getSpace());
}

/// The machine code is at the end of the file, where it is in nobody's way.
static void printGpuCode(Writer &out, ModuleOp module, ArrayRef<Image> images, const KernelNames &kernels,
                         const std::string &set, Names &names) {
  enterKernels(out, kernels);
  printImages(out, images, set, names);
  for (StringRef kernel : launchedKernels(module))
    out.line("abi::kernel " + kernels.onGpu(kernel) + "(" + set + ", \"" + kernel.str() + "\"" +
             resourcesOf(module.lookupSymbol<tile::KernelOp>(kernel)) + ");");
  out.blank();
  leaveKernels(out, kernels);
}

FailureOr<Stub> printStub(ModuleOp module, ArrayRef<Image> images, const StubOptions &options) {
  Writer out(options.lineDirectives);
  Names names;
  StringRef stem = StringRef(options.headerName).rsplit('.').first;
  KernelNames kernels(module, names, "of_" + identifier(stem));
  printNotice(out, options.kernelSource);
  out.line("#include \"" + options.headerName + "\"");
  out.blank();
  printCpuIncludes(out, module);
  out.line("static_assert(tegula::abi::version == " + std::to_string(abi::version) +
           ", \"this file was made for another version of Tegula: run its tegulac again\");");
  out.blank();
  enterKernels(out, kernels);
  if (failed(printPrograms(out, module, kernels, names, options, /*alsoUnsplit=*/false)))
    return failure();
  llvm::SetVector<StringRef> launched = launchedKernels(module);
  std::string set = names.unique("images");
  if (!images.empty() && !launched.empty()) {
    out.line("// Defined below.");
    out.line("extern abi::image_set<" + std::to_string(images.size()) + "> " + set + ";");
    for (StringRef kernel : launched)
      out.line("extern abi::kernel " + kernels.onGpu(kernel) + ";");
    out.blank();
  }
  leaveKernels(out, kernels);
  out.blank();
  Namespaces namespaces(out);
  for (tile::EntryOp entry : entriesOf(module)) {
    namespaces.enter(QualifiedName(entry.getQualifiedName()).space);
    if (failed(printEntry(out, entry, kernels, {!images.empty(), set, options.splitOnCpu})))
      return failure();
    out.blank();
  }
  namespaces.leave();
  if (!images.empty() && !launched.empty())
    printGpuCode(out, module, images, kernels, set, names);
  return Stub{printHeader(module, options), out.finish(sourceName(options))};
}

} // namespace tegula::stub
