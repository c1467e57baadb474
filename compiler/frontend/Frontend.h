// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a C++ file with kernels to tile IR.
#pragma once

#include "support/Warnings.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace tegula::frontend {

struct FrontendOptions {
  std::string input;
  /// What the input holds, where it can be read but once; else it is read from the file.
  std::optional<std::string> contents;
  /// -I, -D, -isystem, -include, -std, -W...: as for the clang driver.
  std::vector<std::string> clangArguments;
  /// Where Clang's own headers are (clang -print-resource-dir).
  std::string resourceDir;
  /// The folder that holds tegula/tegula.h.
  std::string includeDir;
  /// What precompileLanguage wrote for this folder or a copy of it, "" if there is none. It is used where it means the
  /// same as the header: the file includes that first, with the options that it was precompiled with, and the header
  /// has not changed.
  std::string precompiled;
  /// Compile tg::debug_check.
  bool debugChecks = false;
  /// How many begins and ends of tg::profile_scope each thread notes; 0: they are nothing.
  int64_t profileEvents = 0;
  /// Whether dependencies name the headers of the system and of Tegula, too: -MD, as opposed to -MMD.
  bool hasSystemDependencies = true;
  WarningLevels warnings;
};

struct FrontendResult {
  /// The entries of the file; null if there was an error.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// Every file that was read, the input among them.
  std::vector<std::string> dependencies;
  bool failed = false;
};

/// Parses the file and evaluates its entries. Messages go to `messages`, as Clang prints them, in colour on a terminal.
FrontendResult importFile(mlir::MLIRContext &context, const FrontendOptions &options, llvm::raw_ostream &messages);

/// Precompiles tegula/tegula.h, `options.input`, into a file that appears whole or not at all. False after an error.
bool precompileLanguage(const FrontendOptions &options, llvm::StringRef output, llvm::raw_ostream &messages);

} // namespace tegula::frontend
