// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tegulac's command line.
#pragma once

#include "support/Target.h"
#include "support/Warnings.h"

#include <optional>
#include <string>
#include <vector>

namespace tegula::driver {

/// What tegulac writes: a form that the kernels take, of tile IR first, the stub that holds them all, or the language's
/// header, precompiled.
enum class Emit { tile, tileSplit, tileExpanded, tileLayout, llvm, ptx, sass, cubin, resources, cpu, torch, stub, pch };

/// tegulac's exit status.
enum ExitCode {
  success = 0,
  invalidInput = 1,   ///< the kernels have errors
  invalidOptions = 2, ///< the command line has
  environment = 3,    ///< something outside is missing or fails: ptxas, libdevice, a file that cannot be written
};

struct Options {
  /// The code of a message to explain instead of compiling; "" for none.
  std::string explain;
  /// The kernel files, each of which is a run of its own. "-" is the standard input.
  std::vector<std::string> inputs;
  /// The one of this run.
  std::string input;
  /// As given with -o; "" if it was not. With several inputs, and where it is a folder or ends in '/', it is the folder
  /// that the outputs go to.
  std::string output;
  Emit emit = Emit::stub;
  bool keepUnchanged = false;
  /// Take PTX and cubins from <output>.cubins whose kernels are the same, and keep all of them there.
  bool reuseCubins = false;
  /// A stub holds PTX of each kernel and no cubins, and ptxas does not run.
  bool ptxOnly = false;
  /// Also write <output>.torch.cpp: operators torch.ops.<torchNamespace>.<entry>. "": none, but of --emit=torch.
  std::string torchNamespace;
  /// Also write <output>.c.h and <output>.c.cpp: C functions <prefix><entry>; "" for the prefix <output>_.
  std::optional<std::string> cPrefix;
  /// Nobody chose them, or all were asked for: those that cannot run the kernels are left out.
  bool hasDefaultTargets = false;
  std::vector<const Target *> targets;
  /// -I, -D, -isystem, -include, -std, -W... of Clang's groups and --clang-arg, in Clang's spelling.
  std::vector<std::string> clangArguments;
  WarningLevels warnings;
  bool writeDependencies = false;
  /// Dependencies on the headers of the system and of Tegula are written, too.
  bool hasSystemDependencies = true;
  /// A rule without a command for each header, so that make goes on where one was deleted.
  bool hasPhonyTargets = false;
  std::string dependencyFile;
  std::vector<std::string> dependencyTargets;
  /// --dump-ir: after every pass ("") or after one.
  std::optional<std::string> dumpAfter;
  bool timeReport = false;
  /// Say how every launch is split.
  bool splitRemarks = false;
  /// The kernels to make of a launch beside the general one, for those who measure what pays; none: the default ones.
  std::vector<std::string> splitVariants;
  /// Check the IR after every pass.
  bool verify = false;
  /// Source lines in PTX and cubins, for profilers and debuggers.
  bool lineInfo = false;
  /// Compile tg::debug_check.
  bool debugChecks = false;
  /// How many begins and ends of tg::profile_scope each thread of a launch notes.
  int64_t profileEvents = 0;
  /// Mark entries as visible outside a shared library.
  bool exportEntries = false;
  std::string ptxas, nvdisasm, libdevice, includeDir, resourceDir;
  /// The language's header, precompiled; "" to parse it.
  std::string precompiled;
};

/// Reads the command line. Without options, there is an exit status: help was printed, or an error.
struct ParsedOptions {
  std::optional<Options> options;
  int exitCode = 0;
};
ParsedOptions parseOptions(int argc, const char *const *argv);

} // namespace tegula::driver
