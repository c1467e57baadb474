// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What waits for a cluster's reduction waits as it was loaded. A row's elements that are needed before and after it are
// in registers meanwhile, f32 computed from bf16 with twice the registers; they are computed once more instead,
//
//   x = load bf16;  y = f(x);  r = reduce y cluster;  g(y, r)
//     ->  x = load bf16;  y = f(x);  r = reduce y cluster;  z = opaque x;  g(f(z), r)
//
// where that leaves room for another CTA. `opaque` keeps LLVM and ptxas from finding that f(x) is there already.
#include "transforms/Passes.h"

#include "ir/Elements.h"
#include "ir/KernelAttributes.h"
#include "ir/TileDialect.h"
#include "support/Registers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILERECOMPUTE
#include "transforms/Passes.h.inc"

namespace {

/// Registers of a thread that addresses, counters and what is being computed take.
constexpr int64_t otherRegisters = 16;

int64_t bytesOf(Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  return type.getNumElements() * tile::bytesOf(type.getElementType());
}

bool isTile(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() > 0;
}

class Recomputation {
public:
  explicit Recomputation(tile::ReduceOp reduce) : reduce(reduce), block(reduce->getBlock()) {}

  void run(int64_t bytesOfThreads);

private:
  bool isBefore(Value value) {
    return value.getDefiningOp() && value.getDefiningOp()->getBlock() == block &&
           value.getDefiningOp()->isBeforeInBlock(reduce);
  }
  bool isStaged(tile::LoadOp load);
  bool isCheap(Operation *op);
  int64_t bytesWaiting(Value tile);
  void findWaiting();
  Operation *firstUse();
  Value again(OpBuilder &builder, Value tile);

  tile::ReduceOp reduce;
  Block *block;
  llvm::SetVector<Value> waiting; ///< tiles that are used after the reduction and made before
  llvm::DenseMap<Value, int64_t> costs;
  llvm::SetVector<Value> held; ///< what they are computed from again
  IRMapping made;
};

/// Whether a load is from shared memory that stays as it is in all turns of the loop: it can be done again.
bool Recomputation::isStaged(tile::LoadOp load) {
  Value memory = tile::memoryOf(load.getRef());
  if (load.getMask() || !memory.getDefiningOp<tile::AllocOp>())
    return false;
  Operation *whole = reduce;
  while (!isa<tile::KernelOp>(whole->getParentOp()))
    whole = whole->getParentOp();
  if (whole == reduce.getOperation()) // Not in a loop: ops beside it may write.
    return false;
  WalkResult writes = whole->walk([&](tile::MemoryAccessOpInterface op) {
    for (const tile::MemoryAccess &access : op.getMemoryAccesses())
      if (access.isWrite() && tile::memoryOf(access.ref) == memory)
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return !writes.wasInterrupted();
}

bool Recomputation::isCheap(Operation *op) {
  auto elementwise = dyn_cast<tile::ElementwiseOpInterface>(op);
  return isa<tile::FullOp>(op) || (elementwise && elementwise.getWeight() <= 1);
}

/// The fewest bytes that can wait for a tile to be there, or be computed, after the reduction.
int64_t Recomputation::bytesWaiting(Value tile) {
  if (!isTile(tile) || !isBefore(tile)) // Is there anyway.
    return 0;
  if (auto known = costs.find(tile); known != costs.end())
    return known->second;
  Operation *op = tile.getDefiningOp();
  int64_t bytes = bytesOf(tile);
  if (auto load = dyn_cast<tile::LoadOp>(op); load && isStaged(load)) {
    bytes = 0;
  } else if (isCheap(op)) {
    int64_t ofOperands = 0;
    for (Value operand : op->getOperands())
      ofOperands += bytesWaiting(operand);
    bytes = std::min(bytes, ofOperands);
  }
  return costs[tile] = bytes;
}

void Recomputation::findWaiting() {
  for (Operation *op = reduce->getNextNode(); op; op = op->getNextNode())
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (isTile(operand) && isBefore(operand))
          waiting.insert(operand);
    });
}

/// A tile that is made before, behind the reduction.
Value Recomputation::again(OpBuilder &builder, Value tile) {
  if (!isTile(tile) || !isBefore(tile))
    return tile;
  if (Value known = made.lookupOrNull(tile))
    return known;
  Operation *op = tile.getDefiningOp();
  if (bytesWaiting(tile) >= bytesOf(tile)) {
    held.insert(tile);
    made.map(tile, builder.create<tile::OpaqueOp>(tile.getLoc(), tile));
  } else {
    for (Value operand : op->getOperands())
      made.map(operand, again(builder, operand));
    builder.clone(*op, made);
  }
  return made.lookup(tile);
}

/// The first op behind the reduction that uses what waits. What that is computed from again comes there, not before:
/// the numbers that are computed of the reduction's result take divisions, for which it would wait once more.
Operation *Recomputation::firstUse() {
  auto usesWaiting = [&](Operation *op) {
    return llvm::any_of(op->getOperands(), [&](Value operand) { return waiting.contains(operand); })
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  Operation *op = reduce->getNextNode();
  while (!op->walk(usesWaiting).wasInterrupted())
    op = op->getNextNode();
  return op;
}

/// `bytesOfThreads`: what can wait in registers.
void Recomputation::run(int64_t bytesOfThreads) {
  findWaiting();
  int64_t before = 0;
  for (Value tile : waiting)
    before += bytesOf(tile);
  if (before <= bytesOfThreads)
    return;
  Operation *rest = firstUse();
  Operation *last = rest->getPrevNode();
  OpBuilder builder(rest);
  for (Value tile : waiting)
    again(builder, tile);
  int64_t after = 0;
  for (Value tile : held)
    after += bytesOf(tile);
  if (after >= before) { // What several tiles are made of is as large.
    while (rest->getPrevNode() != last)
      rest->getPrevNode()->erase();
    return;
  }
  for (Value tile : waiting)
    tile.replaceUsesWithIf(made.lookup(tile), [&](OpOperand &use) {
      Operation *user = block->findAncestorOpInBlock(*use.getOwner());
      return user && !user->isBeforeInBlock(rest);
    });
}

struct Recompute : impl::TileRecomputeBase<Recompute> {
  void runOnOperation() override {
    for (tile::KernelOp kernel : getOperation().getOps<tile::KernelOp>()) {
      auto ctas = kernel->getAttrOfType<IntegerAttr>(tile::ctasPerMultiprocessor);
      if (!ctas)
        continue;
      int64_t threads = kernel.getThreads();
      int64_t registers = registersOfMultiprocessor / (ctas.getInt() * threads) - otherRegisters;
      SmallVector<tile::ReduceOp> reductions;
      kernel.walk([&](tile::ReduceOp reduce) {
        if (reduce.getCluster())
          reductions.push_back(reduce);
      });
      for (tile::ReduceOp reduce : reductions)
        Recomputation(reduce).run(registers * threads * 4);
    }
  }
};

} // namespace
} // namespace tegula
