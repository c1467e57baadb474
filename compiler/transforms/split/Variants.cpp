// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/Variants.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tegula::split {

namespace {
struct Name {
  llvm::StringLiteral name;
  bool Variants::*flag;
};
} // namespace

static constexpr Name table[] = {
    {"vector", &Variants::vector}, {"warp", &Variants::warp},       {"half", &Variants::half},
    {"block", &Variants::block},   {"cluster", &Variants::cluster}, {"small", &Variants::small},
    {"tensor", &Variants::tensor}, {"split-k", &Variants::splitK},  {"private", &Variants::isPrivate}};

std::optional<Variants> Variants::of(llvm::ArrayRef<std::string> names) {
  Variants variants;
  for (const Name &each : table)
    variants.*each.flag = false;
  for (const std::string &name : names) {
    if (name == "none")
      continue;
    const Name *found = llvm::find_if(table, [&](const Name &each) { return each.name == name; });
    if (found == std::end(table))
      return std::nullopt;
    variants.*found->flag = true;
  }
  return variants;
}

std::string Variants::names() {
  return llvm::join(llvm::map_range(table, [](const Name &each) { return each.name; }), ", ") + ", none";
}

} // namespace tegula::split
