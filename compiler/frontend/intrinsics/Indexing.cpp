// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What brackets make of an array, a place, a tile or an accumulator.
#include "frontend/intrinsics/Rows.h"
#include "frontend/intrinsics/Slices.h"

#include "mlir/IR/Matchers.h"

using namespace clang;

namespace tegula::frontend {

static bool isShared(const Leaf &ref) {
  auto type = dyn_cast<tile::RefType>(ref.value().getType());
  return type && type.isShared();
}

static bool isTable(const Leaf &ref) {
  auto type = dyn_cast<tile::RefType>(ref.value().getType());
  return type && type.isTable();
}

/// One array of a list, where the brackets begin with its number: what is left of them is about that array.
static mlir::Value takeArray(Importer &importer, mlir::Value ref, Slices &slices, SourceLocation where) {
  constexpr auto whole = static_cast<int32_t>(tile::SliceMode::Whole);
  auto type = cast<tile::RefType>(ref.getType());
  if (!type.isTable() || static_cast<tile::SliceMode>(slices.modes.front()) != tile::SliceMode::Element)
    return ref;
  mlir::SmallVector<int32_t> modes(slices.modes.size(), whole);
  modes.front() = slices.modes.front();
  slices.modes.erase(slices.modes.begin());
  slices.isWhole = llvm::all_of(slices.modes, [](int32_t mode) { return mode == whole; });
  mlir::Value number = slices.offsets.front();
  slices.offsets.erase(slices.offsets.begin());
  for (Slices::Strided &strided : slices.strided)
    --strided.dim;
  return importer.builder.create<tile::SliceOp>(importer.locate(where),
                                                type.sliced(/*takesElement=*/true, type.getDims().drop_front()), ref,
                                                number, mlir::ValueRange(), modes, /*spec=*/false);
}

static mlir::Value narrow(Importer &importer, mlir::Value ref, Slices &slices, SourceLocation where) {
  if (!slices.strided.empty()) // Of a list itself there are no steps.
    ref = takeArray(importer, ref, slices, where);
  for (const Slices::Strided &strided : slices.strided) {
    auto type = cast<tile::RefType>(ref.getType());
    mlir::SmallVector<int64_t> dims(type.getDims());
    dims[strided.dim] = strided.size ? strided.bound : tile::RefType::atMost(strided.bound);
    ref = importer.builder.create<tile::StridedSliceOp>(
        importer.locate(where), tile::RefType::get(type.getElementType(), dims), ref,
        importer.builder.getI64IntegerAttr(strided.dim), strided.offset, strided.step, strided.size);
  }
  if (slices.isWhole) {
    importer.outsidePlaces.note(ref, slices.outside);
    return ref;
  }
  auto source = cast<tile::RefType>(ref.getType());
  mlir::SmallVector<int64_t> dims;
  unsigned at = 0;
  for (auto [i, mode] : llvm::enumerate(slices.modes)) {
    if (static_cast<tile::SliceMode>(mode) == tile::SliceMode::Element)
      continue;
    int64_t size = slices.kept[at++];
    dims.push_back(size == kWhole                                           ? source.getDims()[i]
                   : mlir::ShapedType::isDynamic(size) || source.isShared() ? size
                                                                            : tile::RefType::atMost(size));
  }
  bool takesElement = static_cast<tile::SliceMode>(slices.modes.front()) == tile::SliceMode::Element;
  auto type = source.isShared() ? tile::RefType::inShared(source.getElementType(), dims, source.getSwizzle())
                                : source.sliced(takesElement, dims);
  mlir::Value place = importer.builder.create<tile::SliceOp>(importer.locate(where), type, ref, slices.offsets,
                                                             slices.sizes, slices.modes, /*spec=*/false);
  importer.outsidePlaces.note(place, slices.outside);
  return place;
}

/// The shape that tiles have together.
static mlir::SmallVector<int64_t> shapeTogether(ArrayRef<Slices::TileOfIndices> tiles) {
  mlir::SmallVector<int64_t> shape;
  for (const auto &[tile, dim] : tiles) {
    ArrayRef<int64_t> own = cast<mlir::RankedTensorType>(tile.leaf.value().getType()).getShape();
    if (own.size() > shape.size())
      shape.insert(shape.begin(), own.size() - shape.size(), 1);
    for (size_t i = 1; i <= own.size(); ++i)
      if (int64_t &size = shape[shape.size() - i]; size == 1)
        size = own[own.size() - i];
  }
  return shape;
}

/// The tiles of indices in one shape; and new axes behind them, whose places are those among all dimensions then. False
/// if they do not broadcast together, which has been reported.
static bool indicesOf(Importer &importer, Slices &slices, mlir::SmallVectorImpl<mlir::Value> &indices,
                      mlir::SmallVectorImpl<int64_t> &dims) {
  mlir::SmallVector<int64_t> shape = shapeTogether(slices.tiles);
  for (const auto &[tile, dim] : slices.tiles) {
    QualType element = importer.types.shaped(tile.type).element;
    mlir::Value each = importer.conform(tile.leaf, tile.type, element, shape, tile.where);
    if (!each)
      return false;
    indices.push_back(each);
    dims.push_back(dim);
  }
  for (int64_t &axis : llvm::drop_begin(slices.newAxes, slices.newAxesBefore))
    axis += static_cast<int64_t>(shape.size());
  return true;
}

/// A place at indices: of a window, if there are none.
static mlir::Value placeOf(Importer &importer, mlir::Value ref, Slices &slices, SourceLocation where) {
  bool isAll = slices.isWhole && slices.tiles.empty() && slices.strided.empty();
  if (!isAll && importer.refuseIndexedPlace(Leaf(ref), where))
    return {};
  IndexedPlace place{narrow(importer, ref, slices, where), {}, {}, 0};
  if (slices.tiles.empty())
    return place.ref;
  if (!indicesOf(importer, slices, place.indices, place.dims))
    return {};
  place.position = place.dims.front();
  return importer.indexedPlaces.add(importer.builder, importer.locate(where), std::move(place));
}

/// Elements of a tile at a step, which their indices select.
static mlir::Value stridedPartOf(Importer &importer, mlir::Value value, const Slices::Strided &strided,
                                 SourceLocation where) {
  mlir::OpBuilder &builder = importer.builder;
  mlir::Location at = importer.locate(where);
  auto given = cast<mlir::RankedTensorType>(value.getType());
  auto type = mlir::RankedTensorType::get({strided.bound}, builder.getI64Type());
  auto full = [&](mlir::Value scalar) { return builder.create<tile::FullOp>(at, type, scalar, mlir::ValueRange()); };
  // As many as are there: ceil((dim - start) / step), and no more than are asked for.
  auto number = [&](int64_t value) -> mlir::Value {
    return builder.create<mlir::arith::ConstantOp>(at, builder.getI64IntegerAttr(value));
  };
  mlir::Value dim = builder.create<tile::DimOp>(at, builder.getI64Type(), value, strided.dim);
  mlir::Value rest = builder.create<mlir::arith::SubIOp>(at, dim, strided.offset);
  rest = builder.create<mlir::arith::CeilDivSIOp>(at, rest, strided.step);
  rest = builder.create<mlir::arith::MaxSIOp>(at, rest, number(0));
  mlir::Value count = builder.create<mlir::arith::MinSIOp>(at, rest, number(strided.bound));
  mlir::Value indices = builder.create<tile::IotaOp>(at, type, builder.getI64IntegerAttr(0), mlir::Value(), count);
  indices = builder.create<tile::MulOp>(at, type, indices, full(strided.step));
  indices = builder.create<tile::AddOp>(at, type, indices, full(strided.offset));
  mlir::SmallVector<int64_t> shape(given.getShape());
  shape[strided.dim] = strided.bound;
  return builder.create<tile::TakeOp>(at, mlir::RankedTensorType::get(shape, given.getElementType()), value,
                                      mlir::ValueRange(indices), llvm::ArrayRef(strided.dim), strided.dim);
}

static mlir::Value partOf(Importer &importer, mlir::Value value, Slices &slices, SourceLocation where) {
  for (const Slices::Strided &strided : slices.strided)
    value = stridedPartOf(importer, value, strided, where);
  if (!slices.isWhole) {
    auto given = cast<mlir::RankedTensorType>(value.getType());
    mlir::SmallVector<int64_t> shape;
    unsigned at = 0;
    for (auto [i, mode] : llvm::enumerate(slices.modes))
      if (static_cast<tile::SliceMode>(mode) != tile::SliceMode::Element) {
        int64_t size = slices.kept[at++];
        shape.push_back(size == kWhole ? given.getDimSize(i) : size);
      }
    auto type = mlir::RankedTensorType::get(shape, given.getElementType());
    value = importer.builder.create<tile::SubtileOp>(importer.locate(where), type, value, slices.offsets, slices.sizes,
                                                     slices.modes);
  }
  if (!slices.tiles.empty()) {
    mlir::SmallVector<mlir::Value> indices;
    mlir::SmallVector<int64_t> dims;
    if (!indicesOf(importer, slices, indices, dims))
      return {};
    auto given = cast<mlir::RankedTensorType>(value.getType());
    mlir::SmallVector<int64_t> shape;
    for (auto [dim, size] : llvm::enumerate(given.getShape()))
      if (!llvm::is_contained(dims, static_cast<int64_t>(dim)))
        shape.push_back(size);
    ArrayRef<int64_t> own = cast<mlir::RankedTensorType>(indices.front().getType()).getShape();
    shape.insert(shape.begin() + dims.front(), own.begin(), own.end());
    auto type = mlir::RankedTensorType::get(shape, given.getElementType());
    value = importer.builder.create<tile::TakeOp>(importer.locate(where), type, value, indices, dims, dims.front());
  }
  return importer.withNewAxes(value, slices.newAxes, where);
}

/// Whoever asks for an accumulator waits for all: so none of them is read before a wait that it passes through.
CallResult Importer::partOfAccumulator(const IntrinsicCall &call) {
  SourceLocation where = call.where();
  Object *accumulator = accumulatorOf(call.arguments[0]);
  std::optional<Slices> slices =
      slicesOf(*this, call, types.shaped(call.arguments[0]->getType()).extents, /*isStatic=*/true);
  if (!accumulator || !slices)
    return {};
  mlir::Location at = locate(where);
  waitForProducts(0, at);
  if (slices->isWhole && slices->newAxes.empty() && !accumulator->accumulator)
    return {{}, accumulator};
  mlir::Value value = partOf(*this, accumulatorTile(accumulator, where), *slices, where);
  QualType type = call.type().getNonReferenceType();
  Object *part = holding(types.isTile(type) ? Leaf(value) : scalarOf(value, at), type);
  part->isPart = true;
  return {{}, part};
}

/// acc.at(...): what a product adds to, or a wait reads later.
CallResult Importer::placeInAccumulator(const IntrinsicCall &call) {
  Object *accumulator = accumulatorOf(call.arguments[0]);
  std::optional<Slices> slices =
      slicesOf(*this, call, types.shaped(call.arguments[0]->getType()).extents, /*isStatic=*/true);
  if (!accumulator || !slices)
    return {};
  if (!slices->newAxes.empty()) {
    report(DiagnosticKind::NewAxisOfRef, call.where());
    return {};
  }
  llvm::SmallVector<int64_t, 2> begin;
  unsigned next = 0;
  for (int32_t mode : slices->modes) {
    llvm::APInt offset(64, 0);
    bool isWhole = static_cast<tile::SliceMode>(mode) == tile::SliceMode::Whole;
    if (!isWhole && !mlir::matchPattern(slices->offsets[next++], mlir::m_ConstantInt(&offset)))
      offset = -1;
    begin.push_back(offset.getSExtValue());
  }
  if (begin[0] < 0 || begin[1] < 0 || begin[0] % 64 != 0 || begin[1] % 8 != 0) {
    report(DiagnosticKind::AccumulatorPlace, call.where());
    return {};
  }
  Object &part = objects.emplace_back();
  part.type = call.type().getNonReferenceType().getCanonicalType().getUnqualifiedType();
  part.accumulator = accumulator;
  part.row = begin[0];
  part.column = begin[1];
  return {{}, &part};
}

CallResult Importer::subscript(const IntrinsicCall &call) {
  QualType type = call.arguments[0]->getType();
  SourceLocation where = call.where();
  if (types.isAccumulator(type))
    return partOfAccumulator(call);
  Leaf source = evaluate(call.arguments[0]);
  if (!source)
    return {};
  bool isTile = types.isTile(type);
  std::optional<Slices> slices =
      slicesOf(*this, call, types.shaped(type).extents, isTile || isShared(source), isTable(source));
  if (!slices)
    return {};
  if (!isTile) {
    mlir::Value place = placeOf(*this, source.value(), *slices, where);
    return {{}, place ? LValue(Window{place, slices->newAxes}) : LValue()};
  }

  mlir::Value value = partOf(*this, source.value(), *slices, where);
  if (!value)
    return {};
  return {types.isTile(call.type()) ? Leaf(value) : scalarOf(value, locate(where)), {}};
}

mlir::Value Importer::withNewAxes(mlir::Value tile, ArrayRef<int64_t> newAxes, SourceLocation where) {
  if (newAxes.empty())
    return tile;
  auto given = cast<mlir::RankedTensorType>(tile.getType());
  mlir::SmallVector<int64_t> shape(given.getRank() + newAxes.size(), 1), dims;
  for (int64_t i = 0; i < static_cast<int64_t>(shape.size()); ++i)
    if (!llvm::is_contained(newAxes, i)) {
      shape[i] = given.getDimSize(dims.size());
      dims.push_back(i);
    }
  auto type = mlir::RankedTensorType::get(shape, given.getElementType());
  return builder.create<tile::BroadcastOp>(locate(where), type, tile, dims);
}

CallResult Importer::at(const IntrinsicCall &call) {
  if (types.isAccumulator(call.arguments[0]->getType())) {
    refuseCall(call.callee, call.where());
    return {};
  }
  Leaf source = evaluate(call.arguments[0]);
  if (!source)
    return {};
  std::optional<Slices> slices =
      slicesOf(*this, call, types.shaped(call.arguments[0]->getType()).extents, isShared(source), isTable(source));
  if (!slices)
    return {};
  if (!slices->newAxes.empty()) {
    report(DiagnosticKind::NewAxisOfRef, call.where());
    return {};
  }
  mlir::Value place = placeOf(*this, source.value(), *slices, call.where());
  return {place ? Leaf(place) : Leaf(), {}};
}

ArrayRef<IntrinsicRow> indexingRows() {
  static constexpr IntrinsicRow rows[] = {
      {Known::Ref, "at", Side::Device, member<&Importer::at>},
  };
  return rows;
}

} // namespace tegula::frontend
