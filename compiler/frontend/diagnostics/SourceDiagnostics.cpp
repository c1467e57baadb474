// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/diagnostics/SourceDiagnostics.h"

#include "ir/Locations.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula::frontend {

SourceDiagnosticHandler::SourceDiagnosticHandler(MLIRContext *context, llvm::raw_ostream &messages,
                                                 const WarningLevels &warnings)
    : ScopedDiagnosticHandler(context), messages(messages), warnings(warnings) {
  context->printOpOnDiagnostic(false); // Ops are not what the user wrote.
  setHandler([this](mlir::Diagnostic &diagnostic) {
    print(diagnostic);
    return success();
  });
}

llvm::StringRef SourceDiagnosticHandler::lineOf(llvm::StringRef file, unsigned line) {
  std::unique_ptr<llvm::MemoryBuffer> &buffer = files[file];
  if (!buffer) {
    auto opened = llvm::MemoryBuffer::getFile(file);
    buffer = opened ? std::move(*opened) : llvm::MemoryBuffer::getMemBuffer("");
  }
  llvm::StringRef rest = buffer->getBuffer();
  for (; line > 1; --line)
    rest = rest.split('\n').second;
  return rest.split('\n').first.rtrim('\r');
}

void SourceDiagnosticHandler::colored(llvm::raw_ostream::Colors color, llvm::StringRef text) {
  if (!messages.has_colors()) {
    messages << text;
    return;
  }
  messages.changeColor(color, /*Bold=*/true) << text;
  messages.resetColor();
}

void SourceDiagnosticHandler::printLine(FileLineColLoc where) {
  llvm::StringRef line = lineOf(where.getFilename(), where.getLine());
  if (line.empty())
    return;
  std::string number = std::to_string(where.getLine());
  messages.indent(number.size() < 5 ? 5 - number.size() : 0) << number << " | " << line << '\n';
  messages.indent(std::max<size_t>(number.size(), 5)) << " | ";
  // Tabs stay tabs, so that the caret stands below its column.
  for (unsigned i = 0; i + 1 < where.getColumn(); ++i)
    messages << (i < line.size() && line[i] == '\t' ? '\t' : ' ');
  colored(llvm::raw_ostream::GREEN, "^");
  messages << '\n';
}

void SourceDiagnosticHandler::print(Location where, llvm::StringRef kind, bool isError, bool showsLine,
                                    const llvm::Twine &text) {
  SmallVector<FileLineColLoc, 2> lines = tile::linesOf(where);
  std::string place;
  if (!lines.empty())
    place = llvm::formatv("{0}:{1}:{2}: ", lines.front().getFilename().getValue(), lines.front().getLine(),
                          lines.front().getColumn());
  colored(llvm::raw_ostream::SAVEDCOLOR, place);
  colored(isError ? llvm::raw_ostream::RED : llvm::raw_ostream::CYAN, (kind + ": ").str());
  colored(llvm::raw_ostream::SAVEDCOLOR, text.str());
  messages << '\n';
  if (lines.empty() || !showsLine)
    return;
  printLine(lines.front());
  for (FileLineColLoc call : llvm::ArrayRef(lines).drop_front()) {
    messages << call.getFilename().getValue() << ':' << call.getLine() << ':' << call.getColumn()
             << ": note: in the call from here\n";
    printLine(call);
  }
}

/// "'tile.add' op has..." is for those who know the IR.
static std::string messageOf(const mlir::Diagnostic &diagnostic) {
  std::string text = diagnostic.str();
  auto [op, rest] = llvm::StringRef(text).split("' op ");
  if (!op.starts_with("'") || op.drop_front().contains('\'') || rest.empty())
    return text;
  return "this '" + op.drop_front().rsplit('.').second.str() + "' " + rest.str();
}

void SourceDiagnosticHandler::print(const mlir::Diagnostic &diagnostic) {
  bool isWarning = diagnostic.getSeverity() == DiagnosticSeverity::Warning;
  std::string message = messageOf(diagnostic);
  std::string group = isWarning ? takeMark(message) : "";
  WarningLevel level = isWarning ? warnings.levelOf(group) : WarningLevel::warning;
  if (level == WarningLevel::ignored)
    return;
  bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error || level == WarningLevel::error;
  errors += isError;
  llvm::StringRef kind = isError                                                  ? "error"
                         : isWarning                                              ? "warning"
                         : diagnostic.getSeverity() == DiagnosticSeverity::Remark ? "remark"
                                                                                  : "note";
  std::string code = !group.empty()                 ? printedMark(group, level)
                     : isError && !reporter.empty() ? " [tegula-" + reporter + "]"
                                                    : "";
  // An entry of several instances, or a launch of several versions, has the mistake of its line in each. Passes other
  // than checks speak of what an instance asks for.
  bool isMistake = isWarning || (isError && llvm::StringRef(reporter).starts_with("check-"));
  const void *place = tile::withoutName(diagnostic.getLocation()).getAsOpaquePointer();
  if (isMistake && !tile::linesOf(diagnostic.getLocation()).empty() &&
      !printed.insert({place, diagnostic.str()}).second)
    return;
  print(diagnostic.getLocation(), kind, isError, /*showsLine=*/true, message + code);
  for (const mlir::Diagnostic &note : const_cast<mlir::Diagnostic &>(diagnostic).getNotes())
    print(note.getLocation(), "note", false, /*showsLine=*/note.getLocation() != diagnostic.getLocation(), note.str());
}

} // namespace tegula::frontend
