// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/two_pass/DividedTile.h"

using namespace mlir;

namespace tegula::split {

llvm::SetVector<Value> coneOf(Value tile) {
  llvm::SetVector<Value> all;
  all.insert(tile);
  for (size_t i = 0; i < all.size(); ++i)
    if (Operation *op = all[i].getDefiningOp())
      all.insert(op->operand_begin(), op->operand_end());
  return all;
}

bool loadsChunks(const DividedTile &divided) {
  return llvm::any_of(coneOf(divided.tile), [&](Value value) {
    auto load = value.getDefiningOp<tile::LoadOp>();
    ArrayRef<Roles> wanted = load ? divided.demand.of(value) : ArrayRef<Roles>();
    return wanted.size() == 1 && !load.getMask() &&
           llvm::all_of(divided.dims, [&](int64_t dim) { return llvm::is_contained(wanted.front(), int(dim)); });
  });
}

bool isDivisible(const DividedTile &divided, tile::LaunchOp launch, const llvm::SmallDenseSet<unsigned> &stored,
                 bool mayConform) {
  Block *body = &launch.getBody().front();
  return llvm::all_of(coneOf(divided.tile), [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument)
      return argument.getOwner() == body && !stored.contains(argument.getArgNumber());
    Operation *op = value.getDefiningOp();
    if (op->getNumRegions() > 0 || isContraction(op) || isa<tile::SubtileOp, tile::GatherOp, tile::AtomicOp>(op) ||
        op->getBlock() != body)
      return false;
    if (auto full = dyn_cast<tile::FullOp>(op); full && !full.getExtents().empty() && !mayConform)
      return false;
    if (auto iota = dyn_cast<tile::IotaOp>(op); iota && !iota.getExtents().empty() && !mayConform)
      return false;
    // A tile that is wanted in several ways has no one chunk.
    return !isTile(value) || divided.demand.of(value).size() <= 1;
  });
}

static Value cloneLoad(OpBuilder &builder, tile::LoadOp load, const DividedTile &divided, const Chunk &chunk,
                       IRMapping &mapping) {
  Value ref = cloneChunk(builder, load.getRef(), divided, chunk, mapping);
  auto type = cast<tile::RefType>(ref.getType());
  SmallVector<int64_t> dims(type.getDims());
  SmallVector<int32_t> modes(dims.size(), static_cast<int32_t>(tile::SliceMode::Whole));
  SmallVector<Value> offsets, sizes;
  ArrayRef<Roles> wanted = divided.demand.of(load.getResult()); // None of what a number is extracted from.
  for (auto [i, role] : llvm::enumerate(wanted.empty() ? Roles() : wanted.front())) {
    const auto *dim = llvm::find(divided.dims, role);
    if (dim == divided.dims.end())
      continue;
    dims[i] = ShapedType::kDynamic;
    modes[i] = static_cast<int32_t>(tile::SliceMode::Window);
    offsets.push_back(chunk.starts[dim - divided.dims.begin()]);
    sizes.push_back(chunk.sizes[dim - divided.dims.begin()]);
  }
  if (!offsets.empty())
    ref = builder.create<tile::SliceOp>(load.getLoc(), tile::RefType::get(type.getElementType(), dims), ref, offsets,
                                        sizes, modes, /*spec=*/false);
  Value mask, other;
  if (load.getMask()) {
    mask = cloneChunk(builder, load.getMask(), divided, chunk, mapping);
    other = cloneChunk(builder, load.getOther(), divided, chunk, mapping);
  }
  return builder.create<tile::LoadOp>(load.getLoc(), load.getType(), ref, mask, other);
}

Value cloneChunk(OpBuilder &builder, Value value, const DividedTile &divided, const Chunk &chunk, IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  Value made;
  if (auto load = dyn_cast<tile::LoadOp>(op)) {
    made = cloneLoad(builder, load, divided, chunk, mapping);
  } else {
    for (Value operand : op->getOperands())
      cloneChunk(builder, operand, divided, chunk, mapping);
    // Tiles that are told their extents conform to the chunk instead.
    if (auto iota = dyn_cast<tile::IotaOp>(op)) {
      ArrayRef<Roles> roles = divided.demand.of(value);
      const int64_t *dim = roles.empty() ? divided.dims.end() : llvm::find(divided.dims, roles.front()[iota.getAxis()]);
      Value offset = iota.getOffset() ? mapping.lookup(iota.getOffset()) : Value();
      if (dim != divided.dims.end()) {
        Value start = chunk.starts[dim - divided.dims.begin()];
        offset = offset ? builder.create<arith::AddIOp>(iota.getLoc(), offset, start) : start;
      }
      made = builder.create<tile::IotaOp>(iota.getLoc(), iota.getType(), iota.getAxisAttr(), offset, ValueRange());
    } else if (auto full = dyn_cast<tile::FullOp>(op)) {
      made = builder.create<tile::FullOp>(full.getLoc(), full.getType(), mapping.lookup(full.getValue()), ValueRange());
    } else {
      made = builder.clone(*op, mapping)->getResult(cast<OpResult>(value).getResultNumber());
    }
  }
  mapping.map(value, made);
  return made;
}

} // namespace tegula::split
