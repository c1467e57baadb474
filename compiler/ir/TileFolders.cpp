// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/Elements.h"
#include "ir/TileBounds.h"
#include "ir/TileDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tegula::tile;

/// The dims of a new array are those that it was made with; a window's exact dims are known.
OpFoldResult DimOp::fold(FoldAdaptor) {
  int64_t axis = getAxis();
  if (auto empty = getSource().getDefiningOp<EmptyOp>())
    return empty.getDims()[axis];
  if (auto ref = dyn_cast<RefType>(getSource().getType())) {
    if (ref.isExact(axis))
      return IntegerAttr::get(getType(), ref.getBound(axis));
    if (auto slice = getSource().getDefiningOp<SliceOp>()) {
      unsigned dim = slice.getSourceDim(axis);
      if (slice.getMode(dim) == SliceMode::Whole) {
        setOperand(slice.getSource());
        setAxis(dim);
        return getResult();
      }
    }
  }
  if (auto load = getSource().getDefiningOp<LoadOp>()) {
    if (load.getMask() && !load.getType().isDynamicDim(axis)) // It goes on where its window ends.
      return {};
    setOperand(load.getRef());
    return getResult();
  }
  return {};
}

/// A constant keeps the promise, or breaks it in a place that never runs.
OpFoldResult MultipleOfOp::fold(FoldAdaptor adaptor) {
  if (adaptor.getValue())
    return adaptor.getValue();
  return getMultiple() == 1 ? OpFoldResult(getValue()) : OpFoldResult();
}

OpFoldResult ExtractOp::fold(FoldAdaptor) {
  if (auto full = getTile().getDefiningOp<FullOp>())
    return full.getValue();
  return {};
}

OpFoldResult BroadcastOp::fold(FoldAdaptor) {
  if (getSource().getType() == getType())
    return getSource();
  return {};
}

/// The identity is nothing, and two permutations are one.
OpFoldResult PermuteOp::fold(FoldAdaptor) {
  if (llvm::equal(getPermutation(), llvm::seq<int64_t>(0, getPermutation().size())))
    return getSource();
  if (auto inner = getSource().getDefiningOp<PermuteOp>()) {
    SmallVector<int64_t> both;
    for (int64_t dim : getPermutation())
      both.push_back(inner.getPermutation()[dim]);
    setOperand(inner.getSource());
    setPermutation(both);
    return getResult();
  }
  return {};
}

OpFoldResult RelayoutOp::fold(FoldAdaptor) {
  if (getSource().getType() == getType())
    return getSource();
  return {};
}

OpFoldResult CastOp::fold(FoldAdaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  return {};
}

/// Bits that are called one thing, then another one, are called that.
OpFoldResult BitcastOp::fold(FoldAdaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  if (auto inner = getOperand().getDefiningOp<BitcastOp>()) {
    setOperand(inner.getOperand());
    return getResult();
  }
  return {};
}

/// The greatest of wider floats is the greatest of the floats, widened: fewer bits to compare and to exchange.
LogicalResult ReduceOp::canonicalize(ReduceOp op, PatternRewriter &rewriter) {
  auto cast = op.getSource().getDefiningOp<CastOp>();
  if (!cast || (op.getKind() != Reduction::Max && op.getKind() != Reduction::Min))
    return failure();
  auto from = dyn_cast<FloatType>(getElementTypeOrSelf(cast.getOperand().getType()));
  Type to = op.getType().getElementType();
  if (!from || tegula::isFloat8(from) || !isa<FloatType>(to) || from.getWidth() >= to.getIntOrFloatBitWidth())
    return failure();
  auto type = RankedTensorType::get(op.getType().getShape(), from, op.getType().getEncoding());
  auto narrow = rewriter.create<ReduceOp>(op.getLoc(), type, op.getKind(), cast.getOperand(), op.getAxes(),
                                          op.getExtents(), op.getCluster());
  rewriter.replaceOpWithNewOp<CastOp>(op, op.getType(), narrow.getResult());
  return success();
}

namespace {
/// Half of what an exponential takes is for arguments that a softmax does not have. What tells so is there before tiles
/// are split.
struct MarkNeverPositive : OpRewritePattern<ExpOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ExpOp op, PatternRewriter &rewriter) const override {
    if (op->hasAttr(neverPositiveAttr) || !op.getType().getElementType().isF32() || !isNeverPositive(op.getOperand()))
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op->setAttr(neverPositiveAttr, rewriter.getUnitAttr()); });
    return success();
  }
};
} // namespace

// ---- Canonical forms of other dialects' ops -------------------------------------------------------------------------

namespace {
/// What chooses between tiles is `tile.where`: a branch whose sides only yield has become an arith.select by then.
struct SelectToWhere : OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::SelectOp op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!type || !op.getCondition().getType().isInteger(1))
      return failure();
    auto bools = RankedTensorType::get(type.getShape(), rewriter.getI1Type(), type.getEncoding());
    Value condition = rewriter.create<FullOp>(op.getLoc(), bools, op.getCondition(), ValueRange());
    rewriter.replaceOpWithNewOp<WhereOp>(op, type, condition, op.getTrueValue(), op.getFalseValue());
    return success();
  }
};
} // namespace

void TileDialect::getCanonicalizationPatterns(RewritePatternSet &patterns) const {
  patterns.add<MarkNeverPositive, SelectToWhere>(getContext());
}
