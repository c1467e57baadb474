// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/RoleKernel.h"

#include "support/Registers.h"

using namespace mlir;

namespace tegula {

void RoleKernel::replacePosition() {
  Position position = positionIn(kernel);
  builder.setInsertionPointToStart(&kernel.getBody().front());
  Value block = builder.create<tile::ClusterIdOp>(loc);
  member = warpgroup = builder.create<tile::ThreadIndexOp>(loc);
  if (cluster > 1) { // The producer sees what the first consumer does.
    Value isProducer = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, warpgroup, constant(consumers));
    Value consumer = builder.create<arith::SelectOp>(loc, isProducer, constant(0), warpgroup);
    member = builder.create<arith::AddIOp>(loc, firstMember(), consumer);
  }
  position.block.replaceAllUsesWith(block);
  if (position.member)
    position.member.replaceAllUsesWith(member);
}

Value RoleKernel::firstMember() {
  if (cluster == 1)
    return constant(0);
  return builder.create<arith::MulIOp>(loc, builder.create<tile::ClusterRankOp>(loc), constant(consumers));
}

scf::IfOp RoleKernel::makeRoles() {
  Value isProducer =
      builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, warpgroup, constant(consumers * slices));
  return builder.create<scf::IfOp>(loc, isProducer, /*withElseRegion=*/true);
}

void RoleKernel::finish() {
  kernel.setThreads((consumers * slices + 1) * lanesOfWarpgroup);
  if (cluster > 1) {
    kernel.setCluster(cluster);
    kernel.setClusterShape(cluster);
  }
  kernel.removeConsumersAttr();
}

Value RoleKernel::allocate(Type element, ArrayRef<int64_t> dims, int64_t swizzle) {
  return builder.create<tile::AllocOp>(loc, tile::RefType::inShared(element, dims, swizzle), IntegerAttr(), false);
}

Value RoleKernel::allocateBarriers(int64_t count, int64_t arrivals, ArrayRef<int64_t> axes, StringRef name) {
  Location named = NameLoc::get(builder.getStringAttr(name), loc);
  return builder.create<tile::AllocBarriersOp>(named, tile::BarriersType::get(builder.getContext(), count), arrivals,
                                               axes.empty() ? DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(axes),
                                               IntegerAttr(), false, false);
}

Value RoleKernel::makeVariable(Type type, int64_t value) {
  Value made = builder.create<tile::VariableOp>(loc, tile::VariableType::get(builder.getContext(), type));
  builder.create<tile::SetOp>(loc, builder.create<arith::ConstantOp>(loc, builder.getIntegerAttr(type, value)), made);
  return made;
}

void RoleKernel::makeRing(Ring &ring) {
  auto allocateStages = [&](unsigned operand, ArrayRef<int64_t> dims) {
    return allocate(ring.operands[operand].element, dims, ring.operands[operand].swizzle);
  };
  auto barriers = [&](int64_t count, int64_t arrivals, ArrayRef<int64_t> axes, StringRef name) {
    return allocateBarriers(count, arrivals, axes, name);
  };
  auto variable = [&](Type type, int64_t value) { return makeVariable(type, value); };
  builder.setInsertionPoint(mainloop.work);
  bool isMade = succeeded(tegula::makeRing(ring, {allocateStages, barriers, variable}, builder, consumers, cluster));
  assert(isMade && "nothing in the way of the ring");
  static_cast<void>(isMade);
}

} // namespace tegula
