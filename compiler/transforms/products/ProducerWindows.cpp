// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/ProducerWindows.h"

#include "ir/Expressions.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tegula {

SmallVector<int64_t> ProducerWindows::extentsOf(const Factor &factor) const {
  SmallVector<int64_t> extents = factor.extents;
  if (factor.isLeft)
    extents[factor.side] *= consumers;
  return extents;
}

/// With what is known already, and of what both roles see.
Value ProducerWindows::copyOf(Value value, IRMapping &known) {
  return cloneExpression(builder, value, known, [&](Value each) -> std::optional<Value> {
    if (Value there = known.lookupOrNull(each))
      return there;
    Operation *op = each.getDefiningOp();
    if (!op || !scf::ForOp(mainloop.work)->isProperAncestor(op))
      return each;
    return std::nullopt;
  });
}

Value windowOf(OpBuilder &builder, const Factor &factor, ArrayRef<int64_t> extents,
               llvm::function_ref<Value(Value)> here) {
  Location loc = tile::LoadOp(factor.load).getLoc();
  SmallVector<Value> offsets;
  SmallVector<int32_t> modes;
  SmallVector<int64_t> dims;
  for (auto [sum, extent] : llvm::zip_equal(factor.offsets, extents)) {
    Value offset;
    for (Value value : sum) {
      Value part = here(value);
      offset = offset ? builder.create<arith::AddIOp>(loc, offset, part).getResult() : part;
    }
    if (!offset)
      offset = builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(0));
    offsets.push_back(offset);
    modes.push_back(static_cast<int32_t>(extent ? tile::SliceMode::Window : tile::SliceMode::Element));
    if (extent)
      dims.push_back(tile::RefType::atMost(extent));
  }
  auto type = cast<tile::RefType>(factor.array.getType());
  return builder.create<tile::SliceOp>(loc, tile::RefType::get(type.getElementType(), dims), factor.array, offsets,
                                       ValueRange(), modes, /*spec=*/false);
}

Value ProducerWindows::of(const Factor &factor, Value step) {
  IRMapping clones = ofSubTile;
  auto here = [&](Value value) { return copyOf(value, clones); };
  clones.map(loop.getInductionVar(), makeIndex(builder, loop, step, here));
  return windowOf(builder, factor, extentsOf(factor), here);
}

void ProducerWindows::begin(Value subTile, Value member, Value first) {
  ofSubTile.map(scf::ForOp(mainloop.work).getInductionVar(), subTile);
  ofSubTile.map(member, first);
  for (const Factor &factor : mainloop.factors)
    for (ArrayRef<Value> sum : factor.offsets)
      hoist(sum);
}

/// Computes once what is the same in all steps of the sub-tile.
void ProducerWindows::hoist(ArrayRef<Value> integers) {
  SetVector<Value> all(integers.begin(), integers.end());
  for (size_t i = 0; i < all.size(); ++i) {
    Operation *op = all[i].getDefiningOp();
    if (!op)
      continue;
    if (loop->isProperAncestor(op))
      all.insert(op->operand_begin(), op->operand_end());
    else
      ofSubTile.map(all[i], copyOf(all[i], ofSubTile));
  }
}

} // namespace tegula
