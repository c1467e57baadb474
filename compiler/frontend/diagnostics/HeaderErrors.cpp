// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/diagnostics/HeaderErrors.h"

#include "frontend/diagnostics/ClangMessages.h"
#include "frontend/diagnostics/LanguageNames.h"
#include "frontend/diagnostics/MisspeltOptions.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/TextDiagnostic.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace tegula::frontend {

void HeaderErrors::HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic &info) {
  if (isMuted)
    return;
  if (level != DiagnosticsEngine::Note)
    flush();
  if (info.hasSourceManager()) {
    group.emplace_back(level, info);
    return;
  }
  DiagnosticConsumer::HandleDiagnostic(level, info);
  llvm::SmallString<128> text; // Of the command line, not of the file.
  info.FormatDiagnostic(text);
  messages << "tegulac: ";
  TextDiagnostic::printDiagnosticLevel(messages, level, options.ShowColors);
  messages << text << '\n';
}

bool HeaderErrors::isInHeader(const StoredDiagnostic &diagnostic) const {
  const FullSourceLoc &where = diagnostic.getLocation();
  return where.isValid() && where.getManager().isInSystemHeader(where);
}

/// Through which of the language's templates the code was reached says nothing to the user.
static bool isOfLanguage(StringRef note) {
  return note.contains("in instantiation of") && note.contains("specialization 'tegula::");
}

/// Which of the language's functions the user called, as a note says.
static StringRef calledFunction(StringRef note) {
  StringRef rest = note.split("specialization 'tegula::").second;
  if (rest.starts_with("detail::")) // What has called that, a later note says.
    return "";
  return rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// The arguments of the condition that an assertion quotes.
static std::string shapesOf(StringRef assertion) {
  StringRef condition = assertion.split('\'').second.split("': ").first;
  StringRef rest = condition.split('<').second.rsplit('>').first;
  std::string shapes;
  while (!rest.empty()) {
    auto [before, after] = rest.split("tegula::");
    shapes += before;
    if (!after.empty())
      shapes += "tg::";
    rest = after;
  }
  for (size_t at = 0; (at = shapes.find(", -1", at)) != std::string::npos;)
    shapes.replace(at, 4, ", any");
  return shapes;
}

/// Whether no statement ends between two places of a file, and no body of a lambda begins.
static bool areOfOneStatement(FullSourceLoc from, FullSourceLoc to, bool mayBeInBody) {
  StringRef text = from.getBufferData().slice(from.getFileOffset(), to.getFileOffset());
  return !text.contains(';') && (mayBeInBody || (!text.contains(") {") && !text.contains("] {")));
}

/// What is built on an expression in error is in error, too, and errors come from the inside to the outside: this one
/// is about an expression around the last one, or of its result. So is a template that comes to the same line for
/// another type, or goes on after a call that failed.
bool HeaderErrors::isRepeated(const StoredDiagnostic &place, const Printed &error) const {
  for (const Printed &earlier : errors)
    if (earlier.where == error.where && earlier.message == error.message)
      return true;
  bool isOfImporter = StringRef(error.message).contains(" [tegula-"); // It leaves out itself what follows.
  if (errors.empty() || error.where.isInvalid() || isOfImporter)
    return false;
  const Printed &last = errors.back();
  if (last.where.isInvalid() || last.where.getFileID() != error.where.getFileID())
    return false;
  if (last.where == error.where)
    return (last.isOfHeader && !last.isAssertion && error.isAssertion) || StringRef(error.message).contains("'void'");
  if (error.where.isBeforeInTranslationUnitThan(last.where)) {
    if (areOfOneStatement(error.where, last.where, /*mayBeInBody=*/error.isAssertion))
      return true;
  } else if (StringRef(error.message).starts_with("expected ") &&
             areOfOneStatement(last.where, error.where, /*mayBeInBody=*/false)) {
    return true; // The parser does not know what a name means that it does not know.
  }
  return llvm::any_of(place.getRanges(), [&](const CharSourceRange &range) {
    const SourceManager &sources = error.where.getManager();
    FullSourceLoc begin(sources.getExpansionLoc(range.getBegin()), sources);
    FullSourceLoc end(sources.getExpansionLoc(range.getEnd()), sources);
    return begin.isValid() && end.isValid() && begin.getFileID() == last.where.getFileID() &&
           !last.where.isBeforeInTranslationUnitThan(begin) && !end.isBeforeInTranslationUnitThan(last.where);
  });
}

/// Whether a place is in the language's header.
static bool isInLanguage(FullSourceLoc where) {
  return where.isValid() && where.getManager().getFilename(where).contains("tegula/language/");
}

/// The user's #include through which a header is part of the file.
static FullSourceLoc includeOf(FullSourceLoc where) {
  const SourceManager &sources = where.getManager();
  SourceLocation at = sources.getFileLoc(where);
  while (at.isValid() && sources.isInSystemHeader(at))
    at = sources.getIncludeLoc(sources.getFileID(at));
  return at.isValid() ? FullSourceLoc(at, sources) : where;
}

/// Which option does not exist, if the message is about one.
static std::string misspeltIn(const ClangMessage &message, const ASTContext &ast) {
  StringRef text = message.text;
  auto [call, called] = text.split("no matching function for call to '");
  if (call.empty() && message.isOfLanguage)
    return misspeltOption(called.take_until([](char c) { return c == '\''; }), message.source, ast);
  auto [designator, field] = text.split("field designator '");
  if (designator.empty() && text.contains("does not refer to any field in type '"))
    return misspeltField(field.split('\'').first, text.split(" in type '").second.split('\'').first, ast);
  return "";
}

static ClangMessage describe(ArrayRef<StoredDiagnostic> diagnostics, bool isOfHeader, const ASTContext *ast) {
  const StoredDiagnostic &main = diagnostics.front();
  ClangMessage result{main.getMessage(), isOfHeader, {}, {}, {}};
  result.ast = ast;
  result.hasLanguage = !ast || hasLanguage(*ast);
  if (main.getLocation().isValid()) {
    FullSourceLoc where = main.getLocation().getExpansionLoc();
    result.source = where.getBufferData().drop_front(where.getFileOffset());
    result.before = where.getBufferData().take_front(where.getFileOffset()).rsplit('\n').second;
  }
  for (const StoredDiagnostic &note : diagnostics.drop_front()) {
    StringRef text = note.getMessage();
    if (result.caller.empty())
      result.caller = calledFunction(text);
    result.isOfLanguage |=
        text.starts_with("candidate") &&
        isInLanguage(note.getLocation().isValid() ? note.getLocation().getFileLoc() : FullSourceLoc());
    result.isOfParameterType |= text.contains("no known conversion");
    result.isOfPointer |= text.contains(" *'");
    result.isOfTiles |= text.contains("tile<") || text.contains("ref<");
  }
  if (ast)
    result.misspelt = misspeltIn(result, *ast);
  return result;
}

/// Ends a warning in its group. Clang has levelled its own groups already.
static DiagnosticsEngine::Level levelled(const StoredDiagnostic &diagnostic, std::string &message,
                                         const WarningLevels &warnings) {
  DiagnosticsEngine::Level level = diagnostic.getLevel();
  if (std::string group = takeMark(message); !group.empty()) {
    WarningLevel ours = warnings.levelOf(group);
    message += printedMark(group, ours);
    return ours == WarningLevel::ignored ? DiagnosticsEngine::Ignored
           : ours == WarningLevel::error ? DiagnosticsEngine::Error
                                         : DiagnosticsEngine::Warning;
  }
  if (diagnostic.getID() >= diag::DIAG_UPPER_LIMIT || message.ends_with("]"))
    return level;
  StringRef group = DiagnosticIDs::getWarningOptionForDiag(diagnostic.getID());
  if (!group.empty() && level == DiagnosticsEngine::Warning)
    message += printedMark(group, WarningLevel::warning);
  else if (!group.empty() && !DiagnosticIDs::isDefaultMappingAsError(diagnostic.getID()))
    message += printedMark(group, WarningLevel::error);
  return level;
}

void HeaderErrors::flush() {
  std::vector<StoredDiagnostic> current = std::exchange(group, {});
  if (current.empty() || isLost)
    return;
  TextDiagnostic printer(messages, language, &options);
  const StoredDiagnostic &main = current.front();
  bool isOfHeader = isInHeader(main);
  ClangMessage said = describe(current, isOfHeader, ast);
  std::string message = inOurWords(said);
  bool isRewritten = message != main.getMessage();
  DiagnosticsEngine::Level level = levelled(main, message, warnings);
  if (level == DiagnosticsEngine::Ignored)
    return;
  isLost = level >= DiagnosticsEngine::Error && losesLanguage(said);
  // The innermost line of the user's. Clang says once how it got to a template that makes several mistakes.
  const StoredDiagnostic *place = &main;
  if (isOfHeader) {
    for (const StoredDiagnostic &note : llvm::ArrayRef(current).drop_front())
      if (place == &main && !isInHeader(note))
        place = &note;
    if (place != &main)
      lastCall = *place;
    else if (lastCall && !isLost)
      place = &*lastCall;
  }
  if (level >= DiagnosticsEngine::Error) {
    FullSourceLoc where = place->getLocation().isValid() ? place->getLocation().getExpansionLoc() : FullSourceLoc();
    Printed error{where, message, isOfHeader, main.getMessage().starts_with("static assertion failed")};
    if (isRepeated(*place, error))
      return;
    errors.push_back(std::move(error));
    ++NumErrors;
  } else if (level == DiagnosticsEngine::Warning) {
    ++NumWarnings;
  }
  if (FullSourceLoc where = place->getLocation(); where.isMacroID() && isInLanguage(where.getSpellingLoc()))
    printer.emitDiagnostic(where.getExpansionLoc(), level, message, {}, {}); // How a macro is made is no matter.
  else if (isLost && isOfHeader)
    printer.emitDiagnostic(includeOf(where), level, message, {}, {});
  else
    printer.emitDiagnostic(where, level, message, place->getRanges(),
                           place == &main ? main.getFixIts() : ArrayRef<FixItHint>());
  // Why no function matches, only the header says.
  bool keepsAll = !isRewritten && StringRef(message).starts_with("no matching");
  for (const StoredDiagnostic &note : llvm::ArrayRef(current).drop_front())
    if (&note != place && (keepsAll || !isInHeader(note)) && !isOfLanguage(note.getMessage()) &&
        !saysAgain(note.getMessage()))
      printer.emitDiagnostic(note.getLocation(), note.getLevel(), note.getMessage(), note.getRanges(),
                             note.getFixIts());
  bool isOfShapes = llvm::any_of(llvm::ArrayRef<StringRef>{"broadcast", "contract<", "accumulates<", "same_shape<",
                                                           "same_elements<", "tiles_match<", "fills<"},
                                 [&](StringRef name) { return main.getMessage().contains(name); });
  if (isOfHeader && isOfShapes)
    if (std::string shapes = shapesOf(main.getMessage()); !shapes.empty())
      printer.emitDiagnostic(place->getLocation(), DiagnosticsEngine::Note, "their types: " + shapes, {}, {});
}

} // namespace tegula::frontend
