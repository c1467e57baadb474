// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions of the program's own, and what they mean.
#include "frontend/intrinsics/Rows.h"
#include "ir/PtxText.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace clang;

namespace tegula::frontend {

/// The instance of a function that takes such elements: one that is generic has several.
static const FunctionDecl *meaningOf(const Importer &importer, const Object &function, ArrayRef<QualType> elements) {
  SmallVector<const FunctionDecl *> found;
  callOperators(importer.ast, function, found);
  const FunctionDecl *any = nullptr;
  for (const FunctionDecl *candidate : found) {
    if (candidate->getNumParams() != elements.size())
      continue;
    any = candidate;
    if (llvm::all_of(llvm::zip(candidate->parameters(), elements), [](auto pair) {
          QualType type = std::get<0>(pair)->getType().getNonReferenceType();
          return type.getCanonicalType().getUnqualifiedType() ==
                 std::get<1>(pair).getCanonicalType().getUnqualifiedType();
        }))
      return candidate;
  }
  return any;
}

/// Gives a region constants of its own; false if it takes more from outside.
static bool isolate(mlir::Region &region) {
  mlir::OpBuilder builder(region);
  llvm::SetVector<mlir::Value> outer;
  mlir::getUsedValuesDefinedAbove(region, outer);
  for (mlir::Value value : outer) {
    mlir::Operation *constant = value.getDefiningOp();
    if (!constant || !constant->hasTrait<mlir::OpTrait::ConstantLike>())
      return false;
    mlir::replaceAllUsesInRegionWith(value, builder.clone(*constant)->getResult(0), region);
  }
  return true;
}

CallResult Importer::inlinePtx(const IntrinsicCall &call) {
  const StringLiteral *text = literalArgument(call.arguments[0]);
  Object *function = evaluateOperand(call.arguments[1]).object;
  QualType type = call.type().getNonReferenceType();
  auto elementOf = [&](QualType of) { return types.isTile(of) ? types.shaped(of).element : of; };
  llvm::SmallVector<int64_t, 4> shape = types.tileShape(type);
  SmallVector<QualType> elements;
  mlir::SmallVector<mlir::Value> values;
  for (const Expr *argument : ArrayRef(call.arguments).drop_front(2)) {
    Operand given = operand(argument);
    elements.push_back(elementOf(given.type));
    values.push_back(conform(given.leaf, given.type, elements.back(), shape, given.where));
    if (!values.back())
      return {};
  }
  const FunctionDecl *meaning = function && !function->isPoisoned ? meaningOf(*this, *function, elements) : nullptr;
  if (!text || !meaning)
    return {};
  if (std::optional<std::string> flaw = tile::flawOfPtx(text->getString(), values.size())) {
    report(DiagnosticKind::InlineText, call.arguments[0]->getExprLoc()) << *flaw;
    return {};
  }
  QualType element = elementOf(type);
  mlir::Location at = locate(call.where());
  auto op = builder.create<tile::InlinePtxOp>(at, types.tile(element, shape), text->getString(), values);
  SmallVector<SmallVector<QualType>> parameters;
  for (QualType each : elements)
    parameters.push_back({each});
  if (!importMeaning(call, {meaning, function, call.arguments[1]->getExprLoc()}, parameters, element,
                     op.getMeaning())) {
    op.erase();
    return {};
  }
  if (!isolate(op.getMeaning())) {
    report(DiagnosticKind::InlineCapture, call.arguments[1]->getExprLoc());
    op.erase();
    return {};
  }
  if (types.isTile(type))
    return {Leaf(op.getResult()), {}};
  return {scalarOf(op.getResult(), at), {}};
}

ArrayRef<IntrinsicRow> inlineRows() {
  static constexpr IntrinsicRow rows[] = {
      {Known::None, "inline_ptx", Side::Device, member<&Importer::inlinePtx>},
  };
  return rows;
}

} // namespace tegula::frontend
