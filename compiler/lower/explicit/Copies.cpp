// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies by TMA (PTX ISA, cp.async.bulk.tensor): one lane of the thread issues them.
#include "ir/GridOps.h"
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
    if (isa<tile::TmaLoadOp, tile::BulkLoadOp>(before))
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
      copies |= isa<tile::TmaLoadOp, tile::BulkLoadOp, tile::TmaPrefetchOp>(inner);
      doesMore |= isa<tile::WarpMapOp>(inner);
      bool isGiven = isa<tile::SetMaxRegistersOp>(inner) && inner->getParentRegion() == region;
      doesMore |= !isGiven && inner->getNumRegions() == 0 && !isMemoryEffectFree(inner) &&
                  !isa<tile::TmaLoadOp, tile::BulkLoadOp, tile::TmaPrefetchOp, tile::BarrierWaitOp, tile::WaitGroupOp,
                       tile::WaitForGridsOp, tile::LaunchDependentsOp, tile::TakeStepOp, tile::AnnounceStepOp,
                       tile::ReadStepOp, tile::TraceThreadOp, tile::TraceEventOp>(inner);
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

/// What tells L2 when to give up the lines of a copy (PTX ISA, createpolicy): made once for all copies of the kernel.
Value KernelLowering::cachePolicy(tile::Eviction eviction) {
  Value &policy = cachePolicies[static_cast<size_t>(eviction)];
  if (!policy)
    computeOnce([&] {
      StringRef name = eviction == tile::Eviction::First ? "evict_first" : "evict_last";
      policy = scalars().assembly(("createpolicy.fractional.L2::" + name + ".b64 $0, 1.0;").str(), "=l",
                                  builder.getI64Type(), {});
    });
  return policy;
}

void KernelLowering::issueCopy(const Twine &name, const Twine &places, const CopyOptions &options,
                               std::string constraints, SmallVector<Value> operands) {
  std::string text = ("@" + options.predicate + " " + name).str(), rest = (options.type + " " + places).str();
  if (options.eviction && *options.eviction != tile::Eviction::Normal) {
    text += ".L2::cache_hint";
    rest += ", $" + std::to_string(operands.size());
    operands.push_back(cachePolicy(*options.eviction));
    constraints += ",l";
  }
  effect(text + rest + ";", constraints, operands);
}

/// Where the predicate is false, the copy arrives without bytes.
void KernelLowering::expectBytes(Value barrier, Value bytes, Value predicate) {
  ScalarBuilder b = scalars();
  if (predicate)
    bytes = b.create<arith::SelectOp>(values.lookup(predicate), bytes, i32(0));
  effect("@$2 mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;", "r,r,b", {barrier, bytes, isLeader()});
}

/// All lanes are done with what the copy overwrites; and none is so far behind that it would take a later phase of a
/// barrier for the one it waits for.
void KernelLowering::meetBeforeCopy(Operation *op) {
  if (!onlyCopies(op) && !followsCopy(op))
    groupBarrier();
}

LogicalResult KernelLowering::lowerTmaLoad(tile::TmaLoadOp op) {
  meetBeforeCopy(op);
  ScalarBuilder b = scalars(op);
  SmallVector<Value> coordinates = coordinatesOf(b, op.getCoordinates(), values);
  auto [target, predicate] = placeOfCopy(op.getTarget(), op.getOffset(), op.getPredicate());
  Value barrier = barrierAddress(op.getBarriers(), op.getIndex());
  if (op.getBytes())
    expectBytes(barrier, b.create<arith::TruncIOp>(builder.getI32Type(), values.lookup(op.getBytes())),
                op.getPredicate());
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
  issueCopy("cp.async.bulk.tensor." + rank + "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes" +
                (op.getMask() ? ".multicast::cluster" : ""),
            "[$0], [$1, " + operandList(4, coordinates.size()) + "], [$2]" + mask, {"$3", op.getEviction()},
            constraints, operands);
  return success();
}

/// The address of the first element of a window of an array, in the window of global memory.
Value KernelLowering::startInArray(Value ref) {
  auto global = LLVM::LLVMPointerType::get(builder.getContext(), 1);
  Value base = refs.find(ref)->second.base;
  if (base.getType() != global)
    base = builder.create<LLVM::AddrSpaceCastOp>(here, global, base);
  return builder.create<LLVM::PtrToIntOp>(here, builder.getI64Type(), base);
}

LogicalResult KernelLowering::lowerBulkLoad(tile::BulkLoadOp op) {
  here = locationOf(op);
  meetBeforeCopy(op);
  auto [target, predicate] = placeOfCopy(op.getTarget(), Value(), op.getPredicate());
  Value barrier = barrierAddress(op.getBarriers(), op.getIndex());
  Value bytes = i32(op.getTarget().getType().getSizeInBytes());
  expectBytes(barrier, bytes, op.getPredicate());
  issueCopy("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes", "[$0], [$1], $2, [$3]",
            {"$4", op.getEviction()}, "r,l,r,r,b", {target, startInArray(op.getSource()), bytes, barrier, predicate});
  return success();
}

/// "add.noftz.f16": what cp.reduce.async.bulk is told of a reduction and its elements.
static std::string reductionOf(tile::CopyReduction kind, Type element) {
  bool isBitwise = kind >= tile::CopyReduction::And;
  unsigned width = element.getIntOrFloatBitWidth();
  std::string type = isa<BFloat16Type>(element)                        ? "bf16"
                     : isa<FloatType>(element)                         ? "f" + std::to_string(width)
                     : isBitwise                                       ? "b" + std::to_string(width)
                     : element.isUnsignedInteger()                     ? "u" + std::to_string(width)
                     : kind == tile::CopyReduction::Add && width == 64 ? "u64"
                                                                       : "s" + std::to_string(width);
  bool isHalf = isa<FloatType>(element) && width == 16 && kind == tile::CopyReduction::Add;
  return "." + tile::stringifyCopyReduction(kind).str() + (isHalf ? ".noftz." : ".") + type;
}

LogicalResult KernelLowering::lowerBulkStore(tile::BulkStoreOp op) {
  here = locationOf(op);
  auto [source, predicate] = placeOfCopy(op.getSource(), Value(), op.getPredicate());
  tile::RefType type = op.getSource().getType();
  std::string how = "global.shared::cta.bulk_group", name = "cp.async.bulk." + how, reduction;
  if (op.getReduction()) {
    name = "cp.reduce.async.bulk." + how;
    reduction = reductionOf(*op.getReduction(), type.getElementType());
  }
  issueCopy(name, "[$0], [$1], $2", {"$3", op.getEviction(), reduction}, "l,r,r,b",
            {startInArray(op.getTarget()), source, i32(type.getSizeInBytes()), predicate});
  if (op.getCommit())
    effect("cp.async.bulk.commit_group;", "", {});
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
  std::string reduction =
      op.getReduction() ? "." + tile::stringifyCopyReduction(*op.getReduction()).str() : std::string();
  issueCopy(Twine(op.getReduction() ? "cp.reduce.async" : "cp.async") + ".bulk.tensor." + Twine(coordinates.size()) +
                "d.global.shared::cta" + reduction + ".tile.bulk_group",
            "[$1, " + operandList(3, coordinates.size()) + "], [$0]", {"$2", op.getEviction()}, constraints, operands);
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
    issueCopy("cp.async.bulk.prefetch.tensor." + std::to_string(coordinates.size()) + "d.L2.global.tile",
              "[$0, " + operandList(2, coordinates.size()) + "]", {"$1", prefetch.getEviction()}, constraints,
              operands);
    return success();
  };
  return llvm::TypeSwitch<Operation *, std::optional<LogicalResult>>(op)
      .Case([&](tile::TmaLoadOp load) { return lowerTmaLoad(load); })
      .Case([&](tile::TmaStoreOp store) { return lowerTmaStore(store); })
      .Case([&](tile::BulkLoadOp load) { return lowerBulkLoad(load); })
      .Case([&](tile::BulkStoreOp store) { return lowerBulkStore(store); })
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
