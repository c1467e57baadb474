// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ptxas as a process of its own: as a library (nvPTXCompiler, nvJitLink) it is not everywhere, or ignores setmaxnreg.
#include "codegen/Codegen.h"
#include "codegen/Process.h"
#include "codegen/TemporaryFile.h"
#include "support/Registers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <map>
#include <thread>
#include <utility>

namespace tegula::codegen {

static unsigned numberBefore(llvm::StringRef text, llvm::StringRef unit) {
  size_t at = text.find(unit);
  if (at == llvm::StringRef::npos)
    return 0;
  llvm::StringRef before = text.take_front(at).rtrim();
  unsigned value = 0;
  before.substr(before.find_last_not_of("0123456789") + 1).getAsInteger(10, value);
  return value;
}

void readAssemblerLog(llvm::StringRef log, Cubin &cubin) {
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef function;
  log.split(lines, '\n');
  for (llvm::StringRef line : lines) {
    if (size_t at = line.find("(C75"); at != llvm::StringRef::npos) {
      size_t end = line.find(')', at);
      cubin.remarks.push_back({line.slice(at + 1, end).str(), line.substr(end + 1).ltrim(" :").trim().str()});
    } else if (line.contains("Compiling entry function '")) {
      cubin.kernels.emplace_back().name = line.split('\'').second.split('\'').first.str();
    } else if (line.contains("Function properties for ")) {
      function = line.split("Function properties for ").second.trim();
    } else if (cubin.kernels.empty()) {
      continue;
    } else if (line.contains("bytes stack frame")) {
      // Functions that kernels call have lines of their own.
      if (!function.empty() && function != cubin.kernels.back().name)
        continue;
      KernelResources &kernel = cubin.kernels.back();
      kernel.stackBytes = numberBefore(line, "bytes stack frame");
      kernel.spillStoreBytes = numberBefore(line, "bytes spill stores");
      kernel.spillLoadBytes = numberBefore(line, "bytes spill loads");
    } else if (line.contains("Used ")) {
      cubin.kernels.back().registers = numberBefore(line, "registers");
    }
  }
}

char RefusedCode::ID = 0;

void RefusedCode::log(llvm::raw_ostream &stream) const {
  stream << "ptxas refuses the code for " << arch << ", which is a defect of tegulac or a ptxas older than the chip:";
  for (const RefusedLine &line : lines)
    stream << "\nin " << (line.kernel.empty() ? "the head" : line.kernel) << ", '" << line.text << "': " << line.why;
  stream << '\n' << llvm::StringRef(text).trim();
}

std::vector<RefusedLine> readRefusedLines(llvm::StringRef log, llvm::StringRef ptx) {
  // `ptxas a.ptx, line 11; error   : Unknown symbol '%q2'`: the first one of a line says most.
  std::map<unsigned, llvm::StringRef> reasons;
  llvm::SmallVector<llvm::StringRef> messages, lines;
  log.split(messages, '\n');
  for (llvm::StringRef message : messages) {
    llvm::StringRef rest = message.split(", line ").second;
    unsigned number = 0;
    if (rest.consumeInteger(10, number) || !rest.consume_front("; "))
      continue;
    auto [kind, why] = rest.split(':');
    if (kind.starts_with("error") || kind.starts_with("fatal"))
      reasons.emplace(number, why.trim());
  }
  ptx.split(lines, '\n');
  std::vector<RefusedLine> refused;
  llvm::StringRef kernel;
  for (auto [i, line] : llvm::enumerate(lines)) {
    if (line.starts_with(".visible .entry "))
      kernel = line.drop_front(16).take_until([](char c) { return c == '('; });
    if (auto reason = reasons.find(static_cast<unsigned>(i + 1)); reason != reasons.end())
      refused.push_back({kernel.str(), line.trim().str(), reason->second.str()});
    if (line == "}")
      kernel = {};
  }
  return refused;
}

static llvm::Expected<Cubin> runPtxas(const AssemblyJob &job, llvm::StringRef ptxas) {
  std::string arch = std::string(job.target->name);
  TemporaryFile input("ptx"), output("cubin"), log("txt");
  for (TemporaryFile *file : {&input, &output, &log})
    if (std::error_code error = file->getError())
      return llvm::createStringError("no temporary file for ptxas: " + error.message() +
                                     ": name a folder for such files in TMPDIR");
  if (std::error_code error = input.write(job.ptx))
    return llvm::createStringError("'" + input.getPath() +
                                   "', the input of ptxas, cannot be written: " + error.message());

  // Lines cost no code, but ptxas puts a copy of the whole PTX beside them: only where the PTX has any.
  std::string archOption = "-arch=" + arch;
  llvm::SmallVector<llvm::StringRef> arguments = {ptxas, archOption, "-v", input.getPath(), "-o", output.getPath()};
  if (job.ptx.contains("\t.loc\t"))
    arguments.push_back("-lineinfo");
  std::string why;
  int status = runProgram(arguments, log.getPath(), why);
  std::string text = log.read();
  if (status == neverRan)
    return llvm::createStringError("ptxas ('" + ptxas + "') cannot be run: " + why +
                                   "; install a CUDA toolkit, or name its ptxas in TEGULA_PTXAS");
  if (status == wasEnded)
    return llvm::createStringError("ptxas ('" + ptxas + "') did not finish: " + why);
  if (status != 0)
    return llvm::make_error<RefusedCode>(arch, readRefusedLines(text, job.ptx), text);
  Cubin cubin;
  cubin.image = output.read();
  if (cubin.image.empty())
    return llvm::createStringError("'" + ptxas + "' wrote no cubin: name the ptxas of a CUDA toolkit in TEGULA_PTXAS");
  readAssemblerLog(text, cubin);
  return cubin;
}

// ---- Kernels that spill ---------------------------------------------------------------------------------------------

std::string withLeastBlocks(llvm::StringRef ptx, const llvm::StringMap<unsigned> &blocks) {
  std::string text;
  auto found = blocks.end();
  bool isTold = false;
  while (!ptx.empty()) {
    auto [line, rest] = ptx.split('\n');
    bool isLast = rest.empty() && !ptx.ends_with("\n");
    ptx = rest;
    if (isTold && line.starts_with(".minnctapersm ")) // What it was told before.
      continue;
    isTold = false;
    text += line;
    if (!isLast)
      text += '\n';
    if (line.starts_with(".visible .entry "))
      found = blocks.find(line.drop_front(16).take_until([](char c) { return c == '('; }));
    if (found != blocks.end() && line.starts_with(".reqntid ")) {
      text += ".minnctapersm " + std::to_string(found->second) + "\n";
      found = blocks.end();
      isTold = true;
    }
  }
  return text;
}

namespace {
/// What the head of a kernel says; 0 is nothing.
struct KernelHead {
  unsigned threads = 0;     ///< of a block
  unsigned leastBlocks = 0; ///< that a multiprocessor shall hold
  unsigned registers = 0;   ///< of a thread, which the program sets
};
} // namespace

static KernelHead headOf(llvm::StringRef ptx, llvm::StringRef kernel) {
  llvm::StringRef head = ptx.split((".visible .entry " + kernel + "(").str()).second.split("\n{").first;
  auto numberOf = [&](llvm::StringRef directive) {
    unsigned number = 0;
    head.split(directive).second.consumeInteger(10, number);
    return number;
  };
  return {numberOf("\n.reqntid "), numberOf("\n.minnctapersm "), numberOf("\n.maxnreg ")};
}

/// The blocks of so many threads that a multiprocessor holds, of the registers that each thread has.
static unsigned blocksWith(unsigned registers, unsigned threads) {
  return registersOfMultiprocessor / static_cast<unsigned>(llvm::alignTo(registers, registerGranule) * threads);
}

/// The registers that each thread has where a multiprocessor holds so many blocks of so many threads.
static unsigned registersWith(unsigned blocks, unsigned threads) {
  return std::min(registersOfMultiprocessor / (blocks * threads), registersOfThread) / registerGranule *
         registerGranule;
}

/// The next number of blocks below one for which each thread can have more registers; 0 if there is none.
static unsigned fewerBlocks(unsigned blocks, unsigned threads) {
  unsigned registers = registersWith(blocks, threads);
  do
    --blocks;
  while (blocks > 0 && registersWith(blocks, threads) == registers);
  return blocks;
}

/// So many registers of a thread ptxas finds elsewhere without spilling, nearly always.
static constexpr unsigned savedRegisters = 4;
/// One more block of that many makes no difference.
static constexpr unsigned enoughBlocks = 4;

/// A kernel that stores more bytes than this for each register that it would gain spills with that gain, too: of
/// samples those with 296 bytes for 16 registers do, those with 260 need not.
static constexpr unsigned hopelessBytes = 18;

/// The number of blocks to tell a kernel after one with which it stored so many bytes of what it spilled; 0 if there is
/// none.
static unsigned blocksAfter(unsigned blocks, unsigned threads, unsigned storedBytes) {
  unsigned next = fewerBlocks(blocks, threads);
  while (next > 1 && storedBytes > hopelessBytes * (registersWith(next, threads) - registersWith(blocks, threads)))
    next = fewerBlocks(next, threads);
  return next;
}

namespace {
/// A kernel that is assembled again: the bytes that it spilled at the least, the blocks to tell it next, the fewest
/// that it may be told, and those it was told when it spilled least (0: none).
struct Trial {
  unsigned threads, spilled, next, fewest, best = 0;

  bool isSettled() const { return spilled == 0 || next < fewest; }
  /// Takes what came of `next` blocks; true if nothing served better before.
  bool record(const KernelResources &kernel) {
    unsigned told = std::exchange(next, blocksAfter(next, threads, kernel.spillStoreBytes));
    unsigned bytes = kernel.spillStoreBytes + kernel.spillLoadBytes;
    if (bytes >= spilled)
      return false;
    spilled = bytes;
    best = told;
    return true;
  }
};
} // namespace

/// What to try with a kernel; none if it is good as it is.
static std::optional<Trial> trialOf(const KernelResources &kernel, const KernelHead &head) {
  unsigned threads = head.threads;
  if (kernel.registers == 0 || threads == 0) // The log or the PTX does not say: ptxas' choice stands.
    return std::nullopt;
  if (head.registers > 0) // The program's choice stands.
    return std::nullopt;
  unsigned blocks = blocksWith(kernel.registers, threads);
  if (unsigned spilled = kernel.spillStoreBytes + kernel.spillLoadBytes) {
    bool isTold = blocks > 0 && blocks == head.leastBlocks; // ptxas would do the same once more.
    return Trial{threads, spilled, isTold ? blocksAfter(blocks, threads, kernel.spillStoreBytes) : blocks, 1};
  }
  // Whatever it spills with one more, it is worse than now.
  bool isClose = kernel.registers > savedRegisters && blocksWith(kernel.registers - savedRegisters, threads) > blocks;
  if (isClose && blocks < enoughBlocks)
    return Trial{threads, 1, blocks + 1, blocks + 1};
  return std::nullopt;
}

/// How often each kernel of a part is assembled again, and what that gave.
using Trials = llvm::StringMap<Trial>;

static Trials trialsOf(const AssemblyJob &job, const Cubin &whole) {
  Trials trials;
  for (const KernelResources &kernel : whole.kernels)
    if (std::optional<Trial> trial = trialOf(kernel, headOf(job.ptx, kernel.name)))
      trials[kernel.name] = *trial;
  return trials;
}

/// Takes from a cubin the kernels that are not for it.
static void keepKernels(Cubin &cubin, llvm::function_ref<bool(const KernelResources &)> isFor) {
  llvm::erase_if(cubin.kernels, [&](const KernelResources &kernel) { return !isFor(kernel); });
}

/// ptxas decides by itself how many blocks of a kernel a multiprocessor shall hold, and sometimes spills at the end in
/// order to get there, or needs a few registers too many for another block. Such kernels are assembled again, without
/// the others, and told how many to have, which ptxas then plans for: as many, if they were not told that before, then
/// fewer, until nothing is spilled; or one more. What served best stays as it is, beside the others; if there is to be
/// one cubin, all are assembled together, each told that, unless just that was done before.
static llvm::Expected<Cubins> assembleOne(const AssemblyJob &job, llvm::StringRef ptxas) {
  llvm::Expected<Cubin> whole = runPtxas(job, ptxas);
  if (!whole)
    return whole.takeError();
  Trials trials = trialsOf(job, *whole);
  llvm::StringMap<size_t> runs;  // By their texts.
  llvm::StringMap<size_t> runOf; // Which run gave the best of each kernel.
  Cubins tried;
  while (!llvm::all_of(trials, [](const auto &entry) { return entry.second.isSettled(); })) {
    llvm::StringMap<unsigned> told;
    for (auto &entry : trials)
      if (!entry.second.isSettled())
        told[entry.first()] = entry.second.next;
    std::string text = withLeastBlocks(onlyKernels(job.ptx, told), told);
    llvm::Expected<Cubin> part = runPtxas({text, job.target}, ptxas);
    if (!part)
      return part.takeError();
    for (auto &entry : told) {
      auto kernel = llvm::find_if(part->kernels, [&](auto &kernel) { return kernel.name == entry.first(); });
      Trial &trial = trials[entry.first()];
      if (kernel == part->kernels.end()) // The log does not say: what there is stands.
        trial.next = 0;
      else if (trial.record(*kernel))
        runOf[entry.first()] = tried.size();
    }
    runs[text] = tried.size();
    tried.push_back(std::move(*part));
  }
  Cubins cubins;
  if (runOf.empty() || job.mayDivide) {
    keepKernels(*whole, [&](const KernelResources &kernel) { return !runOf.contains(kernel.name); });
    if (runOf.empty() || !whole->kernels.empty())
      cubins.push_back(std::move(*whole));
    for (auto [i, part] : llvm::enumerate(tried)) {
      keepKernels(part, [&](const KernelResources &kernel) {
        auto run = runOf.find(kernel.name);
        return run != runOf.end() && run->second == i;
      });
      if (!part.kernels.empty())
        cubins.push_back(std::move(part));
    }
    return cubins;
  }
  llvm::StringMap<unsigned> best;
  for (auto &entry : runOf)
    best[entry.first()] = trials[entry.first()].best;
  std::string text = withLeastBlocks(job.ptx, best);
  if (auto same = runs.find(text); same != runs.end()) {
    cubins.push_back(std::move(tried[same->second]));
    return cubins;
  }
  llvm::Expected<Cubin> together = runPtxas({text, job.target}, ptxas);
  if (!together)
    return together.takeError();
  cubins.push_back(std::move(*together));
  return cubins;
}

llvm::Expected<std::vector<Cubins>> assemble(llvm::ArrayRef<AssemblyJob> jobs, llvm::StringRef ptxas) {
  if (ptxas.empty())
    return llvm::createStringError(
        "ptxas is needed for cubins, and none was found in CUDA_HOME, on PATH or in "
        "/usr/local/cuda: install a CUDA toolkit (PyPI: nvidia-cuda-nvcc), name its ptxas in "
        "TEGULA_PTXAS, or ask for --emit=ptx");
  if (!llvm::sys::fs::can_execute(ptxas))
    return llvm::createStringError("ptxas is needed for cubins, and there is no program '" + ptxas +
                                   "': install a CUDA toolkit, name its ptxas in TEGULA_PTXAS, or ask for --emit=ptx");
  std::vector<std::optional<llvm::Expected<Cubins>>> results(jobs.size());
  // The longest first: the others fill what is left of the time.
  llvm::SmallVector<size_t> order(llvm::to_vector(llvm::seq(jobs.size())));
  llvm::sort(order,
             [&](size_t a, size_t b) { return std::pair(jobs[b].ptx.size(), a) < std::pair(jobs[a].ptx.size(), b); });
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t i = next++; i < jobs.size(); i = next++)
      results[order[i]].emplace(assembleOne(jobs[order[i]], ptxas));
  };
  std::vector<std::thread> threads;
  for (size_t i = 1; i < std::min<size_t>(std::thread::hardware_concurrency(), jobs.size()); ++i)
    threads.emplace_back(work);
  work();
  for (std::thread &thread : threads)
    thread.join();

  std::vector<Cubins> cubins;
  llvm::Error error = llvm::Error::success();
  for (std::optional<llvm::Expected<Cubins>> &result : results) {
    if (*result)
      cubins.push_back(std::move(**result));
    else if (llvm::Error own = result->takeError(); !error)
      error = std::move(own);
    else
      llvm::consumeError(std::move(own));
  }
  if (error)
    return error;
  return cubins;
}

} // namespace tegula::codegen
