// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/StagedFactors.h"

#include "ir/Parts.h"
#include "transforms/products/SharedMatrices.h"

#include <numeric>

using namespace mlir;

namespace tegula {

void StagedFactors::allocate(int64_t stages, Value consumer) {
  warpgroup = consumer;
  bool isShared = false; // Several consumers make one together.
  builder.setInsertionPoint(mainloop.work);
  for (const StagedFactor &factor : mainloop.staged) {
    auto type = cast<RankedTensorType>(factor.tile.getType());
    int64_t dims[] = {stages, type.getDimSize(0), type.getDimSize(1)};
    if (factor.isLeft)
      dims[1] *= consumers;
    if (factor.isTransposed)
      std::swap(dims[1], dims[2]);
    buffers.push_back(
        builder.create<tile::AllocOp>(loc, tile::RefType::inShared(type.getElementType(), dims), IntegerAttr(), false));
    isShared |= !factor.isLeft && consumers > 1;
  }
  if (isShared) {
    Location named = NameLoc::get(builder.getStringAttr("computed"), loc);
    computed = builder.create<tile::AllocBarriersOp>(named, tile::BarriersType::get(builder.getContext(), stages),
                                                     consumers, DenseI64ArrayAttr(), IntegerAttr(), false, false);
  }
}

/// A step's place of a staged factor, as products take it.
Value StagedFactors::placeOf(const StagedFactor &factor, Value ofFactor, const Ring &ring, PartOf partOf) {
  auto type = cast<tile::RefType>(ofFactor.getType());
  const int32_t modes[] = {static_cast<int32_t>(tile::SliceMode::Element), static_cast<int32_t>(tile::SliceMode::Whole),
                           static_cast<int32_t>(tile::SliceMode::Whole)};
  Value stage = builder.create<tile::GetOp>(loc, ring.stage);
  auto placeType = tile::RefType::inShared(type.getElementType(), type.getDims().drop_front());
  Value place = builder.create<tile::SliceOp>(loc, placeType, ofFactor, stage, ValueRange(), modes, /*spec=*/false);
  if (factor.isTransposed)
    place = transposed(builder, loc, place);
  return factor.isLeft ? partOf(place) : place;
}

/// The columns of a right factor that a consumer makes at a time: with them it fills few registers.
static int64_t columnsAtATime(const StagedFactor &factor, int64_t consumers) {
  constexpr int64_t most = 64;
  return std::gcd(cast<RankedTensorType>(factor.tile.getType()).getDimSize(1) / consumers, most);
}

/// Does something for what this consumer makes at a time: all that it has of a left factor, or columns of a right one
/// from `first` on.
void StagedFactors::forEachPart(const StagedFactor &factor,
                                llvm::function_ref<void(tile::DotOp, Value, int64_t)> inside) {
  const Product *product = llvm::find_if(mainloop.products, [&](const Product &each) {
    return (factor.isLeft ? tile::DotOp(each.dot).getA() : tile::DotOp(each.dot).getB()) == factor.tile;
  });
  if (factor.isLeft)
    return inside(product->dot, Value(), 0);
  int64_t columns = columnsAtATime(factor, consumers);
  SmallVector<Value> &first = firstColumns[columns];
  int64_t mine = cast<RankedTensorType>(factor.tile.getType()).getDimSize(1) / consumers;
  for (int64_t i = 0; i < mine / columns; ++i) {
    if (first.size() == static_cast<size_t>(i)) {
      Value start = builder.createOrFold<arith::MulIOp>(loc, warpgroup, constant(mine));
      first.push_back(consumers == 1 ? constant(i * columns)
                                     : builder.createOrFold<arith::AddIOp>(loc, start, constant(i * columns)));
    }
    inside(product->dot, first[i], columns);
  }
}

void StagedFactors::hoist() {
  for (const StagedFactor &factor : mainloop.staged)
    forEachPart(factor, [&](tile::DotOp dot, Value first, int64_t columns) {
      if (!factor.isLeft)
        factors.hoistColumns(dot, first, columns);
    });
}

SmallVector<Value> StagedFactors::make(const Ring &ring, PartOf partOf) {
  SmallVector<Value> places;
  for (auto [factor, ofFactor] : llvm::zip_equal(mainloop.staged, buffers)) {
    Value place = placeOf(factor, ofFactor, ring, partOf);
    places.push_back(place);
    forEachPart(factor, [&, &factor = factor](tile::DotOp dot, Value first, int64_t columns) {
      if (factor.isLeft) {
        builder.create<tile::StoreOp>(dot.getLoc(), factors.make(dot, /*isLeft=*/true), place);
        return;
      }
      Value made = factors.makeColumns(dot, first, columns);
      tile::Parts parts = {{{}, dot.getB().getType().getDimSize(0)}, {first, columns}};
      builder.create<tile::StoreOp>(dot.getLoc(), made, tile::makeWindow(builder, dot.getLoc(), place, parts));
    });
  }
  if (buffers.empty())
    return places;
  builder.create<tile::FenceSharedOp>(loc);
  if (computed) {
    Value stage = builder.create<tile::GetOp>(loc, ring.stage), parity = builder.create<tile::GetOp>(loc, ring.parity);
    builder.create<tile::BarrierArriveOp>(loc, computed, stage);
    builder.create<tile::BarrierWaitOp>(loc, computed, stage, parity);
  }
  return places;
}

} // namespace tegula
