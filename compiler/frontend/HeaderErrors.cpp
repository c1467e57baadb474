// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/HeaderErrors.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/TextDiagnostic.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

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
  TextDiagnostic::printDiagnosticLevel(messages, level, options.ShowColors);
  messages << text << '\n';
}

bool HeaderErrors::isInHeader(const StoredDiagnostic &diagnostic) const {
  const FullSourceLoc &where = diagnostic.getLocation();
  return where.isValid() && where.getManager().isInSystemHeader(where);
}

/// What the user should read of a message: overloads and assertions are how the header is written.
static std::string betterMessage(StringRef message, bool isOfHeader, StringRef caller) {
  if (message.starts_with("no matching function for call to 'ds'"))
    return "the size in tg::ds<size>(start) must be known when the kernel is compiled: for a size known at run time, "
           "write tg::ds(start, size)";
  if (message.starts_with("no matching function for call to 'pallas_call'"))
    return "tg::pallas_call takes its options in braces, {.grid = {m, n}}, if there are any, then the body, then one "
           "tg::in, tg::out or tg::inout per array";
  if (message.starts_with("no matching function for call to 'kernel'"))
    return "tg::kernel takes its options in braces and in this order, {.grid = {{\"m\", m}}, .cluster = {{\"c\", 2}}, "
           ".threads = {\"wg\", 2}}, if there are any, then the body";
  if (message.starts_with("no matching function for call to 'emit_pipeline"))
    return "a pipeline takes its options in braces, {.grid = {steps}, .max_concurrent_steps = 4}, then a function, "
           "then one "
           "tg::in, tg::out or tg::inout per array";
  if (message.starts_with("no matching function for call to 'wgmma'"))
    return "tg::wgmma takes an accumulator, a and b, then perhaps options in braces, {.accumulate = k > 0}";
  if (message.starts_with("no matching function for call to 'axis_"))
    return "an axis is named by a string literal, \"m\", or by a constexpr tg::axis";
  if (message.starts_with("no ") && message.contains("tg::barrier<") && message.contains("to 'barrier_ref'"))
    return "this is an array of barriers: name one of them, barriers.at(i)";
  if (message.contains("operator[]<") && message.contains("returns a const value"))
    return "this place is read-only: a block of tg::in, or an array of const elements";
  if (isOfHeader && message.starts_with("no matching function for call to object of type"))
    return llvm::StringSwitch<std::string>(caller)
        .Case("kernel", "the body of tg::kernel has no parameters: it captures its arrays, [=]")
        .Case("nd_loop", "the body of tg::nd_loop takes one parameter, the step")
        .Case("emit_pipeline_warp_specialized", "the compute function takes one parameter, and calls it once: [&](auto "
                                                "pipeline) { ... pipeline(body); ... }")
        .Case("vmap",
              "the function of tg::vmap takes one parameter per argument that follows it, sliced by tg::over or not")
        .Default("the body of tg::pallas_call takes one parameter per tg::in, tg::out or tg::inout");
  if (message.starts_with("non-void") && message.contains("does not return a value"))
    return message.contains("in all control paths")
               ? "this function returns a value, but its end can be reached without a return: end it with one, return "
                 "o;"
               : "this function returns a value, but has no return: end it with one, return o;";
  // "overload resolution selected deleted operator '=': why"
  size_t reason = message.find(": ");
  bool isDeleted = message.take_front(reason).contains("deleted");
  bool isAssertion = isOfHeader && message.starts_with("static assertion failed");
  if (isAssertion && message.starts_with("static assertion failed due to requirement"))
    reason = message.find("': ") + 1;
  if ((isDeleted || isAssertion) && reason != StringRef::npos && reason != 0)
    return message.substr(reason + 2).str();
  return message.str();
}

/// Through which of the language's templates the code was reached says nothing to the user.
static bool isOfLanguage(StringRef note) {
  return note.contains("in instantiation of") && note.contains("specialization 'tegula::");
}

/// Which of the language's functions the user called, as a note says.
static StringRef calledFunction(StringRef note) {
  StringRef rest = note.split("specialization 'tegula::").second;
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
  return shapes;
}

/// Whether no statement ends between two places of a file, and no body of a lambda begins.
static bool areOfOneStatement(FullSourceLoc from, FullSourceLoc to) {
  StringRef text = from.getBufferData().slice(from.getFileOffset(), to.getFileOffset());
  return !text.contains(';') && !text.contains(") {") && !text.contains("] {");
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
    return last.isOfHeader && !last.isAssertion && error.isAssertion;
  if (error.where.isBeforeInTranslationUnitThan(last.where) && areOfOneStatement(error.where, last.where))
    return true;
  return llvm::any_of(place.getRanges(), [&](const CharSourceRange &range) {
    const SourceManager &sources = error.where.getManager();
    FullSourceLoc begin(sources.getExpansionLoc(range.getBegin()), sources);
    FullSourceLoc end(sources.getExpansionLoc(range.getEnd()), sources);
    return begin.isValid() && end.isValid() && begin.getFileID() == last.where.getFileID() &&
           !last.where.isBeforeInTranslationUnitThan(begin) && !end.isBeforeInTranslationUnitThan(last.where);
  });
}

void HeaderErrors::flush() {
  if (group.empty())
    return;
  std::vector<StoredDiagnostic> current = std::move(group);
  group.clear();
  TextDiagnostic printer(messages, language, &options);
  const StoredDiagnostic &main = current.front();
  bool isOfHeader = isInHeader(main);
  StringRef caller;
  for (const StoredDiagnostic &note : llvm::ArrayRef(current).drop_front())
    if (StringRef name = calledFunction(note.getMessage()); caller.empty())
      caller = name;
  std::string message = betterMessage(main.getMessage(), isOfHeader, caller);
  // The innermost line of the user's. Clang says once how it got to a template that makes several mistakes.
  const StoredDiagnostic *place = &main;
  if (isOfHeader) {
    for (const StoredDiagnostic &note : llvm::ArrayRef(current).drop_front())
      if (place == &main && !isInHeader(note))
        place = &note;
    if (place != &main)
      lastCall = *place;
    else if (lastCall)
      place = &*lastCall;
  }
  if (main.getLevel() >= DiagnosticsEngine::Error) {
    FullSourceLoc where = place->getLocation().isValid() ? place->getLocation().getExpansionLoc() : FullSourceLoc();
    Printed error{where, message, isOfHeader, main.getMessage().starts_with("static assertion failed")};
    if (isRepeated(*place, error))
      return;
    errors.push_back(std::move(error));
    ++NumErrors;
  } else if (main.getLevel() == DiagnosticsEngine::Warning) {
    ++NumWarnings;
  }
  printer.emitDiagnostic(place->getLocation(), main.getLevel(), message, place->getRanges(),
                         place == &main ? main.getFixIts() : ArrayRef<FixItHint>());
  // Why no function matches, only the header says.
  bool keepsAll = message == main.getMessage() && StringRef(message).starts_with("no matching");
  for (const StoredDiagnostic &note : llvm::ArrayRef(current).drop_front())
    if (&note != place && (keepsAll || !isInHeader(note)) && !isOfLanguage(note.getMessage()))
      printer.emitDiagnostic(note.getLocation(), note.getLevel(), note.getMessage(), note.getRanges(),
                             note.getFixIts());
  bool isOfShapes = llvm::any_of(llvm::ArrayRef<StringRef>{"broadcast", "contract<", "accumulates<", "same_shape<"},
                                 [&](StringRef name) { return main.getMessage().contains(name); });
  if (isOfHeader && isOfShapes)
    if (std::string shapes = shapesOf(main.getMessage()); !shapes.empty())
      printer.emitDiagnostic(place->getLocation(), DiagnosticsEngine::Note, "their types: " + shapes, {}, {});
}

} // namespace tegula::frontend
