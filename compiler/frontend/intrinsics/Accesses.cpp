// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores of places, with masks and without.
#include "frontend/intrinsics/Rows.h"

using namespace clang;

namespace tegula::frontend {

/// Tiles of the explicit level are in registers.
bool Importer::isHeld(mlir::Value ref, SourceLocation where) {
  if (!isExplicit() || cast<tile::RefType>(ref.getType()).getTileType().hasStaticShape())
    return true;
  report(DiagnosticKind::RunTimeTile, where);
  return false;
}

bool Importer::refuseIndexedPlace(const Leaf &ref, SourceLocation where) {
  if (!indexedPlaces.find(ref.value()))
    return false;
  report(DiagnosticKind::IndexedPlace, where);
  return true;
}

mlir::Value Importer::loadTile(mlir::Value ref, mlir::Value mask, mlir::Value other, SourceLocation where) {
  mlir::RankedTensorType type = cast<tile::RefType>(ref.getType()).getTileType();
  mlir::Location at = locate(where);
  if (const IndexedPlace *place = indexedPlaces.find(ref))
    return builder.create<tile::GatherOp>(at, type, place->ref, place->indices, place->dims, place->position, mask,
                                          other, /*guarded=*/false);
  return builder.create<tile::LoadOp>(at, type, ref, mask, other);
}

void Importer::storeTile(mlir::Value tile, mlir::Value ref, mlir::Value mask, SourceLocation where) {
  mlir::Location at = locate(where);
  if (const IndexedPlace *place = indexedPlaces.find(ref))
    builder.create<tile::ScatterOp>(at, tile, place->ref, place->indices, place->dims, place->position, mask);
  else
    builder.create<tile::StoreOp>(at, tile, ref, mask);
}

Leaf Importer::loadFrom(const Window &window, QualType type, SourceLocation where) {
  if (!isHeld(window.ref, where))
    return {};
  mlir::Location at = locate(where);
  mlir::Value value = loadTile(window.ref, {}, {}, where);
  if (types.isScalar(type.getNonReferenceType()))
    return scalarOf(value, at);
  return Leaf(withNewAxes(value, window.newAxes, where));
}

void Importer::storeTo(const Window &window, const Leaf &value, QualType type, SourceLocation where) {
  if (!window.newAxes.empty()) {
    report(DiagnosticKind::StoreThroughNewAxis, where);
    return;
  }
  if (!isHeld(window.ref, where))
    return;
  type = type.getNonReferenceType();
  mlir::Value tile = types.isTile(type) ? value.value() : conform(value, type, type, {}, where);
  if (!tile)
    return;
  tile = broadcastTo(tile, cast<tile::RefType>(window.ref.getType()).getTileType(), where);
  if (tile)
    storeTile(tile, window.ref, {}, where);
}

/// A tile or a scalar in the shape of a block.
mlir::Value Importer::broadcastArgument(const Expr *argument, QualType element, ArrayRef<int64_t> shape) {
  Operand value = operand(argument);
  return conform(value.leaf, value.type, element, shape, argument->getExprLoc());
}

CallResult Importer::load(const IntrinsicCall &call) {
  Leaf ref = evaluate(call.arguments[0]);
  if (!ref)
    return {};
  if (call.arguments.size() == 1)
    return {loadFrom(Window{ref.value(), {}}, call.type(), call.where()), {}};
  if (types.is(call.arguments[1]->getType(), Known::LoadOptions)) {
    if (!isExplicit()) {
      report(DiagnosticKind::ExplicitOnly, call.where()) << "tg::load with a layout";
      return {};
    }
    Leaf tile = loadFrom(Window{ref.value(), {}}, call.type(), call.where());
    return {inLayout(tile, option(evaluateOperand(call.arguments[1]), "layout"), call.where()), {}};
  }
  if (isExplicit()) {
    report(DiagnosticKind::MaskedExplicit, call.where()) << spelled(call.callee);
    return {};
  }
  mlir::RankedTensorType type = cast<tile::RefType>(ref.value().getType()).getTileType();
  mlir::SmallVector<int64_t> shape(type.getShape());
  QualType element = types.shaped(call.arguments[0]->getType()).element.getUnqualifiedType();
  mlir::Location at = locate(call.where());
  mlir::Value mask = broadcastArgument(call.arguments[1], ast.BoolTy, shape), other;
  if (call.arguments.size() > 2) {
    other = broadcastArgument(call.arguments[2], element, shape);
  } else {
    other = filled(Leaf::number(0), ast.LongTy, element, type, {}, call.where());
  }
  if (!mask || !other)
    return {};
  mlir::Value value = loadTile(ref.value(), mask, other, call.where());
  return {types.isTile(call.type()) ? Leaf(value) : scalarOf(value, at), {}};
}

CallResult Importer::store(const IntrinsicCall &call) {
  QualType lvalue = call.arguments[0]->getType();
  Operand value = operand(call.arguments[1]);
  Leaf ref = evaluate(call.arguments[0]);
  if (!ref || !value.leaf || !isHeld(ref.value(), call.where()))
    return {};
  mlir::SmallVector<int64_t> shape(cast<tile::RefType>(ref.value().getType()).getTileType().getShape());
  mlir::Value tile = conform(value.leaf, value.type, types.shaped(lvalue).element, shape, call.where()), mask;
  bool isMasked = call.arguments.size() > 2;
  if (isMasked && isExplicit() && cast<tile::RefType>(ref.value().getType()).isShared()) {
    report(DiagnosticKind::MaskedExplicit, call.where()) << spelled(call.callee);
    return {};
  }
  if (isMasked)
    mask = broadcastArgument(call.arguments[2], ast.BoolTy, shape);
  if (tile && (mask || !isMasked))
    storeTile(tile, ref.value(), mask, call.where());
  return {};
}

ArrayRef<IntrinsicRow> accessRows() {
  static constexpr IntrinsicRow rows[] = {
      {Known::None, "load", Side::Device, member<&Importer::load>},
      {Known::None, "store", Side::Device, member<&Importer::store>},
  };
  return rows;
}

} // namespace tegula::frontend
