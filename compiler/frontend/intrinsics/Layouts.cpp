// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts that programs ask for, and ask about.
#include "frontend/intrinsics/Rows.h"
#include "ir/Elements.h"
#include "ir/TileText.h"
#include "layout/NamedLayouts.h"
#include "layout/TiledLayout.h"

using namespace clang;

namespace tegula::frontend {

/// Of tg::layout::kind, whose first enumerators are layout::LayoutName's.
static constexpr llvm::StringLiteral namesOfLayouts[] = {
    "wgmma",      "wgmma_8bit", "wgmma_upcast_2x", "wgmma_upcast_4x", "wgmma_transposed",
    "wg_strided", "mma_acc",    "mma_lhs",         "mma_rhs",         "smem_gmem_copy",
    "tiled"};
static_assert(std::size(namesOfLayouts) == layout::layoutNames + 1);

/// An array of integers; nothing if one is not known.
static std::optional<SmallVector<int64_t>> integersOf(Importer &importer, const Object &array, SourceLocation where) {
  SmallVector<int64_t> result;
  for (Object *part : array.parts) {
    std::optional<int64_t> known = importer.constantInt(importer.read(part, part->type, where));
    if (!known) {
      importer.report(DiagnosticKind::ArgumentNotConstant, where) << "the tiling";
      return std::nullopt;
    }
    result.push_back(*known);
  }
  return result;
}

/// Of a tg::tiling. What is 0 at the end of an array is not there.
static std::optional<layout::Tiling> tilingOf(Importer &importer, const Object *object, SourceLocation where) {
  if (!object || object->isPoisoned)
    return std::nullopt;
  auto field = [&](StringRef name) { return importer.option(const_cast<Object *>(object), name); };
  layout::Tiling tiling;
  for (Object *part : field("tiles")->parts) {
    std::optional<SmallVector<int64_t>> extents = integersOf(importer, *part, where);
    if (!extents)
      return std::nullopt;
    while (!extents->empty() && extents->back() == 0)
      extents->pop_back();
    tiling.tiles.emplace_back(extents->begin(), extents->end());
  }
  while (!tiling.tiles.empty() && tiling.tiles.back().empty())
    tiling.tiles.pop_back();
  for (auto [name, dims] : {std::pair("warp_dims", &tiling.warps), std::pair("lane_dims", &tiling.lanes)}) {
    for (Object *part : field(name)->parts) {
      std::optional<SmallVector<int64_t>> dim = integersOf(importer, *part, where);
      if (!dim)
        return std::nullopt;
      dims->push_back({(*dim)[0], (*dim)[1]});
    }
    while (!dims->empty() && dims->back().number == 0 && dims->back().copies == 0)
      dims->pop_back();
  }
  std::optional<int64_t> vector = importer.constantOption(const_cast<Object *>(object), "vector_dim", where);
  if (!vector)
    return std::nullopt;
  tiling.vector = *vector;
  return tiling;
}

/// For a tile of this shape, which may have dimensions in front of those of the tiling.
static layout::Expected<layout::DistributedLayout> layoutBy(const layout::Tiling &tiling, ArrayRef<int64_t> shape) {
  layout::Expected<layout::DistributedLayout> layout = layout::tiledLayout(tiling);
  if (layout && layout->rank() > shape.size())
    return layout::Failure{"it is of tiles of " + std::to_string(layout->rank()) + " dimensions"};
  while (layout && layout->rank() < shape.size())
    layout = layout->withUnitDim(0);
  return layout ? layout::fitting(*layout, {shape.data(), shape.size()}) : layout;
}

/// The tile, as it lies in what a tg::layout says; it itself if that is none.
Leaf Importer::inLayout(const Leaf &tile, const LValue &options, SourceLocation where) {
  std::optional<int64_t> name = constantOption(options, "name", where),
                         parameter = constantOption(options, "parameter", where),
                         reduced = constantOption(options, "reduced", where);
  if (!tile || !name || !parameter || !reduced)
    return {};
  if (*name > layout::layoutNames)
    return tile;
  auto type = cast<mlir::RankedTensorType>(tile.value().getType());
  mlir::SmallVector<int64_t> shape(type.getShape());
  // What a reduction has taken away was as long as any layout needs it.
  if (*reduced >= 0 && shape.size() == 1)
    shape.insert(shape.begin() + (*reduced == 0 ? 0 : 1), 256);
  bool isTiled = *name == layout::layoutNames;
  std::optional<layout::Tiling> tiling = isTiled ? tilingOf(*this, option(options, "tiles"), where) : layout::Tiling();
  if (!tiling)
    return {};
  const Element *element = elementOf(type.getElementType());
  auto found = isTiled ? layoutBy(*tiling, shape)
                       : layout::namedLayout(static_cast<layout::LayoutName>(*name), {shape.data(), shape.size()},
                                             std::max(8, static_cast<int>(element->bits)), *parameter);
  const char *wrong = *reduced > 1 ? ".reduce applies once to a layout of the tensor cores, along dimension 0 or 1"
                      : *reduced >= 0 && type.getRank() != 1
                          ? "the tile must have one dimension, the one that the reduction of a matrix leaves"
                          : nullptr;
  if (wrong || !found) {
    std::string asked = namesOfLayouts[*name].str();
    if (*reduced >= 0)
      asked += ".reduce";
    report(DiagnosticKind::Layout, where)
        << asked << tile::inWords(type) << (wrong ? std::string(wrong) : found.message());
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
