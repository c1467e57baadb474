// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/diagnostics/Explanations.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

namespace tegula::frontend {

/// "%0 is a union" and "%select{a|b}1" without what Clang's engine puts there.
static std::string withoutArguments(llvm::StringRef text) {
  std::string result;
  while (!text.empty()) {
    auto [before, after] = text.split('%');
    result += before;
    if (before.size() == text.size())
      break;
    if (after.consume_front("%")) {
      result += '%';
    } else {
      after = after.drop_while(llvm::isAlpha);
      if (after.starts_with("{")) {
        auto [choices, rest] = after.drop_front().split('}');
        result += choices.split('|').first;
        after = rest;
      } else {
        result += "...";
      }
      after = after.drop_while(llvm::isDigit);
    }
    text = after;
  }
  return result;
}

std::vector<Explanation> explanations() {
  struct Text {
    llvm::StringRef cause, before, after;
  };
  llvm::StringMap<Text> texts;
  std::vector<std::pair<llvm::StringRef, llvm::StringRef>> checks;
#define TEGULA_EXPLANATION(code, cause, before, after) texts[code] = {cause, before, after};
#define TEGULA_CHECK_EXPLANATION(code, message, cause, before, after)                                                  \
  checks.emplace_back(code, message);                                                                                  \
  TEGULA_EXPLANATION(code, cause, before, after)
#include "frontend/diagnostics/Explanations.def"
#undef TEGULA_CHECK_EXPLANATION
#undef TEGULA_EXPLANATION
  std::vector<Explanation> result;
  auto add = [&](llvm::StringRef level, llvm::StringRef code, llvm::StringRef message) {
    if (code.empty())
      return;
    Text text = texts.lookup(code);
    result.push_back({code, level == "Warning", withoutArguments(message), text.cause, text.before, text.after});
  };
#define TEGULA_DIAGNOSTIC(level, enumerator, name, text) add(#level, name, text);
#include "frontend/diagnostics/Diagnostics.def"
#undef TEGULA_DIAGNOSTIC
  for (auto [code, message] : checks)
    add("Error", code, message);
  return result;
}

} // namespace tegula::frontend
