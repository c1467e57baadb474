// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/stages/Effects.h"

#include "transforms/split/Demand.h"

using namespace mlir;

namespace tegula::split {

/// The op of a block that a value is made by; null if it comes from elsewhere.
static Operation *makerIn(Block *block, Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    op = value.getParentBlock()->getParentOp();
  return block->findAncestorOpInBlock(*op);
}

/// All that an op takes, inside of its regions, too.
static llvm::SetVector<Value> operandsOf(Operation *op) {
  llvm::SetVector<Value> all;
  op->walk([&](Operation *inner) { all.insert(inner->operand_begin(), inner->operand_end()); });
  return all;
}

llvm::SetVector<Operation *> neededBy(Operation *op) {
  llvm::SetVector<Operation *> all;
  all.insert(op);
  for (size_t i = 0; i < all.size(); ++i)
    for (Value operand : operandsOf(all[i]))
      if (Operation *maker = makerIn(op->getBlock(), operand))
        all.insert(maker);
  return all;
}

bool Effects::isEffect(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        bool isOne = isa<tile::RootOpInterface, tile::DebugPrintOp>(inner);
        return isOne ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

Effects::Effects(tile::LaunchOp launch) : body(&launch.getBody().front()), symbols(launch), windows(launch, symbols) {
  for (Operation &op : body->without_terminator())
    if (isEffect(&op))
      found.push_back({&op, neededBy(&op)});
}

SmallVector<Effects::Access> Effects::accessesOf(Operation *op) {
  SmallVector<Access> all;
  op->walk([&](tile::MemoryAccessOpInterface memory) {
    for (const tile::MemoryAccess &access : memory.getMemoryAccesses())
      all.push_back({access.ref, access.isWrite(), access.isIndirect, access.isAtomic});
  });
  return all;
}

bool Effects::conflict(const Access &a, const Access &b) {
  if ((!a.isWrite && !b.isWrite) || (a.isAtomic && b.isAtomic) || tile::arrayOf(a.ref) != tile::arrayOf(b.ref))
    return false;
  return a.isIndirect || b.isIndirect || !windows.disjoint(a.ref, b.ref);
}

bool Effects::writesWhatIsUsed(Operation *writer, Operation *user) {
  SmallVector<Access> used = accessesOf(user);
  return llvm::any_of(accessesOf(writer), [&](const Access &write) {
    return write.isWrite && llvm::any_of(used, [&](const Access &use) { return conflict(write, use); });
  });
}

bool Effects::conflict(const Effect &a, const Effect &b) {
  auto writes = [&](const Effect &writer, const Effect &user) {
    return llvm::any_of(user.needed, [&](Operation *op) { return writesWhatIsUsed(writer.op, op); });
  };
  return writes(a, b) || writes(b, a);
}

bool Effects::isComputedBy(Operation *op, Operation *by) const { return neededBy(op).contains(by); }

/// Of what `user` computes of a load, the value nearest to it that is made in front of `end`. What broadcasts repeat is
/// kept once; numbers are kept as the tiles that they are taken of.
Value Effects::madeBefore(Operation *user, Operation *load, Operation *end) {
  for (Value operand : operandsOf(user)) {
    Operation *maker = makerIn(body, operand);
    if (!maker || maker == user || !isComputedBy(maker, load))
      continue;
    bool isKept = isTile(operand) && maker->isBeforeInBlock(end) && !isa<tile::BroadcastOp>(maker);
    return isKept || maker == load ? operand : madeBefore(maker, load, end);
  }
  return {};
}

/// What is to be kept of a value that a store takes, which is computed of a load of the array that it stores to: its
/// elements are read elsewhere than they are stored. Null for the value as a whole; none if there is nothing to keep.
std::optional<Value> Effects::elsewhere(tile::StoreOp store, Value value, Operation *load) {
  Operation *maker = makerIn(body, value);
  if (!maker || !isComputedBy(maker, load))
    return std::nullopt;
  if (maker == load && isa<tile::LoadOp>(load) && windows.equal(store.getRef(), load->getOperand(0)))
    return std::nullopt;
  if (isContraction(maker))
    return value;
  if (auto number = dyn_cast<tile::ExtractOp>(maker))
    return number.getTile();
  if (auto broadcast = dyn_cast<tile::BroadcastOp>(maker))
    return broadcast.getSource();
  bool isOfNumbers = !isTile(value) || isa<tile::FullOp, tile::IotaOp>(maker);
  if (!isa<tile::ElementwiseOpInterface>(maker) && !isOfNumbers)
    return Value();
  for (Value operand : maker->getOperands())
    if (std::optional<Value> kept = elsewhere(store, operand, load))
      return kept;
  return std::nullopt;
}

Value Effects::madeOfOwn(const Effect &effect, Operation *load) {
  auto store = dyn_cast<tile::StoreOp>(effect.op);
  for (Value operand : operandsOf(effect.op)) {
    Operation *maker = makerIn(body, operand);
    if (!maker || maker == effect.op || !isComputedBy(maker, load))
      continue;
    if (!store || !isTile(operand))
      return madeBefore(effect.op, load, effect.op);
    if (std::optional<Value> kept = elsewhere(store, operand, load))
      return *kept ? *kept : operand;
  }
  return {};
}

bool Effects::keeps(Operation *effect, Operation *made) {
  auto store = dyn_cast<tile::StoreOp>(effect);
  Operation *maker = store ? store.getValue().getDefiningOp() : nullptr;
  auto full = dyn_cast_or_null<tile::FullOp>(maker);
  return maker == made || (full && full.getValue().getDefiningOp() == made);
}

/// The first result that anything but what keeps it uses.
Value Effects::firstUsed(Operation *made) {
  for (Value result : made->getResults())
    for (Operation *user : result.getUsers()) {
      bool isNumber = isa<tile::FullOp>(user) && user->hasOneUse() && keeps(*user->user_begin(), made);
      if (!isNumber && !keeps(user, made))
        return result;
    }
  return {};
}

Value Effects::toKeepOf(const Effect &effect) {
  for (Operation *op : effect.needed) {
    if (op == effect.op)
      continue;
    if (isEffect(op)) { // It is made once, and kept at once.
      if (!keeps(effect.op, op))
        return firstUsed(op);
      continue;
    }
    for (const Effect &before : found) {
      if (before.op == effect.op)
        break;
      if (op->isBeforeInBlock(before.op) && writesWhatIsUsed(before.op, op))
        return madeBefore(effect.op, op, before.op);
    }
    if (writesWhatIsUsed(effect.op, op))
      if (Value kept = madeOfOwn(effect, op))
        return kept;
  }
  return {};
}

Value Effects::findToKeep() {
  for (const Effect &effect : found)
    if (Value kept = toKeepOf(effect))
      return kept;
  return {};
}

} // namespace tegula::split
