// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of the matrix unit. An accumulator is a variable that holds a tile; while products are under way, so is the
// tile in it.
#include "frontend/Importer.h"

#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace tegula::frontend {

Object *Importer::accumulatorOf(const Expr *argument) {
  Place place = evaluatePlace(argument);
  bool isUsable = place.object && !place.object->isPoisoned && place.object->slot;
  return isUsable ? place.object : nullptr;
}

CallResult Importer::wgmma(const IntrinsicCall &call) {
  Object *accumulator = accumulatorOf(call.arguments[0]);
  Leaf a = evaluate(call.arguments[1]), b = evaluate(call.arguments[2]);
  Place options = evaluateOperand(call.arguments[3]);
  if (!accumulator || !a || !b)
    return {};
  mlir::Location at = locate(call.where());
  mlir::Value before = builder.create<tile::GetOp>(at, accumulator->slot);
  mlir::Value after =
      builder.create<tile::WgmmaOp>(at, before, a.value(), b.value(), flagOption(options, "accumulate", call.where()));
  builder.create<tile::SetOp>(at, after, accumulator->slot);
  return {};
}

/// All accumulators in scope pass through the wait: which products are under way, only the program's run shows.
void Importer::waitForProducts(int64_t pending, mlir::Location where) {
  mlir::SmallVector<mlir::Value> before;
  for (Object *accumulator : launch->accumulators)
    before.push_back(builder.create<tile::GetOp>(where, accumulator->slot));
  auto wait = builder.create<tile::WgmmaWaitOp>(where, pending, before);
  for (auto [accumulator, after] : llvm::zip_equal(launch->accumulators, wait.getResults()))
    builder.create<tile::SetOp>(where, after, accumulator->slot);
}

CallResult Importer::wgmmaWait(const IntrinsicCall &call) {
  int64_t pending = call.callee->getTemplateSpecializationArgs()->get(0).getAsIntegral().getSExtValue();
  waitForProducts(pending, locate(call.where()));
  return {};
}

} // namespace tegula::frontend
