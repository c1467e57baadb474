// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/TileDialect.h"

#include "mlir/IR/Builders.h"

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
    setOperand(load.getRef());
    return getResult();
  }
  return {};
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

OpFoldResult CastOp::fold(FoldAdaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  return {};
}
