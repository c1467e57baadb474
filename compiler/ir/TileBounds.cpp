// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/TileBounds.h"
#include "ir/TileDialect.h"

using namespace mlir;

namespace tegula::tile {

/// A tile before it was widened, which changes no value.
static Value beforeWidening(Value tile) {
  auto cast = tile.getDefiningOp<CastOp>();
  if (!cast)
    return tile;
  auto from = dyn_cast<FloatType>(getElementTypeOrSelf(cast.getOperand())),
       to = dyn_cast<FloatType>(getElementTypeOrSelf(tile));
  return from && to && from.getWidth() < to.getWidth() ? cast.getOperand() : tile;
}

/// Whether each element of `tile` is at most that of `bound` which stands where its coordinates in `dims` lead, one for
/// each dimension of `bound`.
static bool isAtMost(Value tile, Value bound, ArrayRef<int64_t> dims) {
  bool isSame = dims.size() == static_cast<size_t>(cast<RankedTensorType>(tile.getType()).getRank()) &&
                llvm::equal(dims, llvm::seq<int64_t>(0, dims.size()));
  if (isSame && tile == bound)
    return true;
  Operation *op = bound.getDefiningOp();
  if (auto greater = dyn_cast_or_null<MaximumOp>(op))
    return isAtMost(tile, greater.getLhs(), dims) || isAtMost(tile, greater.getRhs(), dims);
  if (auto full = dyn_cast_or_null<FullOp>(op)) {
    auto extract = full.getValue().getDefiningOp<ExtractOp>();
    return extract && isAtMost(tile, extract.getTile(), {});
  }
  if (auto broadcast = dyn_cast_or_null<BroadcastOp>(op)) {
    SmallVector<int64_t> inTile;
    for (int64_t dim : broadcast.getDims())
      inTile.push_back(dims[dim]);
    return isAtMost(tile, broadcast.getSource(), inTile);
  }
  if (Value narrow = beforeWidening(bound); narrow != bound)
    return isAtMost(beforeWidening(tile), narrow, dims);
  auto reduce = dyn_cast_or_null<ReduceOp>(op);
  if (!reduce || reduce.getKind() != Reduction::Max || reduce.getSource() != tile)
    return false;
  for (auto [i, dim] : llvm::enumerate(dims))
    if (reduce.getSourceDim(i) != dim)
      return false;
  return true;
}

bool isNeverPositive(Value tile) {
  auto difference = tile.getDefiningOp<SubOp>();
  if (!difference)
    return false;
  auto dims = llvm::to_vector(llvm::seq<int64_t>(0, difference.getType().getRank()));
  return isAtMost(difference.getLhs(), difference.getRhs(), dims);
}

bool isNeverNegative(Value tile) {
  return isa_and_nonnull<ExpOp, Exp2Op, AbsOp, SquareOp, SqrtOp>(tile.getDefiningOp());
}

} // namespace tegula::tile
