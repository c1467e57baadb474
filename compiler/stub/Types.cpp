// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stub/Types.h"

#include "ir/Elements.h"
#include "ir/TileDialect.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace tegula::stub {

std::string typeName(Type element) { return tegula::elementOf(element)->cxx.str(); }

std::string typeName(Type element, bool isConst) { return (isConst ? "const " : "") + typeName(element); }

bool isUnsigned(Type element) { return element.isUnsignedInteger(); }
bool isNarrowFloat(Type type) { return type.isF16() || type.isBF16(); }

Expr literal(Attribute value, Type element) {
  if (auto number = dyn_cast<FloatAttr>(value)) {
    if (!isNarrowFloat(element))
      return floatLiteral(number.getValue());
    APFloat wide = number.getValue();
    bool losesInfo = false;
    wide.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &losesInfo);
    return call(typeName(element), floatLiteral(wide));
  }
  APInt number = cast<IntegerAttr>(value).getValue();
  if (element.isInteger(1))
    return {number.isZero() ? "false" : "true"};
  if (isStored(element))
    return call(typeName(element) + "::from_bits", integerLiteral(number, /*isUnsigned=*/true));
  return integerLiteral(number, isUnsigned(element));
}

Expr typed(const Expr &value, Type element) { return value.isLiteral ? braced(typeName(element), value) : value; }

Type elementTypeOf(Value tile) { return cast<RankedTensorType>(tile.getType()).getElementType(); }

Expr asElement(const Expr &scalar, Type element) {
  return isUnsigned(element) ? staticCast(typeName(element), scalar) : typed(scalar, element);
}

Expr asScalar(const Expr &value, Type element) {
  return isUnsigned(element) ? staticCast(typeName(tile::scalarTypeOf(element)), value) : value;
}

} // namespace tegula::stub
