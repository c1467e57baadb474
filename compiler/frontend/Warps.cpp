// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tg::warp_map (`tile.warp_map`): a region that the warps of a warpgroup run by themselves. It is lowered to the code
// of the body between two barriers of the warpgroup. A lane of each warp issues what a lane of the warpgroup would, and
// lanes synchronize by warps (`isInWarps` in lower/KernelLowering.h). Ops for which that is enough have the trait
// `OfWarps`; this file refuses others.
//
// Phases of barriers are carried through the region, and differ from warp to warp from there on. No other variable may.
// On the CPU, the fiber of the warpgroup waits for those of its warps, and the runtime adds to the phases that the
// program counts what each warp has waited for (`run_warps` in runtime/cpu/cluster.cpp).
#include "frontend/Importer.h"
#include "ir/Locations.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tegula::frontend {

/// Whether a warp can do it without the others of its thread.
static bool isOfWarp(mlir::Operation *op) {
  return op->getNumRegions() > 0 || op->hasTrait<mlir::OpTrait::IsTerminator>() || op->hasTrait<tile::OfWarps>() ||
         mlir::isMemoryEffectFree(op);
}

namespace {
/// Reports what is inserted into the body and is not for a warp, where the program says it.
class WarpCheck : public mlir::OpBuilder::Listener {
public:
  WarpCheck(Importer &importer, tile::WarpMapOp map) : importer(importer), map(map) {
    importer.launch->warps = map;
    importer.builder.setListener(this);
  }
  WarpCheck(const WarpCheck &) = delete;
  ~WarpCheck() {
    importer.launch->warps = nullptr;
    importer.builder.setListener(nullptr);
  }

  void notifyOperationInserted(mlir::Operation *op, mlir::OpBuilder::InsertPoint) override {
    if (!map->isProperAncestor(op) || !importer.running)
      return;
    auto isTile = [](mlir::Type type) {
      auto tile = dyn_cast<mlir::RankedTensorType>(type);
      return tile && tile.getRank() > 0;
    };
    const IntrinsicCall &call = *importer.running;
    if (llvm::any_of(op->getOperandTypes(), isTile) || llvm::any_of(op->getResultTypes(), isTile))
      reportTile(placeOf(op, call.where()));
    else if (!isOfWarp(op))
      importer.report(DiagnosticKind::WarpOperation, call.where()) << spelled(call.callee);
  }

private:
  /// Once for each line.
  void reportTile(SourceLocation where) {
    if (unsigned line = importer.ast.getSourceManager().getPresumedLineNumber(where);
        std::exchange(lineOfTile, line) != line)
      importer.report(DiagnosticKind::WarpTile, where);
  }

  /// Where the program says it: a place is read where its value is used, behind the call that names it.
  SourceLocation placeOf(mlir::Operation *op, SourceLocation otherwise) {
    SourceManager &sources = importer.ast.getSourceManager();
    SmallVector<mlir::FileLineColLoc, 2> lines = tile::linesOf(op->getLoc());
    auto file = lines.empty() ? std::nullopt : sources.getFileManager().getOptionalFileRef(lines.front().getFilename());
    if (!file)
      return otherwise;
    return sources.translateFileLineCol(*file, lines.front().getLine(), lines.front().getColumn());
  }

  Importer &importer;
  tile::WarpMapOp map;
  unsigned lineOfTile = 0;
};
} // namespace

CallResult Importer::warpMap(const IntrinsicCall &call) {
  SourceLocation where = call.where();
  Object *body = temporary(call.arguments[0]);
  const CallExpr *inner = bodyCall(call.callee->getBody());
  if (body->isPoisoned || !inner)
    return {};
  if (launch->warps) {
    report(DiagnosticKind::WarpNested, where);
    return {};
  }
  auto map = builder.create<tile::WarpMapOp>(locate(where), mlir::ValueRange());
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&map.getBody().front());
  builder.setInsertionPoint(builder.create<tile::WarpDoneOp>(locate(where), mlir::ValueRange()));
  Object *warp = holding(Leaf(map.getWarp()), ast.getIntTypeForBitwidth(64, /*Signed=*/true));
  WarpCheck check(*this, map);
  InLanguage scope(*this, call.callee, where);
  run(inner->getDirectCallee(), body, {{nullptr, warp}}, nullptr, where);
  return {};
}

} // namespace tegula::frontend
