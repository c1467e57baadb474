// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's messages, at the user's lines: an error inside the language's header is the error of whoever called it.
#pragma once

#include "support/Warnings.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/LangOptions.h"

namespace tegula::frontend {

class HeaderErrors : public clang::DiagnosticConsumer {
public:
  HeaderErrors(llvm::raw_ostream &messages, clang::DiagnosticOptions &options, const WarningLevels &warnings)
      : messages(messages), options(options), warnings(warnings) {}
  ~HeaderErrors() override { flush(); }

  void BeginSourceFile(const clang::LangOptions &language, const clang::Preprocessor *) override {
    this->language = language;
  }
  void EndSourceFile() override {
    flush();
    ast = nullptr;
  }
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &info) override;
  /// Whether messages are dropped.
  void mute(bool isMuted) { this->isMuted = isMuted; }
  /// The file that is being parsed, until it ends: what options there are, it knows.
  void parsing(const clang::ASTContext &file) { ast = &file; }

private:
  /// Where an error was printed, and what it says.
  struct Printed {
    clang::FullSourceLoc where;
    std::string message;
    bool isOfHeader, isAssertion;
  };

  /// Prints the last message with its notes, unless it only follows from what was printed before.
  void flush();
  bool isInHeader(const clang::StoredDiagnostic &diagnostic) const;
  bool isRepeated(const clang::StoredDiagnostic &place, const Printed &error) const;

  llvm::raw_ostream &messages;
  clang::DiagnosticOptions &options;
  const WarningLevels &warnings;
  clang::LangOptions language;
  std::vector<clang::StoredDiagnostic> group;
  /// Where the user came to the last error of the header.
  std::optional<clang::StoredDiagnostic> lastCall;
  std::vector<Printed> errors;
  const clang::ASTContext *ast = nullptr;
  bool isMuted = false;
  /// The language is unknown: further errors say nothing.
  bool isLost = false;
};

} // namespace tegula::frontend
