// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies by TMA (PTX ISA, cp.async.bulk.tensor): one lane of the thread issues them.
#include "lower/KernelLowering.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula::lower {

/// Coordinates as the instruction takes them: 32 bits, the innermost dimension first.
static SmallVector<Value> coordinatesOf(ScalarBuilder b, OperandRange coordinates, const IRMapping &values) {
  SmallVector<Value> result;
  for (Value coordinate : llvm::reverse(coordinates))
    result.push_back(b.create<arith::TruncIOp>(b.builder.getI32Type(), values.lookup(coordinate)));
  return result;
}

/// Whether the lanes met already for a copy just before, and did nothing but arithmetic since.
static bool followsCopy(Operation *op) {
  for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode()) {
    if (isa<tile::TmaLoadOp>(before))
      return true;
    if (!isMemoryEffectFree(before))
      return false;
  }
  return false;
}

bool KernelLowering::isCopyingRole(Region *region) {
  auto branch = dyn_cast<scf::IfOp>(region->getParentOp());
  if (!branch || branch->getParentOp() != kernel || branch.getNumResults() > 0)
    return false;
  auto [known, isNew] = copyingRoles.try_emplace(region, false);
  if (isNew) {
    bool copies = false, doesMore = false;
    region->walk([&](Operation *inner) {
      copies |= isa<tile::TmaLoadOp, tile::TmaPrefetchOp>(inner);
      bool isGiven = isa<tile::SetMaxRegistersOp>(inner) && inner->getParentRegion() == region;
      doesMore |= !isGiven && inner->getNumRegions() == 0 && !isMemoryEffectFree(inner) &&
                  !isa<tile::TmaLoadOp, tile::TmaPrefetchOp, tile::BarrierWaitOp, tile::WaitGroupOp>(inner);
    });
    known->second = copies && !doesMore;
  }
  return known->second;
}

bool KernelLowering::onlyCopies(Operation *op) {
  Region *role = op->getParentRegion();
  while (role->getParentOp() != kernel && role->getParentOp()->getParentOp() != kernel)
    role = role->getParentOp()->getParentRegion();
  return isCopyingRole(role);
}

/// All warps give their registers away, which takes all of them, and the first one does the rest.
LogicalResult KernelLowering::lowerCopyingRole(Block &from, Block &to) {
  OpBuilder::InsertionGuard guard(builder);
  if (!to.empty() && to.back().hasTrait<OpTrait::IsTerminator>())
    to.back().erase();
  builder.setInsertionPointToEnd(&to);
  for (auto registers : from.getOps<tile::SetMaxRegistersOp>())
    if (failed(lower(registers)))
      return failure();
  auto isAlone = builder.create<scf::IfOp>(here, isFirstWarp(), /*withElseRegion=*/false);
  builder.create<scf::YieldOp>(here);
  builder.setInsertionPointToStart(isAlone.thenBlock());
  for (Operation &op : from.without_terminator())
    if (!isa<tile::SetMaxRegistersOp>(op) && failed(lower(&op)))
      return failure();
  return success();
}

std::pair<Value, Value> KernelLowering::placeOfCopy(Value ref, Value offset, Value predicate) {
  ScalarBuilder b = scalars();
  Value address = startInShared(shared.find(ref)->second), issues = isLeader();
  if (offset)
    address = b.create<arith::AddIOp>(address, b.create<arith::TruncIOp>(builder.getI32Type(), values.lookup(offset)));
  if (predicate)
    issues = b.create<arith::AndIOp>(issues, values.lookup(predicate));
  return {address, issues};
}

LogicalResult KernelLowering::lowerTmaLoad(tile::TmaLoadOp op) {
  // All lanes are done with what the copy overwrites; and none is so far behind that it would take a later phase of a
  // barrier for the one it waits for.
  if (!onlyCopies(op) && !followsCopy(op))
    groupBarrier();
  ScalarBuilder b = scalars(op);
  SmallVector<Value> coordinates = coordinatesOf(b, op.getCoordinates(), values);
  auto [target, predicate] = placeOfCopy(op.getTarget(), op.getOffset(), op.getPredicate());
  Value barrier = barrierAddress(op.getBarriers(), op.getIndex());
  if (op.getBytes()) { // Where the predicate is false, the copy arrives without bytes.
    Value bytes = b.create<arith::TruncIOp>(builder.getI32Type(), values.lookup(op.getBytes())), arrives = predicate;
    if (op.getPredicate()) {
      bytes = b.create<arith::SelectOp>(values.lookup(op.getPredicate()), bytes, i32(0));
      arrives = isLeader();
    }
    effect("@$2 mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;", "r,r,b", {barrier, bytes, arrives});
  }
  std::string rank = std::to_string(coordinates.size());
  SmallVector<Value> operands = {target, values.lookup(op.getMap()), barrier, predicate};
  llvm::append_range(operands, coordinates);
  std::string constraints = "r,l,r,b", mask;
  for (size_t i = 0; i < coordinates.size(); ++i)
    constraints += ",r";
  if (op.getMask()) {
    operands.push_back(b.create<arith::TruncIOp>(builder.getI16Type(), values.lookup(op.getMask())));
    constraints += ",h";
    mask = ", $" + std::to_string(operands.size() - 1);
  }
  effect("@$3 cp.async.bulk.tensor." + rank + "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes" +
             (op.getMask() ? ".multicast::cluster" : "") + " [$0], [$1, " + operandList(4, coordinates.size()) +
             "], [$2]" + mask + ";",
         constraints, operands);
  return success();
}

LogicalResult KernelLowering::lowerTmaStore(tile::TmaStoreOp op) {
  ScalarBuilder b = scalars(op);
  SmallVector<Value> coordinates = coordinatesOf(b, op.getCoordinates(), values);
  auto [source, predicate] = placeOfCopy(op.getSource(), op.getOffset(), op.getPredicate());
  SmallVector<Value> operands = {source, values.lookup(op.getMap()), predicate};
  llvm::append_range(operands, coordinates);
  std::string constraints = "r,l,b";
  for (size_t i = 0; i < coordinates.size(); ++i)
    constraints += ",r";
  effect("@$2 cp.async.bulk.tensor." + std::to_string(coordinates.size()) +
             "d.global.shared::cta.tile.bulk_group [$1, " + operandList(3, coordinates.size()) + "], [$0];",
         constraints, operands);
  if (op.getCommit())
    effect("cp.async.bulk.commit_group;", "", {});
  return success();
}

/// The groups are those of the lane that issues copies: the others wait for it.
LogicalResult KernelLowering::lowerWaitGroup(tile::WaitGroupOp op) {
  effect("cp.async.bulk.wait_group" + Twine(op.getRead() ? ".read " : " ") + Twine(op.getPending()) + ";", "", {});
  if (!onlyCopies(op))
    groupBarrier();
  return success();
}

void KernelLowering::fenceShared() {
  effect("fence.proxy.async.shared::cta;", "", {});
  groupBarrier();
}

std::optional<LogicalResult> KernelLowering::lowerCopyOp(Operation *op) {
  auto prefetch = [&](tile::TmaPrefetchOp prefetch) {
    ScalarBuilder b = scalars(prefetch);
    SmallVector<Value> coordinates = coordinatesOf(b, prefetch.getCoordinates(), values);
    Value issues = isLeader();
    if (prefetch.getPredicate())
      issues = b.create<arith::AndIOp>(issues, values.lookup(prefetch.getPredicate()));
    SmallVector<Value> operands = {values.lookup(prefetch.getMap()), issues};
    llvm::append_range(operands, coordinates);
    std::string constraints = "l,b";
    for (size_t i = 0; i < coordinates.size(); ++i)
      constraints += ",r";
    effect("@$1 cp.async.bulk.prefetch.tensor." + std::to_string(coordinates.size()) + "d.L2.global.tile [$0, " +
               operandList(2, coordinates.size()) + "];",
           constraints, operands);
    return success();
  };
  return llvm::TypeSwitch<Operation *, std::optional<LogicalResult>>(op)
      .Case([&](tile::TmaLoadOp load) { return lowerTmaLoad(load); })
      .Case([&](tile::TmaStoreOp store) { return lowerTmaStore(store); })
      .Case(prefetch)
      .Case([&](tile::WaitGroupOp wait) { return lowerWaitGroup(wait); })
      .Case([&](tile::CommitGroupOp) {
        effect("cp.async.bulk.commit_group;", "", {});
        return success();
      })
      .Case([&](tile::FenceSharedOp) {
        fenceShared();
        return success();
      })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace tegula::lower
