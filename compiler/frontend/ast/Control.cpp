// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Importer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace clang;

namespace tegula::frontend {

Exit Importer::beginExit() {
  Exit exit;
  exit.block = builder.getInsertionBlock();
  auto point = builder.getInsertionPoint();
  exit.after = point == exit.block->begin() ? nullptr : &*std::prev(point);
  return exit;
}

Flow Importer::leave(Exit &exit) {
  mlir::Block *here = builder.getInsertionBlock();
  exit.sites.push_back(here);
  if (exit.flag) {
    mlir::Location where = exit.flag.getLoc();
    builder.create<tile::SetOp>(where, constantOf(builder.getI1Type(), 1), exit.flag);
  }
  Flow flow;
  flow.next = false;
  flow.exits.push_back(&exit);
  return flow;
}

void Importer::goToStart(const Exit &scope) {
  if (scope.after) {
    builder.setInsertionPointAfter(scope.after);
    return;
  }
  auto isConstant = [](mlir::Operation &op) { return op.hasTrait<mlir::OpTrait::ConstantLike>(); };
  builder.setInsertionPoint(scope.block, llvm::find_if_not(*scope.block, isConstant));
}

mlir::Value Importer::flagOf(Exit &exit) {
  if (exit.flag)
    return exit.flag;
  mlir::Type i1 = builder.getI1Type();
  mlir::Location where = builder.getUnknownLoc();
  mlir::OpBuilder::InsertionGuard guard(builder);
  goToStart(exit);
  exit.flag = builder.create<tile::VariableOp>(where, tile::VariableType::get(builder.getContext(), i1));
  builder.create<tile::SetOp>(where, constantOf(i1, 0), exit.flag);
  for (mlir::Block *site : exit.sites) {
    bool isClosed = !site->empty() && site->back().hasTrait<mlir::OpTrait::IsTerminator>();
    isClosed ? builder.setInsertionPoint(&site->back()) : builder.setInsertionPointToEnd(site);
    builder.create<tile::SetOp>(where, constantOf(i1, 1), exit.flag);
  }
  return exit.flag;
}

mlir::Value Importer::isTaken(ArrayRef<Exit *> exits, mlir::Location where) {
  mlir::Value any;
  for (Exit *exit : exits) {
    mlir::Value taken = builder.create<tile::GetOp>(where, flagOf(*exit));
    any = any ? builder.create<mlir::arith::OrIOp>(where, any, taken) : taken;
  }
  return any;
}

void Importer::continueAfter(const Flow &flow, mlir::Location where) {
  if (!flow.next || flow.exits.empty())
    return;
  if (flow.rest) {
    flow.rest->empty() || !flow.rest->back().hasTrait<mlir::OpTrait::IsTerminator>()
        ? builder.setInsertionPointToEnd(flow.rest)
        : builder.setInsertionPoint(&flow.rest->back());
    return;
  }
  mlir::Value left = isTaken(flow.exits, where);
  mlir::Value continues = builder.create<mlir::arith::XOrIOp>(where, left, constantOf(builder.getI1Type(), 1));
  auto guard = builder.create<mlir::scf::IfOp>(where, continues, /*withElseRegion=*/false);
  builder.setInsertionPoint(guard.thenBlock()->getTerminator());
}

} // namespace tegula::frontend
