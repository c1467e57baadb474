// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The messages of the frontend, which Clang's diagnostics engine prints at the user's code.
#pragma once

#include "clang/AST/Decl.h"
#include "clang/Basic/Diagnostic.h"

#include <optional>

namespace tegula::frontend {

enum class DiagnosticKind {
#define TEGULA_DIAGNOSTIC(level, enumerator, name, text) enumerator,
#include "frontend/diagnostics/Diagnostics.def"
#undef TEGULA_DIAGNOSTIC
};

/// The id under which Clang's engine knows the message. Its text ends with the name, in brackets.
unsigned idOf(DiagnosticKind kind, clang::DiagnosticsEngine &diagnostics);

/// A message that is being built: arguments by <<. It is printed at the end of the expression, and then notes say
/// through which calls the code was reached.
class Report {
public:
  struct Call {
    clang::SourceLocation where;
    const clang::NamedDecl *callee;
  };
  struct Position {
    clang::SourceLocation where;
    llvm::SmallVector<Call> calls;
  };
  Report(clang::DiagnosticsEngine &diagnostics, const Position &position, DiagnosticKind kind)
      : diagnostics(diagnostics), calls(position.calls),
        builder(diagnostics.Report(position.where, idOf(kind, diagnostics))) {}
  /// A message that was printed before: nothing.
  explicit Report(clang::DiagnosticsEngine &diagnostics) : diagnostics(diagnostics) {}
  Report(Report &&) = delete;
  ~Report();

  template <class T> Report &operator<<(const T &argument) {
    if (builder)
      *builder << argument;
    return *this;
  }
  Report &operator<<(int64_t number) { return *this << llvm::StringRef(std::to_string(number)); }
  Report &operator<<(const std::string &text) { return *this << llvm::StringRef(text); }

private:
  clang::DiagnosticsEngine &diagnostics;
  llvm::SmallVector<Call> calls;
  std::optional<clang::DiagnosticBuilder> builder;
};

} // namespace tegula::frontend
