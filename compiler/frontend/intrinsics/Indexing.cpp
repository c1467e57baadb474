// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Brackets: slices, loads, stores, and parts of tiles.
#include "frontend/intrinsics/Rows.h"

#include "mlir/IR/Matchers.h"

using namespace clang;

namespace tegula::frontend {

namespace {
/// What brackets say, dimension by dimension of the source.
struct Slices {
  mlir::SmallVector<mlir::Value> offsets, sizes;
  mlir::SmallVector<int32_t> modes;
  /// The size of each dimension that is kept; kWhole where it is that of the source.
  mlir::SmallVector<int64_t> kept;
  llvm::SmallVector<int64_t, 2> newAxes;
  bool isWhole = true;
  /// Tiles of indices, and the dimensions that they are of, among those that are kept.
  struct TileOfIndices {
    Operand tile;
    int64_t dim;
  };
  llvm::SmallVector<TileOfIndices, 2> tiles;
  /// Windows with a step, which are taken first: the rest keeps these dimensions whole.
  struct Strided {
    int64_t dim;
    mlir::Value offset, step;
    /// kDynamic: `size` says it at run time.
    int64_t bound;
    mlir::Value size;
  };
  llvm::SmallVector<Strided, 2> strided;
  /// How many new dimensions come before the first tile of indices.
  size_t newAxesBefore = 0;
};
constexpr int64_t kWhole = 0;
} // namespace

/// One index, and the dimension of the source that it takes; -1 is an extent known at run time.
class SliceBuilder {
public:
  SliceBuilder(Importer &importer, ArrayRef<int64_t> extents, bool isStatic)
      : importer(importer), extents(extents), isStatic(isStatic) {}

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
  /// Refuses constants that lie outside the array.
  bool check(const Leaf &start, int64_t size, SourceLocation where);

  Importer &importer;
  ArrayRef<int64_t> extents;
  /// Of a tile or of shared memory.
  bool isStatic;
  Slices slices;
};

bool SliceBuilder::check(const Leaf &start, int64_t size, SourceLocation where) {
  std::optional<int64_t> constant = importer.constantInt(start);
  int64_t extent = extents[slices.modes.size()];
  if (extent < 0 && importer.isExplicit()) // Copies fill what lies before an array, too.
    return true;
  if (constant && *constant < 0) {
    importer.report(DiagnosticKind::NegativeIndex, where) << *constant;
    return false;
  }
  if (constant && extent >= 0 && *constant + size > extent) {
    importer.report(DiagnosticKind::IndexOutside, where) << *constant + size - 1 << extent;
    return false;
  }
  return true;
}

bool SliceBuilder::addInteger(const Leaf &leaf, QualType type, SourceLocation where) {
  if (!leaf || !check(leaf, 1, where))
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
  if (!start || !check(start, size < 0 ? 1 : (size - 1) * by.value_or(1) + 1, where))
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

/// The brackets after an object, or nothing if one of them is in error.
static std::optional<Slices> slicesOf(Importer &importer, const IntrinsicCall &call, ArrayRef<int64_t> extents,
                                      bool isStatic) {
  SliceBuilder slices(importer, extents, isStatic);
  bool isValid = true;
  for (const Expr *index : ArrayRef(call.arguments).drop_front())
    isValid &= isValid && slices.add(index);
  return isValid ? std::optional(slices.finish()) : std::nullopt;
}

static bool isShared(const Leaf &ref) {
  auto type = dyn_cast<tile::RefType>(ref.value().getType());
  return type && type.isShared();
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
  if (slices.isWhole)
    return ref;
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
  return importer.builder.create<tile::SliceOp>(importer.locate(where), type, ref, slices.offsets, slices.sizes,
                                                slices.modes, /*spec=*/false);
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
  mlir::Value indices =
      builder.create<tile::IotaOp>(at, type, builder.getI64IntegerAttr(0), mlir::Value(), mlir::ValueRange());
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
  std::optional<Slices> slices = slicesOf(*this, call, types.shaped(type).extents, isTile || isShared(source));
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
      slicesOf(*this, call, types.shaped(call.arguments[0]->getType()).extents, isShared(source));
  if (!slices)
    return {};
  if (!slices->newAxes.empty()) {
    report(DiagnosticKind::NewAxisOfRef, call.where());
    return {};
  }
  mlir::Value place = placeOf(*this, source.value(), *slices, call.where());
  return {place ? Leaf(place) : Leaf(), {}};
}

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
    mlir::Type scalar = tile::scalarTypeOf(type.getElementType());
    mlir::Value zero = builder.create<mlir::arith::ConstantOp>(at, scalar, builder.getZeroAttr(scalar));
    other = builder.create<tile::FullOp>(at, type, zero, mlir::ValueRange());
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

CallResult Importer::ds(const IntrinsicCall &call) {
  QualType s64 = ast.getIntTypeForBitwidth(64, /*Signed=*/true);
  Object *slice = temporary(call.type(), call.where());
  Leaf start = evaluate(call.arguments[0]);
  int64_t size = types.integerArgument(call.type());
  Leaf extent = size < 0 ? evaluate(call.arguments[1])
                         : Leaf(llvm::APSInt(llvm::APInt(64, size, /*isSigned=*/true), /*isUnsigned=*/false));
  size_t others = size < 0 ? 2 : 1;
  Leaf step = call.arguments.size() > others ? evaluate(call.arguments[others])
                                             : Leaf(llvm::APSInt(llvm::APInt(64, 1), /*isUnsigned=*/false));
  slice->isPoisoned = !start || !extent || !step;
  slice->parts = {holding(start, s64), holding(extent, s64), holding(step, s64)};
  return {{}, slice};
}

// ---- Extents --------------------------------------------------------------------------------------------------------

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
  Leaf product = llvm::APSInt(llvm::APInt(64, 1), /*isUnsigned=*/false);
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

ArrayRef<IntrinsicRow> indexingRows() {
  static constexpr IntrinsicRow rows[] = {
      {Known::None, "load", Side::Device, member<&Importer::load>},
      {Known::None, "store", Side::Device, member<&Importer::store>},
      {Known::None, "ds", Side::Device, member<&Importer::ds>},
      {Known::None, "transpose_ref", Side::Device, member<&Importer::transposeRef>},
      {Known::Tile, "dim", Side::Device, member<&Importer::dim>},
      {Known::Ref, "dim", Side::Both, member<&Importer::dim>},
      {Known::Ref, "at", Side::Device, member<&Importer::at>},
      {Known::Array, "size", Side::Both, member<&Importer::size>},
      {Known::Arrays, "size", Side::Both, member<&Importer::sizeOfList>},
  };
  return rows;
}

} // namespace tegula::frontend
