// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A command line as compilers have it, as CLI11 reads it.
#pragma once

#include <string>
#include <vector>

namespace tegula::driver {

struct Spelling {
  /// For CLI11, which takes them last first. Long options of one dash, -MD, have two.
  std::vector<std::string> arguments;
  /// -w, -Werror, -W<group>, ...
  std::vector<std::string> warningFlags;
  /// Of a file of arguments, @file, that cannot be read; else empty.
  std::string error;
};

/// @file stands for the arguments in the file, separated by white space, quoted as for a shell.
Spelling spellingOf(int argc, const char *const *argv);

/// Whether a long option is written with one dash, as compilers have it: "MD".
bool hasOneDash(const std::string &name);

/// "-MDD", of which `known` are the options: "; did you mean -MD?", or "" if none is near.
std::string suggestion(const std::string &written, const std::vector<std::string> &known);

} // namespace tegula::driver
