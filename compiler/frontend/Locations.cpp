// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Importer.h"

#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tegula::frontend {

Importer::Importer(ASTContext &ast, mlir::ModuleOp module)
    : ast(ast), types(ast, module.getContext()), module(module), builder(module.getContext()) {}

/// An error inside the language's own functions is the caller's: it is reported at the innermost line of the user's.
Report Importer::report(DiagnosticKind kind, SourceLocation where) {
  const Frame *inner = frame;
  while (inner && inner->isInHeader && inner->caller) {
    where = inner->callSite;
    inner = inner->caller;
  }
  SmallVector<Report::Call> calls;
  for (; inner && inner->caller; inner = inner->caller)
    if (inner->callSite.isValid() && !inner->caller->isInHeader)
      calls.push_back({inner->callSite, inner->function});
  constexpr size_t most = 8;
  if (calls.size() > most)
    calls.resize(most);
  return Report(ast.getDiagnostics(), where, kind, std::move(calls));
}

mlir::Location Importer::locate(SourceLocation where) {
  if (frame && frame->isInHeader && frame->callLocation)
    return *frame->callLocation;
  const SourceManager &sources = ast.getSourceManager();
  PresumedLoc presumed = sources.getPresumedLoc(sources.getFileLoc(where));
  if (presumed.isInvalid())
    return builder.getUnknownLoc();
  mlir::Location here = mlir::FileLineColLoc::get(builder.getContext(), presumed.getFilename(), presumed.getLine(),
                                                  presumed.getColumn());
  if (frame && frame->callLocation)
    return mlir::CallSiteLoc::get(here, *frame->callLocation);
  return here;
}

void Importer::name(mlir::Value value, llvm::StringRef variable) {
  if (!value || variable.empty() || isa<mlir::NameLoc>(value.getLoc()))
    return;
  mlir::Operation *op = value.getDefiningOp();
  if (!op || op->getNumResults() != 1)
    return;
  value.setLoc(mlir::NameLoc::get(builder.getStringAttr(variable), value.getLoc()));
}

} // namespace tegula::frontend
