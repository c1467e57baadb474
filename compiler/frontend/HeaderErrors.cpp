// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/HeaderErrors.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/TextDiagnostic.h"

using namespace clang;

namespace tegula::frontend {

void HeaderErrors::HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic &info) {
  DiagnosticConsumer::HandleDiagnostic(level, info);
  if (level != DiagnosticsEngine::Note)
    flush();
  if (info.hasSourceManager()) {
    group.emplace_back(level, info);
    return;
  }
  llvm::SmallString<128> text; // Of the command line, not of the file.
  info.FormatDiagnostic(text);
  TextDiagnostic::printDiagnosticLevel(messages, level, options.ShowColors);
  messages << text << '\n';
}

bool HeaderErrors::isInHeader(const StoredDiagnostic &diagnostic) const {
  const FullSourceLoc &where = diagnostic.getLocation();
  return where.isValid() && where.getManager().isInSystemHeader(where);
}

/// Overloads are not how a user thinks of a slice: says what to write.
static StringRef betterMessage(StringRef message) {
  if (message.starts_with("no matching function for call to 'ds'"))
    return "the size in tg::ds<size>(start) must be known when the kernel is compiled: for a size known at run time, "
           "write "
           "tg::ds(start, size)";
  return message;
}

void HeaderErrors::flush() {
  if (group.empty())
    return;
  std::vector<StoredDiagnostic> current = std::move(group);
  group.clear();
  TextDiagnostic printer(messages, language, &options);
  StoredDiagnostic &main = current.front();
  StringRef message = betterMessage(main.getMessage());
  auto isUsers = [&](const StoredDiagnostic &note) { return !isInHeader(note); };
  size_t next = 1;
  if (isInHeader(main)) {
    auto user = std::find_if(current.begin() + 1, current.end(), isUsers);
    if (user != current.end()) {
      printer.emitDiagnostic(user->getLocation(), main.getLevel(), message, user->getRanges(), {});
      next = user - current.begin() + 1;
    } else {
      printer.emitDiagnostic(main.getLocation(), main.getLevel(), message, main.getRanges(), main.getFixIts());
    }
  } else {
    printer.emitDiagnostic(main.getLocation(), main.getLevel(), message, main.getRanges(), main.getFixIts());
  }
  // Why no function matches, only the header says.
  bool keepsAll = message == main.getMessage() && message.starts_with("no matching");
  for (const StoredDiagnostic &note : llvm::ArrayRef(current).drop_front(next))
    if (keepsAll || isUsers(note))
      printer.emitDiagnostic(note.getLocation(), note.getLevel(), note.getMessage(), note.getRanges(),
                             note.getFixIts());
}

} // namespace tegula::frontend
