// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extents of reductions and products become masks. Loads and stores need none: they end with their refs. Tensor cores
// need none where TMA has filled in zeros. So masks are made for what threads compute themselves, and as late as
// possible.
#include "transforms/MaskExtents.h"

#include "ir/TileDialect.h"
#include "transforms/Passes.h"

#include "llvm/ADT/ScopedHashTable.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILEMASKEXTENTS
#include "transforms/Passes.h.inc"

/// Whether elements of a tile of this shape are there: true where the index along `dim` is less than `extent`, an i64.
static Value isWithin(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape, int64_t dim, Value extent) {
  Type i32 = builder.getI32Type();
  Value size = builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(shape[dim]));
  Value limit = builder.createOrFold<arith::MinSIOp>(loc, extent, size);
  Value zero = builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(0));
  limit = builder.createOrFold<arith::MaxSIOp>(loc, limit, zero);
  limit = builder.createOrFold<arith::TruncIOp>(loc, i32, limit);
  auto numbers = RankedTensorType::get(shape, i32);
  Value index =
      builder.create<tile::IotaOp>(loc, numbers, builder.getI64IntegerAttr(dim), /*offset=*/Value(), ValueRange());
  Value limits = builder.create<tile::FullOp>(loc, numbers, limit, ValueRange());
  return builder.create<tile::LtOp>(loc, RankedTensorType::get(shape, builder.getI1Type()), index, limits);
}

static Value choose(OpBuilder &builder, Location loc, Value isThere, Value tile, TypedAttr otherwise) {
  Value scalar = builder.create<arith::ConstantOp>(loc, otherwise);
  Value filler = builder.create<tile::FullOp>(loc, cast<RankedTensorType>(tile.getType()), scalar, ValueRange());
  return builder.create<tile::WhereOp>(loc, tile.getType(), isThere, tile, filler);
}

Value maskBeyond(OpBuilder &builder, Location loc, Value tile, int64_t dim, Value extent, TypedAttr otherwise) {
  Value isThere = isWithin(builder, loc, cast<RankedTensorType>(tile.getType()).getShape(), dim, extent);
  return choose(builder, loc, isThere, tile, otherwise);
}

Value maskIfCut(OpBuilder &builder, Location loc, Value tile, int64_t dim, Value extent, TypedAttr otherwise) {
  int64_t most = cast<RankedTensorType>(tile.getType()).getDimSize(dim);
  Value size = builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(most));
  Value isCut = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, extent, size);
  auto choice = builder.create<scf::IfOp>(
      loc, isCut,
      [&](OpBuilder &inside, Location) {
        inside.create<scf::YieldOp>(loc, maskBeyond(inside, loc, tile, dim, extent, otherwise));
      },
      [&](OpBuilder &inside, Location) { inside.create<scf::YieldOp>(loc, tile); });
  return choice.getResult(0);
}

namespace {

class Masking {
public:
  /// Ops that have one extent share its mask, as far as that reaches.
  void visit(Region &region) {
    Masks::ScopeTy scope(masks);
    for (Operation &op : region.getOps()) {
      for (Region &inner : op.getRegions())
        visit(inner);
      if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
        for (OpOperand &source : reduce.getSourcesMutable()) {
          Type element = getElementTypeOrSelf(source.get().getType());
          TypedAttr identity = reduce.identityOf(source.getOperandNumber(), element);
          for (auto [axis, extent] : llvm::zip(reduce.getAxes(), reduce.getExtents()))
            mask(source, axis, extent, identity);
        }
        reduce.getExtentsMutable().clear();
      } else if (auto dot = dyn_cast<tile::DotOp>(op); dot && dot.getExtent()) {
        int64_t last = dot.getType().getRank() - 1;
        TypedAttr zero = tile::identityOf(tile::Reduction::Sum, dot.getA().getType().getElementType());
        mask(dot.getAMutable(), last, dot.getExtent(), zero);
        mask(dot.getBMutable(), last - 1, dot.getExtent(), zero);
        dot.getExtentMutable().clear();
      }
    }
  }

private:
  using Mask = std::tuple<Value, ArrayRef<int64_t>, int64_t>;
  using Masks = llvm::ScopedHashTable<Mask, Value>;

  void mask(OpOperand &operand, int64_t dim, Value extent, TypedAttr otherwise) {
    auto type = cast<RankedTensorType>(operand.get().getType());
    APInt known;
    if (matchPattern(extent, m_ConstantInt(&known)) && known.sge(type.getDimSize(dim)))
      return;
    OpBuilder builder(operand.getOwner());
    Location loc = operand.getOwner()->getLoc();
    Mask key{extent, type.getShape(), dim};
    Value isThere = masks.lookup(key);
    if (!isThere)
      masks.insert(key, isThere = isWithin(builder, loc, type.getShape(), dim, extent));
    operand.set(choose(builder, loc, isThere, operand.get(), otherwise));
  }

  Masks masks;
};

struct MaskExtents : impl::TileMaskExtentsBase<MaskExtents> {
  void runOnOperation() override {
    for (tile::KernelOp kernel : getOperation().getOps<tile::KernelOp>())
      Masking().visit(kernel.getBody());
  }
};
} // namespace
} // namespace tegula
