// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages about IR, at the user's lines.
#pragma once

#include "support/Warnings.h"

#include "mlir/IR/Diagnostics.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <set>
#include <string>
#include <utility>

namespace tegula::frontend {

/// While it lives, prints what verifiers and passes report as Clang prints its messages: file, line, the line itself, a
/// caret, and the calls through which the code was reached.
class SourceDiagnosticHandler : public mlir::ScopedDiagnosticHandler {
public:
  SourceDiagnosticHandler(mlir::MLIRContext *context, llvm::raw_ostream &messages, const WarningLevels &warnings);
  /// Who reports from now on: errors end in this name, in brackets. Empty: none.
  void setReporter(llvm::StringRef name) { reporter = name.str(); }
  /// The lines of a file that cannot be read again.
  void addFile(llvm::StringRef name, llvm::StringRef contents) {
    files[name] = llvm::MemoryBuffer::getMemBufferCopy(contents);
  }
  /// Whether there was an error.
  bool hasErrors() const { return errors; }

private:
  void print(const mlir::Diagnostic &diagnostic);
  void print(mlir::Location where, llvm::StringRef kind, bool isError, bool showsLine, const llvm::Twine &text);
  void colored(llvm::raw_ostream::Colors color, llvm::StringRef text);
  void printLine(mlir::FileLineColLoc where);
  llvm::StringRef lineOf(llvm::StringRef file, unsigned line);

  llvm::raw_ostream &messages;
  const WarningLevels &warnings;
  llvm::StringMap<std::unique_ptr<llvm::MemoryBuffer>> files;
  std::string reporter;
  /// Where errors and warnings are, and what they say.
  std::set<std::pair<const void *, std::string>> printed;
  unsigned errors = 0;
};

} // namespace tegula::frontend
