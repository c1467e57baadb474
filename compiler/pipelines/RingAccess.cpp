// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipelines/RingAccess.h"

using namespace mlir;

namespace tegula {

LoopEmitter::LoopEmitter(OpBuilder &builder, Location loc)
    : builder(builder), loc(loc), zero(index(0)), one(index(1)) {}

RingAccess::RingAccess(OpBuilder &builder, Location loc, const Ring &ring) : LoopEmitter(builder, loc), ring(ring) {}

Value LoopEmitter::constant(Type type, int64_t value) {
  Operation *program = builder.getInsertionBlock()->getParentOp();
  while (!isa<tile::LaunchOp, tile::KernelOp>(program))
    program = program->getParentOp();
  TypedAttr attribute = builder.getIntegerAttr(type, value);
  Block &start = program->getRegion(0).front();
  for (Operation &op : start) {
    auto known = dyn_cast<arith::ConstantOp>(op);
    if (!known)
      break;
    if (known.getValue() == attribute)
      return known;
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&start);
  return builder.create<arith::ConstantOp>(builder.getUnknownLoc(), attribute);
}

Value RingAccess::ahead(Value stage, int64_t steps) {
  if (ring.depth == 1)
    return zero;
  Value next = make<arith::AddIOp>(stage, index(steps)), depth = index(ring.depth);
  if (steps == 1)
    return builder.create<arith::SelectOp>(loc, compare(arith::CmpIPredicate::eq, next, depth), zero, next);
  Value wrapped = make<arith::SubIOp>(next, depth);
  return builder.create<arith::SelectOp>(loc, compare(arith::CmpIPredicate::sge, next, depth), wrapped, next);
}

Value RingAccess::behind(Value stage, int64_t steps) { return steps == 0 ? stage : ahead(stage, ring.depth - steps); }

void RingAccess::advance(int64_t steps) {
  Value next = zero, wraps = constant(builder.getI1Type(), 1);
  if (ring.depth > 1) {
    Value depth = index(ring.depth);
    next = make<arith::AddIOp>(get(ring.stage), index(steps));
    wraps = compare(steps == 1 ? arith::CmpIPredicate::eq : arith::CmpIPredicate::sge, next, depth);
    Value first = steps == 1 ? zero : make<arith::SubIOp>(next, depth);
    next = builder.create<arith::SelectOp>(loc, wraps, first, next);
  }
  set(ring.stage, next);
  set(ring.parity, make<arith::XOrIOp>(get(ring.parity), wraps));
}

void RingAccess::move(Value steps) {
  Value next = make<arith::AddIOp>(get(ring.stage), steps), depth = index(ring.depth);
  Value isOver = compare(arith::CmpIPredicate::sge, next, depth),
        isUnder = compare(arith::CmpIPredicate::slt, next, zero);
  Value over = make<arith::SubIOp>(next, depth), under = make<arith::AddIOp>(next, depth);
  next = builder.create<arith::SelectOp>(loc, isUnder, under, next);
  set(ring.stage, builder.create<arith::SelectOp>(loc, isOver, over, next));
  set(ring.parity, make<arith::XOrIOp>(get(ring.parity), make<arith::OrIOp>(isOver, isUnder)));
}

Value RingAccess::blockAt(unsigned operand, Value stage) {
  Value buffer = ring.buffers[operand];
  auto type = cast<tile::RefType>(buffer.getType());
  SmallVector<int32_t> modes(type.getRank(), static_cast<int32_t>(tile::SliceMode::Whole));
  modes.front() = static_cast<int32_t>(tile::SliceMode::Element);
  SmallVector<Value> offsets = {stage};
  ArrayRef<int64_t> shape = ring.operands[operand].block;
  if (!shape.empty() && shape.back() != type.getDims().back()) {
    modes.back() = static_cast<int32_t>(tile::SliceMode::Window);
    offsets.push_back(zero);
  }
  auto block = tile::RefType::inShared(type.getElementType(), shape, type.getSwizzle());
  return builder.create<tile::SliceOp>(loc, block, buffer, offsets, ValueRange(), modes, /*spec=*/false);
}

void RingAccess::waitFull(Value stage) { builder.create<tile::BarrierWaitOp>(loc, ring.full, stage, get(ring.parity)); }

void RingAccess::waitEmpty(Value stage) {
  Value parity = make<arith::XOrIOp>(get(ring.parity), constant(builder.getI1Type(), 1));
  builder.create<tile::BarrierWaitOp>(loc, ring.empty, stage, parity);
}

static tile::EvictionAttr evictionOf(OpBuilder &builder, const RingOperand &operand) {
  return operand.eviction == tile::Eviction::Normal ? tile::EvictionAttr()
                                                    : tile::EvictionAttr::get(builder.getContext(), operand.eviction);
}

void RingAccess::copyIn(unsigned operand, Value window, Value stage) {
  const RingOperand &what = ring.operands[operand];
  Value block = blockAt(operand, stage);
  if (what.outside == tile::Outside::None && what.multicast.empty() && tile::areRuns(window, block)) {
    builder.create<tile::BulkLoadOp>(loc, window, block, ring.full, stage, Value(), evictionOf(builder, what));
    return;
  }
  builder.create<tile::CopyToSharedOp>(
      loc, window, block, ring.full, stage, Value(),
      what.multicast.empty() ? DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(what.multicast),
      what.unfilled ? builder.getI64IntegerAttr(*what.unfilled) : IntegerAttr(),
      what.outside == tile::Outside::Zeros ? tile::OutsideAttr()
                                           : tile::OutsideAttr::get(builder.getContext(), what.outside),
      evictionOf(builder, what));
}

void RingAccess::copyOut(unsigned operand, Value window, Value block) {
  const RingOperand &what = ring.operands[operand];
  if (what.outside == tile::Outside::None && tile::areRuns(window, block))
    builder.create<tile::BulkStoreOp>(loc, block, window, Value(), /*commit=*/false, tile::CopyReductionAttr(),
                                      evictionOf(builder, what));
  else
    builder.create<tile::CopyToGlobalOp>(loc, block, window, Value(), /*commit=*/false, tile::CopyReductionAttr(),
                                         evictionOf(builder, what));
}

void RingAccess::release(Value stage) { builder.create<tile::BarrierArriveOp>(loc, ring.empty, stage); }

} // namespace tegula
