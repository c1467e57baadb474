// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Importer.h"

#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tegula::frontend {

Importer::Importer(ASTContext &ast, mlir::ModuleOp module, bool debugChecks, int64_t profileEvents)
    : ast(ast), types(ast, module.getContext()), module(module), builder(module.getContext()), debugChecks(debugChecks),
      profileEvents(profileEvents) {}

static bool isLambda(const FunctionDecl *function) {
  const auto *method = dyn_cast<CXXMethodDecl>(function);
  return method && method->getParent()->isLambda();
}

/// What happens inside the language's own functions is the caller's, and what a macro of the system does, assert, is
/// that of whoever wrote it.
static std::pair<SourceLocation, const Frame *> usersLine(SourceLocation where, const Frame *frame,
                                                          const SourceManager &sources) {
  while (frame && frame->isInHeader && frame->caller) {
    where = frame->callSite;
    frame = frame->caller;
  }
  if (where.isMacroID() && sources.isInSystemHeader(sources.getSpellingLoc(where)))
    where = sources.getExpansionLoc(where);
  return {where, frame};
}

void Importer::lose(SourceLocation where) {
  if (lost.isInvalid() && !ast.getDiagnostics().hasErrorOccurred())
    lost = usersLine(where, frame, ast.getSourceManager()).first;
}

Report::Position Importer::positionOf(SourceLocation position) {
  auto [where, inner] = usersLine(position, frame, ast.getSourceManager());
  SmallVector<Report::Call> calls;
  while (inner && inner->caller) {
    // What the language calls, a body or an index map, stands where it was given to the language.
    const Frame *caller = inner->caller;
    SourceLocation callSite = inner->callSite;
    while (caller->isInHeader && caller->caller) {
      callSite = caller->callSite;
      caller = caller->caller;
    }
    bool isInPlace = inner->caller->isInHeader && isLambda(inner->function);
    bool isRepeated = !calls.empty() && calls.back().where == callSite;
    if (!isInPlace && !isRepeated)
      calls.push_back({callSite, inner->function});
    inner = caller;
  }
  return {where, std::move(calls)};
}

Report Importer::report(DiagnosticKind kind, const Report::Position &position) {
  // What runs inline in several places, or several times, is wrong once.
  if (!reported.insert({static_cast<unsigned>(kind), position.where.getRawEncoding()}).second)
    return Report(ast.getDiagnostics());
  return Report(ast.getDiagnostics(), position, kind);
}

mlir::Location Importer::locate(SourceLocation where) {
  if (frame && frame->isInHeader && frame->callLocation)
    return *frame->callLocation;
  const SourceManager &sources = ast.getSourceManager();
  PresumedLoc presumed = sources.getPresumedLoc(sources.getFileLoc(where));
  if (presumed.isInvalid())
    return builder.getUnknownLoc();
  mlir::Location here =
      mlir::FileLineColLoc::get(builder.getContext(), presumed.getFilename(), presumed.getLine(), presumed.getColumn());
  if (frame && frame->callLocation)
    return mlir::CallSiteLoc::get(here, *frame->callLocation);
  return here;
}

void Importer::name(mlir::Value value, llvm::StringRef variable) {
  if (!value || variable.empty() || isa<mlir::NameLoc>(value.getLoc()))
    return;
  value = batches.baseOf(value);
  mlir::Operation *op = value.getDefiningOp();
  if (!op || op->getNumResults() != 1 || op->hasTrait<mlir::OpTrait::ConstantLike>())
    return;
  value.setLoc(mlir::NameLoc::get(builder.getStringAttr(variable), value.getLoc()));
}

} // namespace tegula::frontend
