// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipelines/Ring.h"

#include "ir/Cluster.h"

using namespace mlir;

namespace tegula {

SmallVector<int64_t> RingOperand::stageShape() const {
  SmallVector<int64_t> shape = block;
  if (shape.empty())
    return shape;
  int64_t rows = 1;
  for (int64_t extent : ArrayRef(shape).drop_back())
    rows *= extent;
  while (rows * shape.back() * tile::bytesOf(element) % 128 != 0)
    ++shape.back();
  return shape;
}

LogicalResult makeRing(Ring &ring, const RingSite &site, OpBuilder &builder, int64_t releases,
                       ArrayRef<int64_t> cluster) {
  int64_t inputs = 0;
  SmallVector<int64_t, 3> shared;
  for (auto [i, operand] : llvm::enumerate(ring.operands)) {
    SmallVector<int64_t> dims = {ring.depth};
    llvm::append_range(dims, operand.stageShape());
    ring.buffers.push_back(site.allocate(i, dims));
    if (!ring.buffers.back())
      return failure();
    inputs += operand.access != tile::Access::Out;
    for (int64_t axis : operand.multicast)
      if (!llvm::is_contained(shared, axis))
        shared.push_back(axis);
  }
  llvm::sort(shared);
  if (inputs > 0)
    ring.full = site.barriers(ring.depth, inputs, {}, "full");
  if (releases > 0) {
    // A block that is shared along several axes comes from CTAs that differ along all of them.
    tile::ClusterShape shape(cluster);
    bool everywhere = llvm::any_of(ring.operands, [](const RingOperand &op) { return op.multicast.size() > 1; });
    releases *= everywhere ? shape.countAlong(shared) : shape.countCrossing(shared);
    ring.empty = site.barriers(ring.depth, releases, shared, "empty");
    auto made = ring.empty.getDefiningOp<tile::AllocBarriersOp>();
    made.setFrees(true);
    made.setEverywhere(everywhere);
  }
  ring.stage = site.variable(builder.getI64Type(), 0);
  ring.parity = site.variable(builder.getI1Type(), 0);
  return success();
}

} // namespace tegula
