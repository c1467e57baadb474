// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tg::profile_scope, with --profile: a `tile.trace_event` where it begins and one where it ends (ir/TileTrace.td). One
// lane of the warpgroup stores a clock to the warpgroup's row of an array that the host makes for the launch; in
// tg::warp_map, one lane of each warp stores to the warp's row. The host copies the array to the trace
// (include/tegula/trace.h, runtime/trace.cpp).
#include "frontend/Importer.h"
#include "ir/GridOps.h"
#include "ir/KernelAttributes.h"
#include "tegula/trace.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace clang;
namespace arith = mlir::arith;

namespace tegula::frontend {

/// The array of the launch, with a row for each thread.
void Importer::beginTrace() {
  mlir::Location at = launch->op.getLoc();
  {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(launch->op);
    int64_t ofPoint = launch->threads;
    for (int64_t size : launch->cluster)
      ofPoint *= size;
    mlir::Value threads = constantOnHost(ofPoint, at);
    for (mlir::Value size : launch->op.getGrid())
      threads = builder.create<arith::MulIOp>(at, threads, size);
    auto type = tile::ArrayType::get(builder.getContext(), builder.getI64Type(), 2, /*readOnly=*/false);
    launch->traceOnHost = builder.create<tile::TraceOp>(at, type, threads, profileEvents);
  }
  launch->trace = argumentOf(launch->traceOnHost, tile::Access::InOut);
  mlir::OpBuilder::InsertionGuard guard(builder);
  goToLaunchStart();
  hoisted(builder.create<tile::TraceThreadOp>(at, launch->trace, /*end=*/false));
}

void Importer::noteEvent(int64_t scope, bool isEnd, mlir::Location at) {
  builder.create<tile::TraceEventOp>(at, launch->trace, scope, profileEvents, isEnd);
  launch->hasScopesOfWarps |= launch->warps != nullptr;
}

void Importer::beginProfile(const Object &object, SourceLocation where) {
  const StringLiteral *name = object.parts.empty() ? nullptr : object.parts.front()->leaf.text();
  if (!name || profileEvents == 0)
    return;
  if (!launch->trace)
    beginTrace();
  auto known = llvm::find(launch->traceScopes, name->getString());
  auto scope = static_cast<int64_t>(known - launch->traceScopes.begin());
  if (known == launch->traceScopes.end())
    launch->traceScopes.push_back(name->getString().str());
  mlir::Location at = locate(where);
  noteEvent(scope, /*isEnd=*/false, at);
  launch->profiled.push_back({scope, builder.getInsertionBlock()});
}

/// What is declared behind a jump ends where the branch around it does: who jumps does not come there.
void Importer::endProfiles(size_t first, mlir::Location at) {
  for (const Launch::Profiled &each : llvm::reverse(ArrayRef(launch->profiled).drop_front(first))) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    if (each.block != builder.getInsertionBlock()) {
      bool isClosed = !each.block->empty() && each.block->back().hasTrait<mlir::OpTrait::IsTerminator>();
      isClosed ? builder.setInsertionPoint(&each.block->back()) : builder.setInsertionPointToEnd(each.block);
    }
    noteEvent(each.scope, /*isEnd=*/true, at);
  }
  launch->profiled.truncate(first);
}

void Importer::endTrace() {
  if (launch->trace)
    builder.create<tile::TraceThreadOp>(launch->op.getLoc(), launch->trace, /*end=*/true);
}

void Importer::reportTrace(Launch &traced) {
  if (!traced.traceOnHost)
    return;
  mlir::Location at = traced.op.getLoc();
  int64_t rows = 1;
  if (traced.hasScopesOfWarps) {
    rows = trace::rows_with_warps;
    auto trace = traced.traceOnHost.getDefiningOp<tile::TraceOp>();
    builder.setInsertionPoint(trace);
    mlir::Value all = builder.create<arith::MulIOp>(at, trace.getRows(), constantOnHost(rows, at));
    trace.getRowsMutable().assign(all);
  }
  traced.op->setAttr(tile::isTraced, builder.getI64IntegerAttr(rows));
  builder.setInsertionPointAfter(traced.op);
  SmallVector<StringRef> scopes(traced.traceScopes.begin(), traced.traceScopes.end());
  builder.create<tile::TraceReportOp>(at, traced.traceOnHost, traced.op.getName(), builder.getStrArrayAttr(scopes),
                                      traced.threads, rows);
}

} // namespace tegula::frontend
