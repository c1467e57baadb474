// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX for several targets, on all processors: LLVM's time is most of the compiler's. The kernels of a module are dealt
// to parts of about equal size, which go through LLVM on their own and are put together as text.
#include "codegen/Codegen.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/bit.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"

#include <atomic>
#include <thread>

namespace tegula::codegen {

// The number of parts depends on the module alone, not on the machine: so does the text.
static constexpr size_t instructionsPerPart = 1000, mostParts = 8;

/// Which of `parts` parts each kernel belongs to.
static llvm::StringMap<unsigned> deal(const llvm::Module &module, size_t &parts) {
  llvm::SmallVector<std::pair<size_t, const llvm::Function *>> functions;
  size_t total = 0;
  for (const llvm::Function &function : module)
    if (!function.isDeclaration() && !function.hasLocalLinkage()) {
      functions.emplace_back(function.getInstructionCount(), &function);
      total += functions.back().first;
    }
  parts = llvm::bit_floor(std::clamp(total / instructionsPerPart, size_t(1), mostParts));
  parts = std::min<size_t>(parts, std::max<size_t>(functions.size(), 1));
  // The largest first, each to the part that is smallest then.
  llvm::sort(functions, [](const auto &a, const auto &b) {
    return std::pair(b.first, a.second->getName()) < std::pair(a.first, b.second->getName());
  });
  llvm::SmallVector<size_t> sizes(parts, 0);
  llvm::StringMap<unsigned> partOf;
  for (auto [size, function] : functions) {
    unsigned part = static_cast<unsigned>(llvm::min_element(sizes) - sizes.begin());
    partOf[function->getName()] = part;
    sizes[part] += size;
  }
  return partOf;
}

/// The module as bitcode, of which each part reads its own.
static llvm::SmallVector<char, 0> write(const llvm::Module &module) {
  llvm::SmallVector<char, 0> bitcode;
  llvm::BitcodeWriter writer(bitcode);
  writer.writeModule(module);
  writer.writeSymtab();
  writer.writeStrtab();
  return bitcode;
}

/// Whether a kernel of these classes is for a target.
static bool isFor(llvm::StringRef classes, const Target &target) {
  llvm::SmallVector<llvm::StringRef> names;
  classes.split(names, ',');
  return llvm::is_contained(names, llvm::StringRef(target.archClass->name.data(), target.archClass->name.size()));
}

/// The module with the kernels of one part alone, and with what kernels call.
static llvm::Expected<std::unique_ptr<llvm::Module>> readPart(const LinkedKernels &kernels, unsigned part,
                                                              const Target &target, llvm::LLVMContext &context) {
  auto module =
      llvm::getLazyBitcodeModule({llvm::StringRef(kernels.bitcode.data(), kernels.bitcode.size()), "kernels"}, context);
  if (!module)
    return module;
  for (llvm::Function &function : **module)
    if (auto own = kernels.partOf.find(function.getName()); own != kernels.partOf.end() && own->second != part)
      function.deleteBody();
  if (llvm::Error error = (*module)->materializeAll())
    return error;
  for (auto &[name, classes] : kernels.classesOf)
    if (llvm::Function *function = (*module)->getFunction(name); function && !isFor(classes, target))
      function->eraseFromParent();
  return module;
}

static llvm::Expected<std::string> compilePart(const LinkedKernels &kernels, unsigned part, const Target &target) {
  llvm::LLVMContext context;
  auto module = readPart(kernels, part, target, context);
  if (!module)
    return module.takeError();
  if (llvm::Error error = optimize(**module, target))
    return error;
  if (part > 0) // What parts have of their own must have names of its own.
    for (llvm::GlobalValue &value : (*module)->global_values())
      if (value.hasLocalLinkage())
        value.setName(value.getName() + "_part" + std::to_string(part));
  return emitPtx(**module, target);
}

// ---- Putting texts together -----------------------------------------------------------------------------------------

namespace {
/// Collects the lines of several PTX modules: one head, one table of files, each external function declared once.
class Joiner {
public:
  void add(llvm::StringRef ptx);
  std::string take();

private:
  unsigned fileNumber(llvm::StringRef name);

  std::string text;
  llvm::StringMap<unsigned> files;
  std::vector<std::string> fileNames;
  llvm::StringSet<llvm::MallocAllocator> declared;
};
} // namespace

unsigned Joiner::fileNumber(llvm::StringRef name) {
  auto [entry, isNew] = files.try_emplace(name, fileNames.size() + 1);
  if (isNew)
    fileNames.push_back(name.str());
  return entry->second;
}

void Joiner::add(llvm::StringRef ptx) {
  // `.file 1 "kernels.cpp"` comes behind the lines that speak of file 1.
  llvm::SmallVector<llvm::StringRef> lines;
  ptx.split(lines, '\n');
  llvm::DenseMap<unsigned, unsigned> renumbered;
  for (llvm::StringRef line : lines)
    if (line.consume_front("\t.file\t")) {
      unsigned number = 0;
      line.consumeInteger(10, number);
      renumbered[number] = fileNumber(line.trim());
    }
  bool isHead = true, skipsDeclaration = false, isFirst = text.empty();
  for (llvm::StringRef line : lines) {
    llvm::StringRef rest = line;
    unsigned number = 0;
    if (isHead && !isFirst) {
      isHead = !line.starts_with(".address_size");
    } else if (skipsDeclaration) {
      skipsDeclaration = !line.ends_with(";");
    } else if (line.starts_with(".extern") &&
               !declared.insert(line.take_until([](char c) { return c == '('; })).second) {
      skipsDeclaration = !line.ends_with(";");
    } else if (rest.consume_front("\t.loc\t") && !rest.consumeInteger(10, number)) {
      text += "\t.loc\t" + std::to_string(renumbered.lookup(number)) + rest.str() + "\n";
    } else if (!line.starts_with("\t.file\t")) {
      // LLVM numbers calls in comments, in the order in which the threads come by.
      text += line.split(" // callseq").first.str() + "\n";
    }
  }
}

std::string Joiner::take() {
  for (const std::string &name : fileNames)
    text += "\t.file\t" + std::to_string(fileNumber(name)) + " " + name + "\n";
  return std::move(text);
}

// ---- Targets --------------------------------------------------------------------------------------------------------

llvm::Expected<LinkedKernels> linkKernels(llvm::Module &module, const Target &anyTarget, llvm::StringRef libdevice) {
  if (llvm::Error error = link(module, anyTarget, libdevice))
    return error;
  LinkedKernels kernels;
  kernels.partOf = deal(module, kernels.parts);
  for (llvm::Function &function : module)
    if (llvm::Attribute classes = function.getFnAttribute(classesAttribute); classes.isValid())
      kernels.classesOf[function.getName()] = classes.getValueAsString();
  kernels.bitcode = write(module);
  return kernels;
}

llvm::Expected<std::vector<std::string>> compileToPtx(const LinkedKernels &kernels,
                                                      llvm::ArrayRef<const Target *> targets) {
  llvm::SmallVector<const Target *> generated;
  llvm::SmallVector<size_t> sourceOf;
  for (const Target *target : targets) {
    auto same = llvm::find_if(generated, [&](const Target *other) {
      return other->llvmCpu == target->llvmCpu && other->llvmFeatures == target->llvmFeatures &&
             llvm::all_of(kernels.classesOf, [&](const auto &kernel) {
               return isFor(kernel.second, *other) == isFor(kernel.second, *target);
             });
    });
    sourceOf.push_back(same - generated.begin());
    if (same == generated.end())
      generated.push_back(target);
  }
  size_t parts = kernels.parts;
  size_t jobs = generated.size() * parts;
  std::vector<std::optional<llvm::Expected<std::string>>> results(jobs);
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t job = next++; job < jobs; job = next++)
      results[job].emplace(compilePart(kernels, job % parts, *generated[job / parts]));
  };
  std::vector<std::thread> threads;
  for (size_t i = 1; i < std::min<size_t>(std::thread::hardware_concurrency(), jobs); ++i)
    threads.emplace_back(work);
  work();
  for (std::thread &thread : threads)
    thread.join();

  std::vector<std::string> texts;
  llvm::Error failure = llvm::Error::success();
  for (size_t i = 0; i < generated.size(); ++i) {
    Joiner joiner;
    for (unsigned part = 0; part < parts; ++part)
      if (llvm::Expected<std::string> &ptx = *results[i * parts + part])
        joiner.add(*ptx);
      else
        failure = llvm::joinErrors(std::move(failure), ptx.takeError());
    texts.push_back(joiner.take());
  }
  if (failure)
    return failure;
  std::vector<std::string> ptx;
  for (auto [target, source] : llvm::zip(targets, sourceOf))
    ptx.push_back(reheadPtx(texts[source], *target));
  return ptx;
}

} // namespace tegula::codegen
