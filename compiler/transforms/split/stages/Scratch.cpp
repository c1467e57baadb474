// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/stages/Scratch.h"

#include "analysis/Extents.h"
#include "transforms/split/Plan.h"

using namespace mlir;

namespace tegula::split {
namespace {

class Scratch {
public:
  Scratch(tile::LaunchOp launch, Value value)
      : launch(launch), value(value), loc(tile::withoutName(value.getLoc())), builder(launch) {}

  LogicalResult run();

private:
  bool hasPrograms() const { return !tile::LaunchOp(launch).getGrid().empty(); }
  RankedTensorType type() const { return cast<RankedTensorType>(tile.getType()); }
  /// Whether all that the type says of a dimension is there.
  bool isExact(Extents &extents, int64_t dim) {
    const Extent &extent = extents.of(tile, dim);
    return !type().isDynamicDim(dim) &&
           (!extent.symbol || *extent.symbol == extents.symbols().ofConstant(type().getDimSize(dim)));
  }
  Value constant(int64_t number) { return builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(number)); }
  Value numberOfProgram();
  LogicalResult allocate(Extents &extents);
  LogicalResult store(Extents &extents);
  Value load();

  tile::LaunchOp launch;
  Value value;
  /// The value, or a tile of one element that has it.
  Value tile;
  Location loc;
  OpBuilder builder;
  Value array;   ///< the body's argument
  Value window;  ///< this program's part of it
  SmallPtrSet<Operation *, 4> keeping;
};

} // namespace

Value Scratch::numberOfProgram() {
  Value all;
  for (unsigned axis = 0; axis < launch.getGrid().size(); ++axis) {
    IntegerAttr which = builder.getI64IntegerAttr(axis);
    Value program = builder.create<tile::ProgramIdOp>(loc, builder.getI64Type(), which);
    if (all) {
      Value count = builder.create<tile::NumProgramsOp>(loc, builder.getI64Type(), which);
      program = builder.create<arith::AddIOp>(loc, builder.create<arith::MulIOp>(loc, all, count), program);
    }
    all = program;
  }
  return all;
}

/// An array with a dimension for the programs of a grid, then those of the tile. A number is an array of one.
LogicalResult Scratch::allocate(Extents &extents) {
  builder.setInsertionPoint(launch);
  HostValues host(launch, builder, launch.getGrid(), launch.getArguments());
  SmallVector<Value> sizes;
  if (hasPrograms() || type().getRank() == 0)
    sizes.push_back(constant(1));
  for (Value size : launch.getGrid())
    sizes.front() = builder.createOrFold<arith::MulIOp>(loc, sizes.front(), size);
  for (int64_t dim = 0; dim < type().getRank(); ++dim) {
    if (!type().isDynamicDim(dim)) {
      sizes.push_back(constant(type().getDimSize(dim)));
      continue;
    }
    const Extent &extent = extents.of(tile, dim);
    std::optional<Extent> most = extent.symbol ? mostOnHost(launch, extents, extent) : std::nullopt;
    Value size = most ? host.most(*most) : Value();
    if (!size)
      return failure();
    sizes.push_back(size);
  }
  constexpr size_t mostDims = 6;
  if (sizes.size() > mostDims)
    return failure();
  auto arrayType = tile::ArrayType::get(builder.getContext(), type().getElementType(), sizes.size(), /*readOnly=*/false);
  auto name = NameLoc::get(builder.getStringAttr("scratch"), loc);
  Value made = builder.create<tile::EmptyOp>(name, arrayType, sizes);
  launch.getArgumentsMutable().append(made);
  SmallVector<Attribute> access(launch.getAccess().begin(), launch.getAccess().end());
  access.push_back(tile::AccessAttr::get(builder.getContext(), tile::Access::InOut));
  launch.setAccessAttr(builder.getArrayAttr(access));
  SmallVector<int64_t> dims(sizes.size(), ShapedType::kDynamic);
  array = launch.getBody().addArgument(tile::RefType::get(type().getElementType(), dims), name);
  return success();
}

/// The window has what the tile has.
LogicalResult Scratch::store(Extents &extents) {
  SmallVector<int64_t> dims;
  SmallVector<int32_t> modes;
  SmallVector<Value> offsets, sizes;
  Operation *at = &*builder.getInsertionPoint();
  if (hasPrograms() || type().getRank() == 0) {
    modes.push_back(static_cast<int32_t>(tile::SliceMode::Element));
    offsets.push_back(hasPrograms() ? numberOfProgram() : constant(0));
  }
  unsigned first = modes.size();
  for (int64_t dim = 0; dim < type().getRank(); ++dim) {
    const Extent &extent = extents.of(tile, dim);
    if (type().isDynamicDim(dim) && extent.symbol == extents.of(array, first + dim).symbol) {
      modes.push_back(static_cast<int32_t>(tile::SliceMode::Whole));
      dims.push_back(ShapedType::kDynamic);
      continue;
    }
    modes.push_back(static_cast<int32_t>(tile::SliceMode::Window));
    offsets.push_back(constant(0));
    if (isExact(extents, dim)) {
      dims.push_back(type().getDimSize(dim));
      continue;
    }
    dims.push_back(ShapedType::kDynamic);
    Value size = extents.valueOf(extent, at);
    if (!size)
      return failure();
    sizes.push_back(size);
  }
  window = array;
  bool isAll = llvm::all_of(modes, [](int32_t mode) { return mode == static_cast<int32_t>(tile::SliceMode::Whole); });
  if (!isAll)
    window = builder.create<tile::SliceOp>(loc, tile::RefType::get(type().getElementType(), dims), array, offsets, sizes,
                                         modes, /*spec=*/false, /*in_bounds=*/true);
  Value kept = tile;
  if (auto known = cast<tile::RefType>(window.getType()).getTileType(); known != type())
    kept = builder.create<tile::BroadcastOp>(loc, known, tile, llvm::to_vector(llvm::seq<int64_t>(0, type().getRank())));
  keeping.insert(kept.getDefiningOp());
  keeping.insert(builder.create<tile::StoreOp>(loc, kept, window));
  return success();
}

Value Scratch::load() {
  Value loaded = builder.create<tile::LoadOp>(value.getLoc(), cast<tile::RefType>(window.getType()).getTileType(), window);
  if (loaded.getType() != type())
    loaded = builder.create<tile::BroadcastOp>(value.getLoc(), type(), loaded,
                                               llvm::to_vector(llvm::seq<int64_t>(0, type().getRank())));
  if (tile != value)
    loaded = builder.create<tile::ExtractOp>(value.getLoc(), value.getType(), loaded);
  return loaded;
}

LogicalResult Scratch::run() {
  builder.setInsertionPointAfterValue(value);
  tile = value;
  if (!isa<RankedTensorType>(value.getType())) {
    tile = builder.create<tile::FullOp>(loc, RankedTensorType::get({}, value.getType()), value, ValueRange());
    keeping.insert(tile.getDefiningOp());
  }
  Operation *behind = &*builder.getInsertionPoint();
  {
    Extents extents(launch);
    if (failed(allocate(extents)))
      return failure();
  }
  Extents extents(launch);
  builder.setInsertionPoint(behind);
  if (failed(store(extents)))
    return failure();
  Value loaded = load();
  value.replaceUsesWithIf(loaded, [&](OpOperand &use) { return !keeping.contains(use.getOwner()); });
  return success();
}

LogicalResult keepInScratch(tile::LaunchOp launch, Value value) { return Scratch(launch, value).run(); }

} // namespace tegula::split
