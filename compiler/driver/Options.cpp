// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/Options.h"

#include "driver/Completion.h"
#include "driver/Config.h"
#include "driver/Installation.h"
#include "driver/NativeTargets.h"
#include "driver/Spelling.h"
#include "driver/SupportMatrix.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string_view>

namespace tegula::driver {
namespace {

bool isNewStandard(std::string_view name) {
  static const std::string_view known[] = {"23", "2b", "26", "2c"};
  for (std::string_view prefix : {"c++", "gnu++"})
    if (name.starts_with(prefix))
      return std::find(std::begin(known), std::end(known), name.substr(prefix.size())) != std::end(known);
  return false;
}

/// What is wrong with options that are right by themselves; null if nothing is.
const char *contradiction(const Options &options) {
  if (!options.torchNamespace.empty() && options.emit != Emit::stub && options.emit != Emit::torch)
    return "--torch-namespace is for stubs and for --emit=torch: leave it out, or --emit";
  if (options.ptxOnly && options.emit != Emit::stub)
    return "--ptx-only is for stubs: leave it out, or --emit";
  if (options.cPrefix && options.emit != Emit::stub)
    return "--c-abi is for stubs: leave it out, or --emit";
  if (options.cPrefix && !options.cPrefix->empty() && options.inputs.size() > 1)
    return "--c-abi=<prefix> is for one kernel file, since functions of several would have one name: leave the prefix "
           "out, then each file has that of its name";
  if (options.emit == Emit::stub && options.output == "-")
    return "a stub consists of two files, a header and a source: name them, as in -o out/kernels";
  bool hasStdin = std::find(options.inputs.begin(), options.inputs.end(), "-") != options.inputs.end();
  if (options.emit == Emit::stub && hasStdin && (options.output.empty() || options.inputs.size() > 1))
    return "kernels that come from the standard input have no name for their stub: give -o a name, as in -o kernels";
  if (options.inputs.size() > 1 && !options.output.empty() && options.output != "-" && !options.output.ends_with("/"))
    return "several kernel files have several outputs: give -o a folder, as in -o out/";
  if (options.inputs.size() > 1 && (!options.dependencyFile.empty() || !options.dependencyTargets.empty()))
    return "-MF and -MT are for one kernel file: leave them out, then each dependency file is beside its output";
  if (!options.writeDependencies && (!options.dependencyFile.empty() || !options.dependencyTargets.empty()))
    return "-MF and -MT name the file of -MD and its targets: give -MD, too";
  if (!options.writeDependencies && options.hasPhonyTargets)
    return "-MP adds to the file of -MD: give -MD, too";
  return nullptr;
}

/// An option's value, else the environment's.
std::string orEnvironment(const std::string &given, const char *variable) {
  if (!given.empty())
    return given;
  const char *set = std::getenv(variable);
  return set ? set : "";
}

const std::map<std::string, Emit> emitNames = {
    {"tile", Emit::tile},
    {"tile-split", Emit::tileSplit},
    {"tile-expanded", Emit::tileExpanded},
    {"tile-layout", Emit::tileLayout},
    {"llvm", Emit::llvm},
    {"ptx", Emit::ptx},
    {"sass", Emit::sass},
    {"cubin", Emit::cubin},
    {"resources", Emit::resources},
    {"cpu", Emit::cpu},
    {"torch", Emit::torch},
    {"stub", Emit::stub},
    {"pch", Emit::pch},
};

constexpr const char *epilogue =
    "Without --emit: <output>.h and <output>.cpp, to be compiled by any C++17 compiler and linked with "
    "tegula_runtime.\n"
    "Warnings: -W<group>, -Wno-<group>, -Werror, -Werror=<group> and -w, with tegulac's groups (tegulac --explain "
    "warnings) and Clang's.\n"
    "@<file> stands for the arguments in the file.\n"
    "Exit status: 0 success, 1 errors in the kernels, 2 errors in the command line, 3 something outside is missing.";

/// What the command line says that Options does not say in the same words.
struct Arguments {
  std::vector<std::string> archs, includes, defines, systemIncludes, included, clangArguments;
  std::string standard, emit = "stub", dumpAfter, completion, cPrefix;
  bool writesUserDependencies = false, printsSupport = false;
  CLI::Option *dump = nullptr, *cAbi = nullptr;
};

void declareOptions(CLI::App &app, Options &options, Arguments &arguments) {
  app.footer(epilogue);
  app.set_version_flag("--version", std::string("tegulac " TEGULA_VERSION));
  app.add_option("kernels", options.inputs, "C++ files with kernels (or tile IR: *.mlir); - is the standard input");
  app.add_option("-o", options.output,
                 "Output, without suffix for a stub; with several inputs, and if it ends in '/', their folder "
                 "[<input>.tegula, in the working directory]");
  app.add_option("--arch", arguments.archs,
                 "GPU architectures, as sm_90a or sm_80,sm_90a; native: those of the GPUs here; all: all that can run "
                 "the kernels [sm_90a and sm_80]")
      ->take_all()
      ->delimiter(',');
  app.add_option(
         "--emit", arguments.emit,
         "What to write: tile, tile-split, tile-expanded, tile-layout, llvm, ptx, sass (by nvdisasm), cubin, resources "
         "(registers and spills, by kernel), cpu, torch (the entries as PyTorch operators), stub, or pch (of "
         "tegula/tegula.h)")
      ->check(CLI::IsMember(emitNames));
  app.add_option("-I", arguments.includes, "Search a folder for headers")->take_all();
  app.add_option("-D", arguments.defines, "Define a macro")->take_all();
  app.add_option("--isystem", arguments.systemIncludes, "Search a folder for system headers (-isystem)")->take_all();
  app.add_option("--include", arguments.included, "Include a file first (-include)")->take_all();
  app.add_option("--std", arguments.standard, "Language, C++23 or later (-std=c++23)");
  app.add_option("--clang-arg", arguments.clangArguments, "Pass one argument to Clang")->take_all();
  app.add_flag("--MD", options.writeDependencies, "Write a dependency file (-MD)");
  app.add_flag("--MMD", arguments.writesUserDependencies,
               "Write a dependency file without the headers of the system and of Tegula (-MMD)");
  app.add_flag("--MP", options.hasPhonyTargets, "With a rule for each header, so that one may be deleted (-MP)");
  app.add_option("--MF", options.dependencyFile, "Its name (-MF) [<output>.d]");
  app.add_option("--MT", options.dependencyTargets, "A target in it (-MT) [the output]")->take_all();
  app.add_flag("--keep-unchanged", options.keepUnchanged,
               "Leave alone what would stay the same: a build tool that compares times goes no further");
  app.add_flag("--reuse-cubins", options.reuseCubins,
               "Keep the code of a stub or of resources in <output>.cubins, too, and run LLVM and ptxas only for what "
               "has changed since");
  app.add_flag("--ptx-only", options.ptxOnly,
               "Embed PTX in a stub, and no cubins: ptxas does not run, and the driver compiles a kernel when it is "
               "launched first");
  app.add_option("--torch-namespace", options.torchNamespace,
                 "Write <output>.torch.cpp beside a stub: its entries as PyTorch operators torch.ops.<name>.<entry>");
  arguments.cAbi = app.add_flag("--c-abi{}", arguments.cPrefix,
                                "Write <output>.c.h and <output>.c.cpp beside a stub: its entries as C functions "
                                "<output>_<entry> over DLPack tensors, or, --c-abi=<prefix>, <prefix><entry>");
  app.add_option(
      "--pch", options.precompiled,
      "tegula/tegula.h as --emit=pch wrote it, or none [lib/tegula/language.pch beside tegulac's bin]; it is "
      "used by files that include the language first");
  arguments.dump = app.add_flag("--dump-ir{all}", arguments.dumpAfter,
                                "Print the IR after every pass, or, --dump-ir=<pass>, after the named one");
  app.add_flag("-g,--lineinfo", options.lineInfo, "Put source lines into PTX and cubins, which doubles their size");
  app.add_flag("--export-entries", options.exportEntries,
               "Make the entries visible outside a shared library that hides its symbols by default");
  app.add_flag("--debug-checks", options.debugChecks,
               "Compile tg::debug_check: calls wait for their launches, and throw what fails in a program");
  app.add_flag("--profile{256}", options.profileEvents,
               "Compile tg::profile_scope, for so many events of each thread: calls wait for their launches, and keep "
               "what tegula::write_trace writes")
      ->check(CLI::Range(1, 1 << 20));
  app.add_flag("--Rsplit", options.splitRemarks,
               "Say how every launch is split, and what keeps it from more (-Rsplit)");
  app.add_option("--split-variants", options.splitVariants)->delimiter(',')->group(""); // for benchmarks
  app.add_flag("--verify", options.verify, "Check the IR after every pass, for those who work on tegulac");
  app.add_flag("--time-report", options.timeReport, "Print how long each step took");
  app.add_option("--explain", options.explain, "Print what a message's code means, [tegula-<code>], and end");
  app.add_flag("--support-matrix", arguments.printsSupport, "Print what each architecture has, and end");
  app.add_option("--completion", arguments.completion, "Print the completion of a shell, and end: bash, zsh or fish")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  app.add_option("--ptxas", options.ptxas,
                 "The assembler [TEGULA_PTXAS, else that of the CUDA toolkit or of its wheels]");
  app.add_option("--nvdisasm", options.nvdisasm, "The disassembler [TEGULA_NVDISASM, else as for ptxas]");
  app.add_option("--libdevice", options.libdevice, "libdevice.10.bc [TEGULA_LIBDEVICE, else as for ptxas]");
  for (CLI::Option *option : app.get_options()) // One value each: what follows is the input.
    if (!option->get_positional())
      option->allow_extra_args(false);
}

/// Reports a mistake of the command line.
bool mistake(const std::string &message) {
  std::cerr << "tegulac: error: " << message << '\n';
  return false;
}

/// What CLI11 finds wrong, in one sentence.
std::string messageOf(const CLI::ParseError &error, const CLI::App &app) {
  std::vector<std::string> unknown = app.remaining();
  if (!dynamic_cast<const CLI::ExtrasError *>(&error) || unknown.empty())
    return error.what();
  return "there is no option '" + unknown.front() + "'" + suggestion(unknown.front(), optionNames(app));
}

/// The targets, or a mistake that has been reported.
bool findTargets(std::vector<std::string> archs, Options &options) {
  options.hasDefaultTargets = archs.empty();
  if (archs.empty())
    archs = {"sm_90a", "sm_80"};
  auto add = [&](const Target *target) {
    if (std::find(options.targets.begin(), options.targets.end(), target) == options.targets.end())
      options.targets.push_back(target);
  };
  for (const std::string &arch : archs) {
    if (arch == "all") {
      options.hasDefaultTargets = true;
      for (const Target &target : knownTargets())
        add(&target);
      continue;
    }
    if (arch == "native") {
      std::string why;
      std::vector<const Target *> found = nativeTargets(why);
      if (found.empty())
        return mistake("--arch native finds no architecture: " + why);
      std::for_each(found.begin(), found.end(), add);
      continue;
    }
    const Target *target = findTarget(arch);
    if (!target)
      return mistake(unknownTargetMessage(arch));
    add(target);
  }
  return true;
}

/// What Clang is given.
std::vector<std::string> clangArgumentsOf(const Arguments &arguments) {
  std::vector<std::string> result;
  auto pass = [&](const std::vector<std::string> &values, const std::string &flag, bool isJoined) {
    for (const std::string &value : values) {
      result.push_back(isJoined ? flag + value : flag);
      if (!isJoined)
        result.push_back(value);
    }
  };
  pass(arguments.includes, "-I", true);
  pass(arguments.systemIncludes, "-isystem", false);
  pass(arguments.defines, "-D", true);
  pass(arguments.included, "-include", false);
  if (!arguments.standard.empty())
    result.push_back("-std=" + arguments.standard);
  pass(arguments.clangArguments, "", true);
  return result;
}

/// Flags of warnings: tegulac's groups, and Clang's.
void applyWarnings(const std::vector<std::string> &flags, Options &options) {
  for (const std::string &flag : flags) {
    bool isOurs = options.warnings.apply(flag), isForAll = flag == "-w" || flag == "-Werror" || flag == "-Wno-error";
    if (!isOurs || isForAll)
      options.clangArguments.push_back(flag);
  }
}

} // namespace

ParsedOptions parseOptions(int argc, const char *const *argv) {
  Options options;
  Arguments arguments;
  CLI::App app("tegulac: compiles C++ tile kernels to C++ host stubs with embedded GPU code", "tegulac");
  declareOptions(app, options, arguments);
  Spelling spelling = spellingOf(argc, argv);
  if (!spelling.error.empty()) {
    mistake(spelling.error);
    return {std::nullopt, invalidOptions};
  }
  try {
    app.parse(spelling.arguments);
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() == 0) { // Help, or the version.
      app.exit(error, std::cout, std::cerr);
      return {std::nullopt, success};
    }
    mistake(messageOf(error, app));
    return {std::nullopt, invalidOptions};
  }
  if (arguments.printsSupport || !arguments.completion.empty()) {
    std::vector<std::string> forms;
    for (const auto &[name, form] : emitNames)
      forms.push_back(name);
    std::cout << (arguments.printsSupport ? supportMatrix() : completion(arguments.completion, app, forms));
    return {std::nullopt, success};
  }

  if (options.inputs.empty() && options.explain.empty()) {
    mistake("there is no kernel file: tegulac kernels.cpp -o out/kernels; tegulac --help lists the options");
    return {std::nullopt, invalidOptions};
  }
  options.emit = emitNames.at(arguments.emit);
  options.hasSystemDependencies = !arguments.writesUserDependencies || options.writeDependencies;
  options.writeDependencies |= arguments.writesUserDependencies;
  if (arguments.cAbi->count())
    options.cPrefix = arguments.cPrefix;
  if (const char *why = contradiction(options)) {
    mistake(why);
    return {std::nullopt, invalidOptions};
  }
  if (!arguments.standard.empty() && !isNewStandard(arguments.standard)) {
    mistake("kernels must be C++23 or later, not '" + arguments.standard + "': remove -std");
    return {std::nullopt, invalidOptions};
  }
  if (!findTargets(arguments.archs, options))
    return {std::nullopt, invalidOptions};
  options.clangArguments = clangArgumentsOf(arguments);
  applyWarnings(spelling.warningFlags, options);
  if (arguments.dump->count())
    options.dumpAfter = arguments.dumpAfter == "all" ? "" : arguments.dumpAfter;
  CudaFiles files = {orEnvironment(options.ptxas, "TEGULA_PTXAS"), orEnvironment(options.nvdisasm, "TEGULA_NVDISASM"),
                     orEnvironment(options.libdevice, "TEGULA_LIBDEVICE")};
  findCuda(files);
  options.ptxas = std::move(files.ptxas);
  options.nvdisasm = std::move(files.nvdisasm);
  options.libdevice = std::move(files.libdevice);
  options.resourceDir = clangResourceFolder();
  options.includeDir = languageFolder();
  if (options.precompiled.empty())
    options.precompiled = (installationPrefix() / TEGULA_LANGUAGE_PCH).string();
  else if (options.precompiled == "none")
    options.precompiled.clear();
  return {std::move(options), success};
}

} // namespace tegula::driver
