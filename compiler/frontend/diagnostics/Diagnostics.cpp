// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/diagnostics/Diagnostics.h"

#include "clang/AST/Decl.h"
#include "clang/Basic/DiagnosticIDs.h"

namespace tegula::frontend {

unsigned idOf(DiagnosticKind kind, clang::DiagnosticsEngine &diagnostics) {
  struct Entry {
    clang::DiagnosticIDs::Level level;
    llvm::StringLiteral name, text;
  };
  static constexpr Entry entries[] = {
#define TEGULA_DIAGNOSTIC(level, enumerator, name, text) {clang::DiagnosticIDs::level, name, text},
#include "frontend/diagnostics/Diagnostics.def"
#undef TEGULA_DIAGNOSTIC
  };
  const Entry &entry = entries[static_cast<int>(kind)];
  std::string text = entry.text.str();
  if (!entry.name.empty()) {
    bool isWarning = entry.level == clang::DiagnosticIDs::Warning; // Its name is its group.
    text += ((isWarning ? " [-W" : " [tegula-") + entry.name + "]").str();
  }
  return diagnostics.getDiagnosticIDs()->getCustomDiagID(entry.level, text);
}

Report::~Report() {
  builder.reset();
  for (const Call &call : calls) {
    auto note = diagnostics.Report(call.where, idOf(DiagnosticKind::InCall, diagnostics));
    note << call.callee;
  }
}

} // namespace tegula::frontend
