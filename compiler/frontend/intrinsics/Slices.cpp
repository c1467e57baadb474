// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices, windows and tiles of indices between brackets; tg::ds.
#include "frontend/intrinsics/Slices.h"

#include "frontend/intrinsics/Rows.h"

using namespace clang;

namespace tegula::frontend {

namespace {
/// Takes one index after the other, each with the dimension of the source that it is about.
class SliceBuilder {
public:
  SliceBuilder(Importer &importer, ArrayRef<int64_t> extents, bool isStatic, bool isTable)
      : importer(importer), extents(extents), isStatic(isStatic), isTable(isTable) {}

  bool add(const Expr *index);
  Slices finish() {
    while (slices.modes.size() < extents.size())
      keepWhole();
    return std::move(slices);
  }

private:
  void keepWhole() {
    slices.modes.push_back(static_cast<int32_t>(tile::SliceMode::Whole));
    slices.kept.push_back(kWhole);
  }
  bool addInteger(const Leaf &leaf, QualType type, SourceLocation where);
  bool addWindow(const Expr *index, QualType type);
  bool addTile(const Operand &tile);
  /// Refuses constants that lie outside a tile or shared memory, and notes those outside an array.
  bool check(const Leaf &start, int64_t size, bool isWindow, SourceLocation where);

  Importer &importer;
  ArrayRef<int64_t> extents;
  /// Of a tile or of shared memory.
  bool isStatic;
  /// The first dimension counts arrays.
  bool isTable;
  Slices slices;
};
} // namespace

bool SliceBuilder::check(const Leaf &start, int64_t size, bool isWindow, SourceLocation where) {
  std::optional<int64_t> constant = importer.constantInt(start);
  int64_t extent = extents[slices.modes.size()];
  if (extent < 0 && importer.isExplicit()) // Copies fill what lies before an array, too.
    return true;
  bool isBefore = constant && *constant < 0;
  if (!isBefore && !(constant && extent >= 0 && *constant + size > extent))
    return true;
  OutsideIndex outside{isBefore, isWindow, isBefore ? *constant : *constant + size - 1, extent,
                       importer.positionOf(where)};
  if (isStatic || (isTable && slices.modes.empty())) { // Also where a mask is false, a list has the array.
    outside.report(importer);
    return false;
  }
  if (!slices.outside || (isBefore && !slices.outside->isBefore)) // Less is right before an array than behind it.
    slices.outside = std::move(outside);
  return true;
}

bool SliceBuilder::addInteger(const Leaf &leaf, QualType type, SourceLocation where) {
  if (!leaf || !check(leaf, 1, /*isWindow=*/false, where))
    return false;
  mlir::Value offset = importer.indexOf(leaf, type, where);
  slices.modes.push_back(static_cast<int32_t>(tile::SliceMode::Element));
  slices.offsets.push_back(offset);
  slices.isWhole = false;
  return offset != nullptr;
}

bool SliceBuilder::addWindow(const Expr *index, QualType type) {
  SourceLocation where = index->getExprLoc();
  LValue slice = importer.evaluateOperand(index);
  if (!slice.object || slice.object->isPoisoned || slice.object->parts.size() != 3)
    return false;
  QualType s64 = importer.ast.getIntTypeForBitwidth(64, /*Signed=*/true);
  auto part = [&](size_t i) { return importer.read(slice.object->parts[i], s64, where); };
  Leaf start = part(0), step = part(2);
  int64_t size = importer.types.integerArgument(type);
  std::optional<int64_t> by = importer.constantInt(step);
  if (by && *by < 1) {
    importer.report(DiagnosticKind::SliceStep, where) << *by;
    return false;
  }
  if (by != 1 && importer.isExplicit()) {
    importer.report(DiagnosticKind::StridedExplicit, where);
    return false;
  }
  if (!start || !check(start, size < 0 ? 1 : (size - 1) * by.value_or(1) + 1, /*isWindow=*/true, where))
    return false;
  if (size < 0 && isStatic) {
    importer.report(DiagnosticKind::RunTimeTileSlice, where);
    return false;
  }
  auto integer = [&](const Leaf &leaf) { return importer.indexOf(leaf, s64, where); };
  if (by != 1) {
    int64_t bound = size < 0 ? mlir::ShapedType::kDynamic : size;
    slices.strided.push_back({static_cast<int64_t>(slices.modes.size()), integer(start), integer(step), bound,
                              size < 0 ? integer(part(1)) : mlir::Value()});
    keepWhole();
    return true;
  }
  if (size < 0)
    slices.sizes.push_back(integer(part(1)));
  slices.offsets.push_back(integer(start));
  slices.modes.push_back(static_cast<int32_t>(tile::SliceMode::Window));
  slices.kept.push_back(size < 0 ? mlir::ShapedType::kDynamic : size);
  slices.isWhole = false;
  return true;
}

/// Of a tile of indices, the dimension is kept whole, and the tile put in its place when all are known.
bool SliceBuilder::addTile(const Operand &tile) {
  if (!tile.leaf)
    return false;
  if (importer.isExplicit()) {
    importer.report(DiagnosticKind::TileIndex, tile.where);
    return false;
  }
  if (slices.tiles.empty())
    slices.newAxesBefore = slices.newAxes.size();
  slices.tiles.push_back({tile, static_cast<int64_t>(slices.kept.size())});
  keepWhole();
  return true;
}

bool SliceBuilder::add(const Expr *index) {
  QualType type = index->getType().getCanonicalType().getUnqualifiedType();
  SourceLocation where = index->getExprLoc();
  switch (importer.types.known(type)) {
  case Known::NewAxis:
    slices.newAxes.push_back(slices.kept.size() - slices.tiles.size() + slices.newAxes.size());
    return true;
  case Known::All:
    keepWhole();
    return true;
  case Known::Slice:
    return addWindow(index, type);
  default: {
    Operand integer = importer.operand(index);
    if (importer.types.isTile(type))
      return addTile(integer);
    return addInteger(integer.leaf, integer.type, where);
  }
  }
}

std::optional<Slices> slicesOf(Importer &importer, const IntrinsicCall &call, ArrayRef<int64_t> extents, bool isStatic,
                               bool isTable) {
  SliceBuilder slices(importer, extents, isStatic, isTable);
  bool isValid = true;
  for (const Expr *index : ArrayRef(call.arguments).drop_front())
    isValid &= isValid && slices.add(index);
  return isValid ? std::optional(slices.finish()) : std::nullopt;
}

CallResult Importer::ds(const IntrinsicCall &call) {
  QualType s64 = ast.getIntTypeForBitwidth(64, /*Signed=*/true);
  Object *slice = temporary(call.type(), call.where());
  Leaf start = evaluate(call.arguments[0]);
  int64_t size = types.integerArgument(call.type());
  Leaf extent = size < 0 ? evaluate(call.arguments[1]) : Leaf::number(size);
  size_t others = size < 0 ? 2 : 1;
  Leaf step = call.arguments.size() > others ? evaluate(call.arguments[others]) : Leaf::number(1);
  slice->isPoisoned = !start || !extent || !step;
  slice->parts = {holding(start, s64), holding(extent, s64), holding(step, s64)};
  return {{}, slice};
}

ArrayRef<IntrinsicRow> sliceRows() {
  static constexpr IntrinsicRow rows[] = {
      {Known::None, "ds", Side::Device, member<&Importer::ds>},
  };
  return rows;
}

} // namespace tegula::frontend
