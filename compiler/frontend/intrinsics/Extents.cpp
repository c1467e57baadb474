// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extents of arrays, places and tiles.
#include "frontend/intrinsics/Rows.h"

using namespace clang;

namespace tegula::frontend {

std::optional<int64_t> Importer::constantArgument(const Expr *argument, StringRef what) {
  Operand value = operand(argument);
  if (!value.leaf)
    return std::nullopt;
  std::optional<int64_t> constant = constantInt(value.leaf);
  if (!constant)
    report(DiagnosticKind::ArgumentNotConstant, argument->getExprLoc()) << what << argument->getSourceRange();
  return constant;
}

CallResult Importer::dim(const IntrinsicCall &call) {
  Leaf source = evaluate(call.arguments[0]);
  std::optional<int64_t> axis = constantArgument(call.arguments[1], "the axis of dim");
  if (!source || !axis || refuseIndexedPlace(source, call.where()))
    return {};
  int64_t rank = types.shaped(call.arguments[0]->getType()).extents.size();
  if (*axis < 0 || *axis >= rank) {
    report(DiagnosticKind::NoSuchDimension, call.arguments[1]->getExprLoc()) << *axis << rank;
    return {};
  }
  mlir::Value of = source.value();
  mlir::OpBuilder::InsertionGuard guard(builder);
  // The bound of a loop that counts is known before it.
  bool isOfArray = isExplicit() && isa<mlir::BlockArgument>(of);
  if (isOfArray)
    goToLaunchStart();
  mlir::Value dim = dimOf(of, *axis, locate(call.where()));
  if (isOfArray)
    hoisted(dim.getDefiningOp());
  return {Leaf(dim), {}};
}

CallResult Importer::size(const IntrinsicCall &call) {
  Leaf source = evaluate(call.arguments[0]);
  if (!source)
    return {};
  mlir::Location at = locate(call.where());
  QualType s64 = ast.getIntTypeForBitwidth(64, /*Signed=*/true);
  Leaf product = Leaf::number(1);
  int64_t rank = types.shaped(call.arguments[0]->getType()).extents.size();
  for (int64_t i = 0; i < rank; ++i) {
    Leaf dim(dimOf(source.value(), i, at));
    product = i == 0 ? dim : binary(BO_Mul, product, s64, dim, s64, call.where());
  }
  return {product, {}};
}

CallResult Importer::sizeOfList(const IntrinsicCall &call) {
  Leaf source = evaluate(call.arguments[0]);
  return source ? CallResult{Leaf(dimOf(source.value(), 0, locate(call.where()))), {}} : CallResult();
}

ArrayRef<IntrinsicRow> extentRows() {
  static constexpr IntrinsicRow rows[] = {
      {Known::Tile, "dim", Side::Device, member<&Importer::dim>},
      {Known::Ref, "dim", Side::Both, member<&Importer::dim>},
      {Known::Array, "size", Side::Both, member<&Importer::size>},
      {Known::Arrays, "size", Side::Both, member<&Importer::sizeOfList>},
  };
  return rows;
}

} // namespace tegula::frontend
