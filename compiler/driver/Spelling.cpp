// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/Spelling.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"

#include <algorithm>

namespace tegula::driver {

bool hasOneDash(const std::string &name) {
  static const char *const names[] = {"isystem", "include", "std", "MD", "MMD", "MP", "MF", "MT", "Rsplit"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

static std::string withTwoDashes(llvm::StringRef argument) {
  bool hasOne = argument.starts_with("-") && hasOneDash(argument.drop_front().split('=').first.str());
  return (hasOne ? "-" : "") + argument.str();
}

Spelling spellingOf(int argc, const char *const *argv) {
  Spelling result;
  llvm::BumpPtrAllocator allocator;
  llvm::SmallVector<const char *> arguments(argv + std::min(argc, 1), argv + argc);
  llvm::cl::ExpansionContext files(allocator, llvm::cl::TokenizeGNUCommandLine);
  if (llvm::Error error = files.expandResponseFiles(arguments))
    result.error = llvm::toString(std::move(error));
  // A file that is not there stays as it is written.
  for (const char *argument : arguments)
    if (llvm::StringRef(argument).starts_with("@") && result.error.empty())
      result.error = "the file of arguments, '" + std::string(argument + 1) + "', cannot be read";
  for (size_t i = 0; i + 1 < arguments.size(); ++i)
    if (llvm::StringRef(arguments[i]) == "--explain") { // A code may begin as an option does.
      arguments[i] = llvm::StringSaver(allocator).save("--explain=" + llvm::StringRef(arguments[i + 1])).data();
      arguments.erase(arguments.begin() + i + 1);
    }
  for (llvm::StringRef argument : llvm::reverse(arguments)) {
    bool isWarning = argument == "-w" || (argument.starts_with("-W") && argument.size() > 2);
    (isWarning ? result.warningFlags : result.arguments)
        .push_back(isWarning ? argument.str() : withTwoDashes(argument));
  }
  std::reverse(result.warningFlags.begin(), result.warningFlags.end());
  return result;
}

std::string suggestion(const std::string &written, const std::vector<std::string> &known) {
  llvm::StringRef name = llvm::StringRef(written).ltrim('-').split('=').first;
  const std::string *nearest = nullptr;
  unsigned least = std::max<unsigned>(1, name.size() / 3) + 1;
  for (const std::string &option : known)
    if (unsigned distance = name.edit_distance(llvm::StringRef(option).ltrim('-'), /*AllowReplacements=*/true, least);
        distance < least) {
      least = distance;
      nearest = &option;
    }
  return nearest ? "; did you mean " + *nearest + "?" : "";
}

} // namespace tegula::driver
