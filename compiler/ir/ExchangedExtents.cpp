// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ExchangedExtents.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace tegula::tile {

static constexpr char exchangedExtents[] = "tile.exchanged_extents";

static ArrayRef<int64_t> shapeOf(Operation *op) {
  return cast<RankedTensorType>(op->getOperand(0).getType()).getShape();
}

void noteExchangedExtents(Operation *op, ArrayRef<int64_t> extents) {
  assert(extents.size() == shapeOf(op).size() && "each dimension has an extent");
  if (extents != shapeOf(op))
    op->setAttr(exchangedExtents, DenseI64ArrayAttr::get(op->getContext(), extents));
}

std::vector<int64_t> exchangedExtentsOf(Operation *op) {
  auto noted = op->getAttrOfType<DenseI64ArrayAttr>(exchangedExtents);
  return noted ? noted.asArrayRef().vec() : shapeOf(op).vec();
}

} // namespace tegula::tile
