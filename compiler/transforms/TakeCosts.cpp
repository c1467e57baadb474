// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/TakeCosts.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tegula {

/// More ops no tile is taken apart into: sinking recurses through them.
static constexpr size_t mostOps = 2048;

/// Sinking replaces it by the same op on taken operands: its elements are made of theirs.
static bool isOfElements(Operation *op) {
  return tile::isElementwise(op) || isa<tile::ConformOp, tile::BroadcastOp, tile::PermuteOp, tile::SubtileOp>(op);
}

/// The same everywhere, or of the index alone.
static bool isFree(Operation *op) { return isa<tile::FullOp, tile::IotaOp>(op); }

static int64_t weightOf(Operation *op) {
  auto elementwise = dyn_cast<tile::ElementwiseOpInterface>(op);
  return elementwise ? std::max<int64_t>(elementwise.getWeight(), 1) : 0;
}

namespace {
/// The ops that a tile is computed by, as far as elements of it can be taken of their operands.
class Cone {
public:
  /// Stops at so many ops: it is large then.
  Cone(tile::TakeOp take, size_t most);

  bool isLarge() const { return ops.size() > most; }
  /// Those that something else uses, too: they would be there twice.
  SmallVector<Operation *> copied();
  int64_t indexWeight() const;

private:
  void add(Value tile, bool isIndex);

  tile::TakeOp take;
  size_t most;
  llvm::SetVector<Operation *> ops;
  llvm::DenseSet<Operation *> ofIndices;
};
} // namespace

void Cone::add(Value tile, bool isIndex) {
  Operation *op = isa<RankedTensorType>(tile.getType()) ? tile.getDefiningOp() : nullptr;
  if (!op || isFree(op))
    return;
  ops.insert(op);
  if (isIndex)
    ofIndices.insert(op);
}

Cone::Cone(tile::TakeOp take, size_t most) : take(take), most(most) {
  add(take.getSource(), /*isIndex=*/false);
  for (size_t i = 0; i < ops.size() && !isLarge(); ++i) {
    Operation *op = ops[i];
    bool isIndex = ofIndices.contains(op);
    if (isOfElements(op) || isa<tile::LoadOp>(op))
      for (Value operand : op->getOperands())
        add(operand, isIndex);
    else if (auto gather = dyn_cast<tile::GatherOp>(op))
      for (Value operand : gather->getOperands())
        add(operand, isIndex || llvm::is_contained(gather.getIndices(), operand));
  }
}

SmallVector<Operation *> Cone::copied() {
  // Uses that go away, by op; dims alone keep no tile.
  llvm::DenseMap<Operation *, unsigned> gone;
  llvm::SmallPtrSet<Operation *, 16> moved;
  SmallVector<Operation *> work;
  auto leave = [&](Value tile) {
    Operation *op = tile.getDefiningOp();
    if (!op || !ops.contains(op) || op->getBlock() != take->getBlock())
      return;
    auto uses = llvm::count_if(op->getUses(), [](OpOperand &use) { return !isa<tile::DimOp>(use.getOwner()); });
    if (++gone[op] == uses) {
      moved.insert(op);
      work.push_back(op);
    }
  };
  leave(take.getSource());
  while (!work.empty())
    for (Value operand : work.pop_back_val()->getOperands())
      leave(operand);
  SmallVector<Operation *> copied;
  llvm::copy_if(ops, std::back_inserter(copied), [&](Operation *op) { return !moved.contains(op); });
  return copied;
}

int64_t Cone::indexWeight() const {
  int64_t weight = 0;
  for (Operation *op : ofIndices)
    weight += weightOf(op);
  return weight;
}

bool isOfMany(Value made) {
  constexpr int64_t many = 8;
  if (!canBeExchanged(made))
    return false;
  auto type = cast<RankedTensorType>(made.getType());
  llvm::SetVector<Value> parts;
  int64_t elements = 0; // Of the tiles that it is computed of.
  parts.insert(made);
  for (size_t i = 0; i < parts.size(); ++i) {
    Operation *op = parts[i].getDefiningOp();
    auto part = dyn_cast<RankedTensorType>(parts[i].getType());
    if (!op || !part || isFree(op))
      continue;
    auto partOf = dyn_cast<tile::SubtileOp>(op);
    bool isTaken = isa_and_nonnull<tile::TakeOp, tile::GatherOp>(partOf ? partOf.getSource().getDefiningOp() : op);
    if (isTaken && part.hasStaticShape())
      elements += part.getNumElements();
    else if (isOfElements(op))
      parts.insert(op->operand_begin(), op->operand_end());
  }
  return elements > many * type.getNumElements();
}

bool canBeExchanged(Value tile) {
  constexpr int64_t mostBytes = 32768;
  auto type = cast<RankedTensorType>(tile.getType());
  return type.hasStaticShape() && type.getNumElements() * tile::bytesOf(type.getElementType()) <= mostBytes;
}

bool isMadeOnce(tile::TakeOp take, const TakeBounds &bounds) {
  Value source = take.getSource();
  Operation *maker = source.getDefiningOp();
  if (!maker || isFree(maker) || !(isOfElements(maker) || isa<tile::LoadOp, tile::GatherOp>(maker)))
    return false; // As a whole anyway, or the same everywhere.
  Cone cone(take, mostOps);
  if (cone.isLarge() || cone.indexWeight() > bounds.indexWeight)
    return true;
  int64_t places = 0, weight = 0;
  for (Operation *op : cone.copied()) {
    auto taken = dyn_cast<tile::TakeOp>(op);
    if (taken && taken->hasAttr(takesOfMade)) // Of an array: each place would be another one.
      return true;
    places += !isOfElements(op);
    weight += weightOf(op);
  }
  return places > bounds.places || weight > bounds.weight;
}

} // namespace tegula
