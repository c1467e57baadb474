// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of the tensor core. An accumulator is a variable that holds a tile; while products are in flight, so is the
// tile in it.
#include "frontend/intrinsics/Rows.h"

#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace tegula::frontend {

Object *Importer::accumulatorOf(const Expr *argument) {
  LValue lvalue = evaluateLValue(argument);
  bool isUsable =
      lvalue.object && !lvalue.object->isPoisoned && (lvalue.object->variable || lvalue.object->accumulator);
  return isUsable ? lvalue.object : nullptr;
}

mlir::Value Importer::wholeAccumulator(Object *object, mlir::Location where) {
  return builder.create<tile::GetOp>(where, (object->accumulator ? object->accumulator : object)->variable);
}

mlir::Value Importer::accumulatorTile(Object *object, SourceLocation where) {
  mlir::Location at = locate(where);
  mlir::Value whole = wholeAccumulator(object, at);
  if (!object->accumulator)
    return whole;
  mlir::SmallVector<mlir::Value> offsets;
  for (int64_t offset : {object->row, object->column})
    offsets.push_back(builder.create<mlir::arith::ConstantOp>(at, builder.getI64IntegerAttr(offset)));
  mlir::SmallVector<int32_t> modes(2, static_cast<int32_t>(tile::SliceMode::Window));
  auto type = mlir::RankedTensorType::get(types.tileShape(object->type),
                                          cast<mlir::RankedTensorType>(whole.getType()).getElementType());
  return builder.create<tile::SubtileOp>(at, type, whole, offsets, mlir::ValueRange(), modes);
}

CallResult Importer::wgmma(const IntrinsicCall &call) {
  Object *accumulator = accumulatorOf(call.arguments[0]);
  Leaf a = evaluate(call.arguments[1]), b = evaluate(call.arguments[2]);
  LValue options = evaluateOperand(call.arguments[3]);
  if (!accumulator || !a || !b)
    return {};
  mlir::Location at = locate(call.where());
  mlir::Value before = wholeAccumulator(accumulator, at);
  Object *whole = accumulator->accumulator;
  mlir::DenseI64ArrayAttr place;
  if (whole)
    place = builder.getDenseI64ArrayAttr({accumulator->row, accumulator->column});
  mlir::Value after = builder.create<tile::WgmmaOp>(at, before, a.value(), b.value(),
                                                    flagOption(options, "accumulate", call.where()), place);
  builder.create<tile::SetOp>(at, after, (whole ? whole : accumulator)->variable);
  return {};
}

/// All accumulators in scope pass through the wait: which products are in flight, only the program's run shows.
void Importer::waitForProducts(int64_t pending, mlir::Location where) {
  mlir::SmallVector<mlir::Value> before;
  for (Object *accumulator : launch->accumulators)
    before.push_back(builder.create<tile::GetOp>(where, accumulator->variable));
  auto wait = builder.create<tile::WgmmaWaitOp>(where, pending, before);
  for (auto [accumulator, after] : llvm::zip_equal(launch->accumulators, wait.getResults()))
    builder.create<tile::SetOp>(where, after, accumulator->variable);
}

static int64_t inFlight(const IntrinsicCall &call) {
  return call.callee->getTemplateSpecializationArgs()->get(0).getAsIntegral().getSExtValue();
}

CallResult Importer::wgmmaWait(const IntrinsicCall &call) {
  waitForProducts(inFlight(call), locate(call.where()));
  return {};
}

CallResult Importer::wgmmaAccumulatorLoad(const IntrinsicCall &call) {
  Object *accumulator = accumulatorOf(call.arguments[0]);
  if (!accumulator)
    return {};
  mlir::Location at = locate(call.where());
  waitForProducts(inFlight(call), at);
  return {Leaf(accumulatorTile(accumulator, call.where())), {}};
}

ArrayRef<IntrinsicRow> wgmmaRows() {
  static constexpr IntrinsicRow rows[] = {
      {Known::Acc, "at", Side::Explicit, member<&Importer::placeInAccumulator>},
      {Known::None, "wgmma", Side::Explicit, member<&Importer::wgmma>},
      {Known::None, "wgmma_accumulator_load", Side::Explicit, member<&Importer::wgmmaAccumulatorLoad>},
      {Known::None, "wgmma_wait", Side::Explicit, member<&Importer::wgmmaWait>},
  };
  return rows;
}

} // namespace tegula::frontend
