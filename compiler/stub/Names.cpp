// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stub/Names.h"

#include "ir/Locations.h"
#include "stub/Expr.h"
#include "support/CxxNames.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tegula::stub {

/// What is no name of a variable: generated code names the namespaces.
static bool isReserved(StringRef name) {
  std::string_view text(name.data(), name.size());
  return isCxxKeyword(text) || isHeaderMacro(text) || llvm::is_contained({"abi", "cpu", "std", "tegula"}, name);
}

bool isIdentifier(StringRef text) {
  auto isLetter = [](char c) { return llvm::isAlnum(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80; };
  return !text.empty() && !llvm::isDigit(text.front()) && llvm::all_of(text, isLetter) && !isReserved(text);
}

std::string identifier(StringRef text) {
  std::string result;
  for (char c : text) {
    if (!llvm::isAlnum(c))
      c = '_';
    if (c == '_' && (result.empty() || result.back() == '_')) // Two in a row, or one at the start, may be reserved.
      continue;
    result += c;
  }
  if (result.empty() || llvm::isDigit(result.front()))
    result = "v" + result;
  if (isReserved(result))
    result += result.back() == '_' ? "v" : "_";
  return result;
}

std::string Names::unique(StringRef hint) {
  std::string base = identifier(hint), name = base;
  for (unsigned i = 2; !used.insert(name).second; ++i)
    name = base + (base.back() == '_' ? "" : "_") + std::to_string(i);
  inOrder.push_back(name);
  return name;
}

std::string Names::forValue(Value value, StringRef otherwise) {
  StringRef name = tile::nameOf(value);
  if (!name.empty())
    return unique(name);
  if (!otherwise.empty())
    return unique(otherwise);
  unsigned i = 0;
  while (used.contains("v" + std::to_string(i)))
    ++i;
  return unique("v" + std::to_string(i));
}

void Names::release(ArrayRef<std::string> free) {
  for (const std::string &name : free) {
    used.erase(name);
    llvm::erase(inOrder, name);
  }
}

void SourceFiles::add(StringRef file, Names &names) {
  if (llvm::none_of(files, [&](const File &known) { return known.path == file; }))
    files.push_back({file.str(), names.unique(file.substr(file.rfind('/') + 1)), false});
}

std::string SourceFiles::use(StringRef file) {
  auto known = llvm::find_if(files, [&](const File &known) { return known.path == file; });
  if (known == files.end())
    return quoted(file);
  known->isUsed = true;
  return known->constant;
}

std::vector<std::string> SourceFiles::declarations() const {
  std::vector<std::string> lines;
  for (const File &file : files)
    if (file.isUsed)
      lines.push_back("constexpr const char *" + file.constant + " = " + quoted(file.path) + ";");
  return lines;
}

void Names::dropTo(size_t depth) {
  for (; inOrder.size() > depth; inOrder.pop_back())
    used.erase(inOrder.back());
}

} // namespace tegula::stub
