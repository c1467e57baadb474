// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts that programs ask for, and ask about.
#include "frontend/intrinsics/Rows.h"
#include "layout/NamedLayouts.h"

using namespace clang;

namespace tegula::frontend {

/// Of tg::layout::kind, whose first enumerators are layout::LayoutName's.
static constexpr llvm::StringLiteral layoutNames[] = {
    "wgmma",      "wgmma_8bit", "wgmma_upcast_2x", "wgmma_upcast_4x", "wgmma_transposed",
    "wg_strided", "mma_acc",    "mma_lhs",         "mma_rhs",         "smem_gmem_copy"};

/// The tile, as it lies in what a tg::layout says; it itself if that is none.
Leaf Importer::inLayout(const Leaf &tile, const LValue &options, SourceLocation where) {
  std::optional<int64_t> name = constantOption(options, "name", where),
                         parameter = constantOption(options, "parameter", where),
                         reduced = constantOption(options, "reduced", where);
  if (!tile || !name || !parameter || !reduced)
    return {};
  if (*name >= static_cast<int64_t>(std::size(layoutNames)))
    return tile;
  auto type = cast<mlir::RankedTensorType>(tile.value().getType());
  mlir::SmallVector<int64_t> shape(type.getShape());
  // What a reduction has taken away was as long as any layout needs it.
  if (*reduced >= 0 && shape.size() == 1)
    shape.insert(shape.begin() + (*reduced == 0 ? 0 : 1), 256);
  const Element *element = elementOf(type.getElementType());
  auto found = layout::namedLayout(static_cast<layout::LayoutName>(*name), {shape.data(), shape.size()},
                                   std::max(8, static_cast<int>(element->bits)), *parameter);
  const char *wrong = *reduced > 1 ? "a layout of the tensor cores is reduced once, along 0 or 1"
                      : *reduced >= 0 && type.getRank() != 1 ? "what a reduction leaves of a matrix has one dimension"
                                                             : nullptr;
  if (wrong || !found) {
    std::string text, asked = layoutNames[*name].str();
    llvm::raw_string_ostream(text) << type;
    if (*reduced >= 0)
      asked += ".reduce";
    report(DiagnosticKind::Layout, where) << asked << text << (wrong ? std::string(wrong) : found.message());
    return {};
  }
  layout::DistributedLayout layout = *reduced < 0 ? *found : found->withoutDim(static_cast<unsigned>(*reduced));
  return Leaf(builder.create<tile::LayoutCastOp>(locate(where), tile.value(),
                                                 tile::LayoutAttr::get(builder.getContext(), layout)));
}

static CallResult layoutCast(Importer &importer, const IntrinsicCall &call) {
  Leaf tile = importer.evaluate(call.arguments[0]);
  return {importer.inLayout(tile, importer.evaluateOperand(call.arguments[1]), call.where()), {}};
}

static CallResult printLayout(Importer &importer, const IntrinsicCall &call) {
  const StringLiteral *format = importer.literalArgument(call.arguments[0]);
  Leaf value = importer.evaluate(call.arguments[1]);
  if (!format || !value)
    return {};
  if (StringRef text = format->getString(); text.count("{}") != 1)
    importer.report(DiagnosticKind::PrintCount, call.where()) << int64_t(text.count("{}")) << int64_t(1);
  else
    importer.builder.create<tile::PrintLayoutOp>(importer.locate(call.where()), importer.builder.getStringAttr(text),
                                                 value.value());
  return {};
}

ArrayRef<IntrinsicRow> layoutRows() {
  static constexpr IntrinsicRow rows[] = {
      {Known::None, "layout_cast", Side::Explicit, &layoutCast},
      {Known::None, "print_layout", Side::Explicit, &printLayout},
  };
  return rows;
}

} // namespace tegula::frontend
