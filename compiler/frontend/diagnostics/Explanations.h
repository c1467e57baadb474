// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the codes of the frontend's messages mean: for `tegulac --explain` and the page of errors.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace tegula::frontend {

struct Explanation {
  llvm::StringRef code;
  /// Its mark is [-W<code>], not [tegula-<code>].
  bool isWarning = false;
  /// As it is printed, with "..." for what it names.
  std::string message;
  /// Why that is refused; "" where the message says it.
  llvm::StringRef cause;
  /// A kernel file that is refused, and what to write instead, without #include <tegula/tegula.h> and namespace tg =
  /// tegula; "" where there is no example.
  llvm::StringRef before, after;
};

/// One for each code, in the order of Diagnostics.def.
std::vector<Explanation> explanations();

} // namespace tegula::frontend
