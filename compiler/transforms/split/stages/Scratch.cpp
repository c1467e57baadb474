// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/stages/Scratch.h"

#include "ir/KernelAttributes.h"
#include "ir/Locations.h"
#include "transforms/split/HostPasses.h"
#include "transforms/split/Plan.h"

using namespace mlir;

namespace tegula::split {

/// More dimensions no array has.
static constexpr size_t mostDims = 6;

static RankedTensorType tileTypeOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type : RankedTensorType::get({}, value.getType());
}

static SmallVector<int64_t> allDims(RankedTensorType type) {
  return llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
}

Scratch::Scratch(tile::LaunchOp launch, Value like)
    : launch(launch), like(like), type(tileTypeOf(like)), loc(tile::withoutName(like.getLoc())) {}

/// Whether all that the type says of a dimension is there.
bool Scratch::isAll(Extents &extents, int64_t dim) {
  if (type.isDynamicDim(dim))
    return false;
  const Extent &extent = extents.of(like, dim);
  return !extent.symbol || *extent.symbol == extents.symbols().ofConstant(type.getDimSize(dim));
}

Value Scratch::constant(OpBuilder &builder, int64_t number) {
  return builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(number));
}

/// A dimension for the programs of a grid, then those of the tile. A number is an array of one.
LogicalResult Scratch::allocateArray(Extents &extents) {
  OpBuilder builder(launch);
  HostValues host(launch, builder, launch.getGrid(), launch.getArguments());
  SmallVector<Value> sizes;
  if (hasPrograms() || type.getRank() == 0)
    sizes.push_back(constant(builder, 1));
  for (Value size : launch.getGrid())
    sizes.front() = builder.createOrFold<arith::MulIOp>(loc, sizes.front(), size);
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim)) {
      sizes.push_back(constant(builder, type.getDimSize(dim)));
      continue;
    }
    const Extent &extent = extents.of(like, dim);
    std::optional<Extent> most = extent.symbol ? mostOnHost(launch, extents, extent) : std::nullopt;
    Value size = most ? host.most(*most) : Value();
    if (!size)
      return failure();
    Symbols &symbols = extents.symbols();
    if (!symbols.isAtLeastZero(symbols.linear(*extent.symbol))) // A window of n - 2 elements of one.
      size = builder.createOrFold<arith::MaxSIOp>(loc, size, constant(builder, 0));
    sizes.push_back(size);
  }
  if (sizes.size() > mostDims)
    return failure();
  auto arrayType = tile::ArrayType::get(builder.getContext(), type.getElementType(), sizes.size(), /*readOnly=*/false);
  auto name = NameLoc::get(builder.getStringAttr("scratch"), loc);
  launch.getArgumentsMutable().append(builder.create<tile::EmptyOp>(name, arrayType, sizes).getResult());
  SmallVector<Attribute> access(launch.getAccess().begin(), launch.getAccess().end());
  access.push_back(tile::AccessAttr::get(builder.getContext(), tile::Access::InOut));
  launch.setAccessAttr(builder.getArrayAttr(access));
  SmallVector<int64_t> dims(sizes.size(), ShapedType::kDynamic);
  array = launch.getBody().addArgument(tile::RefType::get(type.getElementType(), dims), name);
  return success();
}

/// The window has what the tile has.
LogicalResult Scratch::placeWindow(Extents &extents, Operation *at) {
  OpBuilder builder(at);
  SmallVector<int64_t> dims;
  SmallVector<int32_t> modes;
  SmallVector<Value> offsets, sizes;
  auto add = [&](tile::SliceMode mode) { modes.push_back(static_cast<int32_t>(mode)); };
  if (hasPrograms() || type.getRank() == 0) {
    add(tile::SliceMode::Element);
    offsets.push_back(hasPrograms() ? numberOfProgram(builder, loc, launch.getGrid().size()) : constant(builder, 0));
  }
  size_t first = modes.size();
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    const Extent &extent = extents.of(like, dim);
    if (!extent.symbol)
      conforming.push_back(dim);
    dims.push_back(ShapedType::kDynamic);
    if (type.isDynamicDim(dim) && extent.symbol == extents.of(array, first + dim).symbol) {
      add(tile::SliceMode::Whole);
      continue;
    }
    add(tile::SliceMode::Window);
    offsets.push_back(constant(builder, 0));
    if (isAll(extents, dim))
      dims.back() = type.getDimSize(dim);
    else
      sizes.push_back(extents.valueOf(extent, at));
  }
  if (llvm::is_contained(sizes, Value()))
    return failure();
  bool isWhole = llvm::all_of(modes, [](int32_t mode) { return mode == static_cast<int32_t>(tile::SliceMode::Whole); });
  window = isWhole ? array
                   : builder.create<tile::SliceOp>(loc, tile::RefType::get(type.getElementType(), dims), array, offsets,
                                                   sizes, modes, /*spec=*/false, /*in_bounds=*/true);
  return success();
}

LogicalResult Scratch::allocate(Operation *at) {
  {
    Extents extents(launch);
    if (failed(allocateArray(extents)))
      return failure();
  }
  Extents extents(launch);
  return placeWindow(extents, at);
}

SmallVector<Operation *, 3> Scratch::store(OpBuilder &builder, Value value) {
  SmallVector<Operation *, 3> made;
  if (!isa<RankedTensorType>(value.getType())) {
    value = builder.create<tile::FullOp>(loc, type, value, ValueRange());
    made.push_back(value.getDefiningOp());
  }
  RankedTensorType known = cast<tile::RefType>(window.getType()).getTileType();
  if (known != value.getType()) {
    value = builder.create<tile::BroadcastOp>(loc, known, value, allDims(known));
    made.push_back(value.getDefiningOp());
  }
  made.push_back(builder.create<tile::StoreOp>(loc, value, window));
  return made;
}

Value Scratch::load(OpBuilder &builder) {
  Location at = like.getLoc();
  auto load = builder.create<tile::LoadOp>(at, cast<tile::RefType>(window.getType()).getTileType(), window);
  if (!conforming.empty())
    load->setAttr(tile::conformingDims, builder.getDenseI64ArrayAttr(conforming));
  Value loaded = load;
  if (loaded.getType() != type)
    loaded = builder.create<tile::BroadcastOp>(at, type, loaded, allDims(type));
  return like.getType() == type ? loaded : builder.create<tile::ExtractOp>(at, like.getType(), loaded);
}

LogicalResult keepInScratch(tile::LaunchOp launch, Value value) {
  OpBuilder builder(launch.getContext());
  builder.setInsertionPointAfterValue(value);
  Operation *behind = &*builder.getInsertionPoint();
  Scratch scratch(launch, value);
  if (failed(scratch.allocate(behind)))
    return failure();
  builder.setInsertionPoint(behind);
  SmallVector<Operation *, 3> storing = scratch.store(builder, value);
  value.replaceUsesWithIf(scratch.load(builder),
                          [&](OpOperand &use) { return !llvm::is_contained(storing, use.getOwner()); });
  return success();
}

} // namespace tegula::split
