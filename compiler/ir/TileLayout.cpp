// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// #tile.layout: a layout of compiler/layout as an attribute.
#include "ir/TileDialect.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace tegula::tile;

/// Steps over one token of a layout's text; false at what is none.
static bool skipToken(AsmParser &parser, int &depth) {
  StringRef word;
  uint64_t number = 0;
  if (succeeded(parser.parseOptionalLess()) || succeeded(parser.parseOptionalLSquare()) ||
      succeeded(parser.parseOptionalLParen()))
    return ++depth, true;
  if (depth > 0 && (succeeded(parser.parseOptionalGreater()) || succeeded(parser.parseOptionalRSquare()) ||
                    succeeded(parser.parseOptionalRParen())))
    return --depth, true;
  return succeeded(parser.parseOptionalComma()) || succeeded(parser.parseOptionalArrow()) ||
         succeeded(parser.parseOptionalKeyword(&word)) || parser.parseOptionalInteger(number).has_value();
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  // The layout library reads its own text; here it is only delimited.
  llvm::SMLoc begin = parser.getCurrentLocation();
  for (int depth = 0; skipToken(parser, depth);)
    ;
  llvm::SMLoc end = parser.getCurrentLocation();
  std::string_view text(begin.getPointer(), static_cast<size_t>(end.getPointer() - begin.getPointer()));
  layout::Expected<layout::DistributedLayout> parsed = layout::DistributedLayout::parse(text);
  if (!parsed) {
    parser.emitError(begin) << parsed.message();
    return {};
  }
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), *parsed);
}

void LayoutAttr::print(AsmPrinter &printer) const { printer << '<' << getLayout().str() << '>'; }

tegula::layout::Placement tegula::tile::placementOf(RankedTensorType type) {
  auto encoding = cast<LayoutAttr>(type.getEncoding());
  return *encoding.getLayout().on({type.getShape().data(), type.getShape().size()}); // The type's verifier tried it.
}

LogicalResult LayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                         llvm::function_ref<InFlightDiagnostic()> emitError) const {
  if (ShapedType::isDynamicShape(shape))
    return emitError() << "a tile with a layout has a static shape";
  if (layout::Expected<layout::Placement> placed = getLayout().on({shape.data(), shape.size()}); !placed)
    return emitError() << placed.message();
  return success();
}
