// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/Explain.h"

#include "checks/Passes.h"
#include "driver/Spelling.h"
#include "frontend/diagnostics/Explanations.h"
#include "lower/Passes.h"
#include "transforms/Passes.h"

#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"

#include <array>
#include <utility>

namespace tegula::driver {

/// A text in lines of 80 columns, with what it keeps apart by blank lines.
static void printParagraphs(llvm::raw_ostream &out, llvm::StringRef text) {
  constexpr size_t width = 80;
  size_t column = 0;
  bool isBlank = false;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    llvm::SmallVector<llvm::StringRef> words;
    line.split(words, ' ', -1, /*KeepEmpty=*/false);
    if (words.empty()) {
      isBlank = column > 0;
      continue;
    }
    if (isBlank)
      out << "\n\n";
    if (isBlank)
      column = 0;
    isBlank = false;
    for (llvm::StringRef word : words) {
      bool breaks = column > 0 && column + 1 + word.size() > width;
      out << (breaks ? "\n" : column > 0 ? " " : "") << word;
      column = (breaks || column == 0 ? 0 : column + 1) + word.size();
    }
  }
  out << '\n';
}

static void printCode(llvm::raw_ostream &out, llvm::StringRef title, llvm::StringRef code) {
  out << '\n' << title << "\n\n";
  llvm::SmallVector<llvm::StringRef> lines;
  code.trim('\n').split(lines, '\n');
  for (llvm::StringRef line : lines)
    out << (line.empty() ? "" : "    ") << line << '\n';
}

static llvm::StringRef prefixOf(const frontend::Explanation &explanation) {
  return explanation.isWarning ? "-W" : "tegula-";
}

/// The examples of an explanation, with their titles.
static std::array<std::pair<llvm::StringRef, llvm::StringRef>, 2> examplesOf(const frontend::Explanation &explanation) {
  return {
      {{explanation.isWarning ? "Warned about:" : "Refused:", explanation.before}, {"Accepted:", explanation.after}}};
}

static void print(llvm::raw_ostream &out, const frontend::Explanation &explanation) {
  out << '[' << prefixOf(explanation) << explanation.code << "]\n\n";
  printParagraphs(out, explanation.message);
  if (!explanation.cause.empty()) {
    out << '\n';
    printParagraphs(out, explanation.cause);
  }
  for (auto [title, code] : examplesOf(explanation))
    if (!code.empty())
      printCode(out, title, code);
}

/// The same as a section of a page in Markdown.
static void printSection(llvm::raw_ostream &out, const frontend::Explanation &explanation) {
  out << "\n### " << prefixOf(explanation) << explanation.code << "\n\n" << explanation.message << "\n";
  if (!explanation.cause.empty())
    out << "\n" << explanation.cause << "\n";
  for (auto [title, code] : examplesOf(explanation))
    if (!code.empty())
      out << "\n" << title << "\n\n```cpp\n" << code.trim('\n') << "\n```\n";
}

/// All of them in Markdown.
static void printPage(llvm::raw_ostream &out, llvm::ArrayRef<frontend::Explanation> explanations) {
  out << "# Errors and warnings\n\nWhat the codes behind tegulac's messages mean: `tegulac --explain CODE` prints one "
         "of "
         "them. Messages without a code are Clang's.\n\n## Warnings\n\n| group | what it finds |\n|---|---|\n";
  for (const WarningGroup &group : warningGroups())
    out << "| `-W" << std::string(group.name) << "` | " << std::string(group.text) << " |\n";
  out << "\nEach example below is a kernel file without its first two lines, `#include <tegula/tegula.h>` and "
         "`namespace tg = tegula;`.\n";
  for (const WarningGroup &group : warningGroups())
    if (!group.advice.empty())
      out << "\n### -W" << std::string(group.name) << "\n\n" << std::string(group.advice) << "\n";
  for (const frontend::Explanation &each : explanations)
    if (each.isWarning)
      printSection(out, each);
  out << "\n## Errors\n";
  for (const frontend::Explanation &each : explanations)
    if (!each.isWarning)
      printSection(out, each);
}

static ExitCode explain(llvm::raw_ostream &out, const std::string &written) {
  llvm::StringRef code = llvm::StringRef(written).trim("[]");
  if (!code.consume_front("tegula-"))
    code.consume_front("-W");
  std::vector<frontend::Explanation> explanations = frontend::explanations();
  std::vector<std::string> known;
  for (const frontend::Explanation &explanation : explanations) {
    if (explanation.code == code) {
      print(out, explanation);
      return success;
    }
    known.push_back(explanation.code.str());
  }
  for (const WarningGroup &group : warningGroups()) {
    if (code == "warnings")
      out << "-W" << std::string(group.name) << ": " << std::string(group.text) << '\n';
    if (group.name == std::string_view(code)) {
      out << "[-W" << code << "]\n\n";
      printParagraphs(out, std::string(group.text));
      out << '\n';
      printParagraphs(out, std::string(group.advice));
      return success;
    }
    known.emplace_back(group.name);
  }
  registerTegulaChecksPasses();
  registerTegulaPasses();
  registerTegulaLowerPasses();
  if (const mlir::PassInfo *pass = mlir::PassInfo::lookup(("tile-" + code).str())) {
    out << "[tegula-" << code << "]\n\n";
    printParagraphs(out, pass->getPassDescription());
    return success;
  }
  if (code == "page") {
    printPage(out, explanations);
    return success;
  }
  if (code == "warnings")
    return success;
  if (code == "errors") {
    for (const frontend::Explanation &each : explanations)
      if (!each.isWarning)
        out << each.code << '\n';
    return success;
  }
  llvm::errs() << "tegulac: error: no message has the code '" << written << "'" << suggestion(written, known)
               << (suggestion(written, known).empty() ? "; --explain errors and --explain warnings list all" : "")
               << '\n';
  return invalidOptions;
}

ExitCode explain(const std::string &code) {
  ExitCode status = explain(llvm::outs(), code);
  llvm::outs().flush();
  return status;
}

} // namespace tegula::driver
