// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts for the tiles of kernels. Tiles that elementwise ops, masks and control flow tie together form a *group* and
// share one layout. Broadcasts, reductions and permutations lead from one group to another; a group takes the layout
// that follows from the other one's by the op, which then moves no data between threads. So a reduction leaves its
// result where its rows were, which is where a broadcast wants it. Tensor cores and products say what they have, and a
// tile whose type has a layout already keeps it: what a program asks for (`tile.layout_cast`) is fixed here. All others
// take the blocked layout of their shape.
//
// Where an op would lead to two layouts, a `tile.relayout` stands between. It moves data in registers, by shuffles or
// by shared memory, whichever costs least (layout/Relayout.h); what shared memory cannot take at once goes in boxes
// (layout/Boxes.h).
#include "ir/ControlFlow.h"
#include "ir/Elements.h"
#include "ir/KernelAttributes.h"
#include "ir/TileDialect.h"
#include "ir/TileText.h"
#include "layout/MmaLayouts.h"
#include "layout/NamedLayouts.h"
#include "transforms/Passes.h"
#include "transforms/layouts/BlockedLayouts.h"
#include "transforms/layouts/LayoutRelations.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILEASSIGNLAYOUTS
#include "transforms/Passes.h.inc"

namespace {
using layout::DistributedLayout;

RankedTensorType tileOf(Value value) { return dyn_cast<RankedTensorType>(value.getType()); }

class LayoutAssigner {
public:
  explicit LayoutAssigner(tile::KernelOp kernel)
      : kernel(kernel), blocked(kernel.getGroup(), kernel->hasAttr(tile::loadsAround)) {}

  LogicalResult run();

private:
  using Group = void *;

  void collect(Value value);
  void unite(Value a, Value b);
  WalkResult relate(Operation *op);
  void noteProduct(Operation *op);
  Group groupOf(Value value) { return groups.getLeaderValue(value.getAsOpaquePointer()); }

  FailureOr<DistributedLayout> layoutOf(Value value);
  FailureOr<DistributedLayout> neededBy(OpOperand *operand);
  FailureOr<DistributedLayout> madeOf(OpOperand *operand);
  bool isTransposed(ArrayRef<OpOperand *> made, Group group);
  FailureOr<DistributedLayout> choose(Value value, Group group);
  void fix(Value value, const DistributedLayout &layout);
  LogicalResult fixKnown(Value value, const DistributedLayout &layout);
  LogicalResult fixMma(tile::MmaOp product);
  LogicalResult fixFactor(tile::WgmmaOp product, bool &changed);
  void fixPermuted();
  LogicalResult fixProducts(bool &changed);
  void separate(tile::DotOp dot);
  LogicalResult fixCasts();
  LogicalResult separateRepetitions(bool &changed);
  LogicalResult assign();
  void replaceCasts();
  void setLayout(Value value, const DistributedLayout &layout);

  tile::KernelOp kernel;
  llvm::EquivalenceClasses<void *> groups;
  SmallVector<Value> tiles;
  /// What the tensor core has in registers: sums, and left factors of products.
  SmallVector<Value> accumulators;
  SmallVector<tile::WgmmaOp> factors;
  SmallVector<tile::MmaOp> warpProducts;
  /// What the program asks for.
  SmallVector<tile::LayoutCastOp> casts;
  SmallVector<tile::DotOp> products;
  /// Operands of ops that reduce or permute, and the same by the group of the results.
  SmallVector<OpOperand *> moved;
  llvm::MapVector<Group, SmallVector<OpOperand *>> makers;
  llvm::DenseSet<Group> inProgress;
  /// Tiles that are loaded from global memory or stored there, and their groups.
  SmallVector<Value> ofGlobal;
  llvm::DenseSet<Group> accessed;
  /// Operands that are repeated, and the same by their group.
  SmallVector<OpOperand *> repeated;
  llvm::MapVector<Group, SmallVector<OpOperand *>> repetitions;
  llvm::DenseMap<Group, DistributedLayout *> chosen;
  std::vector<std::unique_ptr<DistributedLayout>> storage;
  BlockedLayouts blocked;
};

void LayoutAssigner::collect(Value value) {
  if (!tileOf(value))
    return;
  tiles.push_back(value);
  groups.insert(value.getAsOpaquePointer());
}

void LayoutAssigner::unite(Value a, Value b) {
  if (tileOf(a))
    groups.unionSets(a.getAsOpaquePointer(), b.getAsOpaquePointer());
}

WalkResult LayoutAssigner::relate(Operation *op) {
  if (auto asked = dyn_cast<tile::LayoutCastOp>(op)) {
    casts.push_back(asked);
    return WalkResult::advance();
  }
  auto indexed = dyn_cast<tile::IndexedOpInterface>(op);
  if (!indexed) {
    bool isKnown = isa<RegionBranchOpInterface, tile::WgmmaOp, tile::WgmmaWaitOp, tile::MmaOp, tile::RelayoutOp>(op) ||
                   llvm::none_of(op->getResults(), tileOf);
    if (!isKnown)
      op->emitOpError("makes a tile, but has no IndexedOpInterface, which says of which elements of its operands");
    return isKnown ? WalkResult::advance() : WalkResult::interrupt();
  }
  for (Value result : op->getResults().drop_front(op->getNumResults() > 0)) // All are made alike.
    unite(op->getResult(0), result);
  OpOperand *first = nullptr; // That the results are made of, of several alike.
  for (OpOperand &operand : op->getOpOperands()) {
    if (!tileOf(operand.get()))
      continue;
    switch (relationOf(indexed, operand)) {
    case LayoutRelation::Same:
      unite(tile::iteratedTile(op), operand.get());
      break;
    case LayoutRelation::FromOperand:
      if (first && op->getNumResults() > 1) {
        unite(first->get(), operand.get());
        break;
      }
      first = &operand;
      moved.push_back(&operand);
      break;
    case LayoutRelation::FromResult:
      repeated.push_back(&operand);
      break;
    case LayoutRelation::None:
      break;
    }
  }
  return WalkResult::advance();
}

void LayoutAssigner::noteProduct(Operation *op) {
  if (auto product = dyn_cast<tile::WgmmaOp>(op)) {
    unite(product.getAccumulator(), product.getResult());
    accumulators.push_back(product.getResult());
    if (tileOf(product.getA()))
      factors.push_back(product);
  } else if (auto product = dyn_cast<tile::MmaOp>(op)) {
    unite(product.getAccumulator(), product.getResult());
    warpProducts.push_back(product);
  } else if (auto dot = dyn_cast<tile::DotOp>(op)) {
    products.push_back(dot);
  } else if (auto wait = dyn_cast<tile::WgmmaWaitOp>(op)) {
    for (auto [before, after] : llvm::zip(wait.getAccumulators(), wait.getResults()))
      unite(before, after);
  }
}

/// The layout of an operand that puts each element where the result needs it.
FailureOr<DistributedLayout> LayoutAssigner::neededBy(OpOperand *operand) {
  FailureOr<DistributedLayout> result = layoutOf(tile::iteratedTile(operand->getOwner()));
  return failed(result) ? result : layoutOfOperand(*operand, *result);
}

/// The layout of what is made where the elements of an operand are.
FailureOr<DistributedLayout> LayoutAssigner::madeOf(OpOperand *operand) {
  FailureOr<DistributedLayout> source = layoutOf(operand->get());
  return failed(source) ? source : layoutOfResult(*operand, *source);
}

/// Whether tiles of a group are made by a transposition, and go to memory: there, neighbours are other ones.
bool LayoutAssigner::isTransposed(ArrayRef<OpOperand *> made, Group group) {
  return accessed.contains(group) && llvm::all_of(made, [](OpOperand *operand) {
           auto permute = dyn_cast<tile::PermuteOp>(operand->getOwner());
           return permute && permute.getPermutation().back() + 1 != int64_t(permute.getPermutation().size());
         });
}

FailureOr<DistributedLayout> LayoutAssigner::choose(Value value, Group group) {
  // Groups may lead to one another: where the way comes back, it ends.
  bool isNew = inProgress.insert(group).second;
  auto finished = llvm::make_scope_exit([&] {
    if (isNew)
      inProgress.erase(group);
  });
  if (auto made = makers.find(group); isNew && made != makers.end() && !isTransposed(made->second, group))
    return madeOf(made->second.front());
  if (auto out = repetitions.find(group); isNew && out != repetitions.end())
    return neededBy(out->second.front());
  return blocked.layoutOf(tileOf(value), value.getDefiningOp() ? value.getDefiningOp() : kernel.getOperation());
}

void LayoutAssigner::fix(Value value, const DistributedLayout &layout) {
  chosen[groupOf(value)] = storage.emplace_back(std::make_unique<DistributedLayout>(layout)).get();
}

/// Gives a group the layout that a value's type or a tensor core demands.
LogicalResult LayoutAssigner::fixKnown(Value value, const DistributedLayout &layout) {
  DistributedLayout *known = chosen.lookup(groupOf(value));
  if (!known)
    fix(value, layout);
  else if (*known != layout)
    return emitError(value.getLoc()) << "this tile has the layout " << layout.str()
                                     << ", but its operands or users have the layout " << known->str()
                                     << ": put a tg::layout_cast between them";
  return success();
}

/// Gives a product a group of its own, which only relayouts lead to.
void LayoutAssigner::separate(tile::DotOp dot) {
  OpBuilder builder(dot);
  RankedTensorType type = dot.getType();
  if (Value acc = dot.getAcc())
    dot.getAccMutable().assign(builder.create<tile::RelayoutOp>(dot.getLoc(), type, acc));
  builder.setInsertionPointAfter(dot);
  auto relayout = builder.create<tile::RelayoutOp>(dot.getLoc(), type, dot.getResult());
  dot.getResult().replaceAllUsesExcept(relayout, relayout);
}

/// A left factor in registers. One that lies in another way is moved; of 16 bits, accumulators lie as factors do.
LogicalResult LayoutAssigner::fixFactor(tile::WgmmaOp product, bool &changed) {
  Value a = product.getA();
  int64_t bytes = tile::bytesOf(tileOf(a).getElementType());
  DistributedLayout needed = layout::wgmmaFactor(bytes), *known = chosen.lookup(groupOf(a));
  if (!known || *known == needed)
    return fixKnown(a, needed);
  OpBuilder builder(product);
  product.getAMutable().assign(builder.create<tile::RelayoutOp>(product.getLoc(), a.getType(), a));
  changed = true;
  return success();
}

/// Warps share the result, and what they need of the factors follows.
LogicalResult LayoutAssigner::fixMma(tile::MmaOp product) {
  RankedTensorType type = product.getType();
  auto choose = product.getRows() ? layout::mmaAccumulatorOfRows : layout::mmaAccumulator;
  auto sum = choose(type.getDimSize(0), type.getDimSize(1), kernel.getGroup());
  if (!sum)
    return product.emitError() << "the product, " << tile::inWords(type) << ", cannot be laid out: " << sum.message();
  int64_t bytes = tile::bytesOf(product.getA().getType().getElementType());
  return success(succeeded(fixKnown(product.getResult(), *sum)) &&
                 succeeded(fixKnown(product.getA(), layout::mmaFactor(layout::MmaFactor::left, *sum, bytes))) &&
                 succeeded(fixKnown(product.getB(), layout::mmaFactor(layout::MmaFactor::right, *sum, bytes))));
}

/// What is permuted into a tile of a product lies as that takes it.
void LayoutAssigner::fixPermuted() {
  for (bool changed = true; std::exchange(changed, false);)
    for (OpOperand *operand : moved) {
      auto permute = dyn_cast<tile::PermuteOp>(operand->getOwner());
      DistributedLayout *known = permute ? chosen.lookup(groupOf(permute.getResult())) : nullptr;
      if (!known || chosen.lookup(groupOf(operand->get())))
        continue;
      SmallVector<int64_t> back = invertPermutationVector(permute.getPermutation());
      fix(operand->get(), known->permuted({back.data(), back.size()}));
      changed = true;
    }
}

/// What is asked for is so from there on; where nothing is known of what it is asked of, before, too.
LogicalResult LayoutAssigner::fixCasts() {
  for (tile::LayoutCastOp asked : casts)
    if (failed(fixKnown(asked.getResult(), asked.getLayout().getLayout())))
      return failure();
  for (tile::LayoutCastOp asked : casts)
    if (!chosen.lookup(groupOf(asked.getSource())))
      fix(asked.getSource(), asked.getLayout().getLayout());
  return success();
}

/// What is asked for is there, or a relayout makes it.
void LayoutAssigner::replaceCasts() {
  for (tile::LayoutCastOp asked : casts) {
    Value made = asked.getSource();
    if (made.getType() != asked.getType())
      made = OpBuilder(asked).create<tile::RelayoutOp>(asked.getLoc(), asked.getType(), made);
    asked.getResult().replaceAllUsesWith(made);
    asked.erase();
  }
}

/// Types and tensor cores come first: what a warpgroup's products have in registers cannot be moved. A product whose
/// group has another layout is separated from it.
LogicalResult LayoutAssigner::fixProducts(bool &changed) {
  for (Value value : tiles)
    if (auto known = dyn_cast_or_null<tile::LayoutAttr>(tileOf(value).getEncoding()))
      if (failed(fixKnown(value, known.getLayout())))
        return failure();
  for (Value accumulator : accumulators)
    if (failed(fixKnown(accumulator, DistributedLayout::wgmmaAccumulator())))
      return failure();
  if (failed(fixCasts()))
    return failure();
  for (tile::WgmmaOp product : factors)
    if (failed(fixFactor(product, changed)))
      return failure();
  if (changed)
    return success();
  for (tile::MmaOp product : warpProducts)
    if (failed(fixMma(product)))
      return failure();
  if (!warpProducts.empty())
    fixPermuted();
  for (tile::DotOp dot : products) {
    ArrayRef<int64_t> shape = dot.getType().getShape();
    auto layout = DistributedLayout::product({shape.data(), shape.size()}, kernel.getGroup());
    if (!layout)
      return dot.emitError() << "the product, " << tile::inWords(dot.getType())
                             << ", cannot be laid out: " << layout.message();
    DistributedLayout *known = chosen.lookup(groupOf(dot));
    if (!known || *known == *layout) {
      fix(dot, *layout);
    } else if (dot.getType().getEncoding()) {
      return fixKnown(dot, *layout);
    } else {
      separate(dot);
      changed = true;
      return success();
    }
  }
  return success();
}

FailureOr<DistributedLayout> LayoutAssigner::layoutOf(Value value) {
  Group group = groupOf(value);
  if (DistributedLayout *known = chosen.lookup(group))
    return *known;
  FailureOr<DistributedLayout> result = choose(value, group);
  if (DistributedLayout *known = chosen.lookup(group)) // Decided on the way.
    return *known;
  if (succeeded(result))
    fix(value, *result);
  return result;
}

/// Tiles of one group that are repeated into several groups, and for which these need different layouts, are made once
/// for each, as far as that is cheap.
LogicalResult LayoutAssigner::separateRepetitions(bool &changed) {
  for (auto &[group, operands] : repetitions)
    for (OpOperand *operand : operands) {
      FailureOr<DistributedLayout> mine = layoutOf(operand->get()), needed = neededBy(operand);
      if (failed(mine) || failed(needed))
        return failure();
      if (*mine != *needed && operands.size() > 1 && succeeded(copySource(*operand))) {
        changed = true;
        return success();
      }
    }
  return success();
}

void LayoutAssigner::setLayout(Value value, const DistributedLayout &layout) {
  RankedTensorType type = tileOf(value);
  value.setType(RankedTensorType::get(type.getShape(), type.getElementType(),
                                      tile::LayoutAttr::get(kernel.getContext(), layout)));
}

LogicalResult LayoutAssigner::assign() {
  for (Value value : tiles)
    if (failed(layoutOf(value)))
      return failure();
  for (Value value : tiles) {
    RankedTensorType type = tileOf(value);
    const DistributedLayout &layout = *chosen.lookup(groupOf(value));
    if (auto placed = layout.on({type.getShape().data(), type.getShape().size()}); !placed)
      return emitError(value.getLoc()) << tile::inWords(type)
                                       << " does not fit the layout of its operands: " << placed.message();
  }
  // What ops lead to, as long as all layouts are those of groups; then the types.
  SmallVector<std::pair<OpOperand *, DistributedLayout>> sources;
  SmallVector<std::pair<Operation *, DistributedLayout>> results;
  for (OpOperand *operand : repeated)
    if (FailureOr<DistributedLayout> needed = neededBy(operand); *needed != *layoutOf(operand->get()))
      sources.emplace_back(operand, *needed);
  for (OpOperand *operand : moved)
    if (FailureOr<DistributedLayout> made = madeOf(operand); *made != *layoutOf(operand->getOwner()->getResult(0)))
      results.emplace_back(operand->getOwner(), *made);
  for (Value value : tiles)
    setLayout(value, *chosen.lookup(groupOf(value)));
  for (auto &[operand, needed] : sources) {
    OpBuilder builder(operand->getOwner());
    auto relayout =
        builder.create<tile::RelayoutOp>(operand->getOwner()->getLoc(), operand->get().getType(), operand->get());
    setLayout(relayout, needed);
    operand->set(relayout);
  }
  for (auto &[op, made] : results)
    for (Value result : op->getResults()) {
      OpBuilder builder(op);
      builder.setInsertionPointAfter(op);
      auto relayout = builder.create<tile::RelayoutOp>(result.getLoc(), result.getType(), result);
      result.replaceAllUsesExcept(relayout, relayout);
      setLayout(result, made);
    }
  replaceCasts();
  return success();
}

LogicalResult LayoutAssigner::run() {
  kernel.walk([&](Operation *op) {
    for (Value result : op->getResults())
      collect(result);
    for (Region &region : op->getRegions())
      for (Value argument : region.getArguments())
        collect(argument);
  });
  for (Value value : tiles)
    if (!tileOf(value).hasStaticShape())
      return emitError(value.getLoc()) << "a tile within a kernel must have a static shape, not "
                                       << tile::inWords(tileOf(value));
  WalkResult related = kernel.walk([&](Operation *op) {
    if (auto accesses = dyn_cast<tile::MemoryAccessOpInterface>(op))
      for (const tile::MemoryAccess &access : accesses.getMemoryAccesses()) {
        blocked.noteAccess(access);
        if (access.tile && !cast<tile::RefType>(access.ref.getType()).isShared())
          ofGlobal.push_back(access.tile);
      }
    if (auto scan = dyn_cast<tile::ScanOp>(op))
      blocked.noteScan(scan);
    if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
      tile::forEachCarried(branch, [&](OpOperand &from, Value to) { unite(to, from.get()); });
    noteProduct(op);
    return relate(op);
  });
  if (related.wasInterrupted())
    return failure();
  bool changed = false;
  if (failed(fixProducts(changed)))
    return failure();
  if (changed)
    return LayoutAssigner(kernel).run();
  for (Value value : ofGlobal)
    accessed.insert(groupOf(value));
  for (OpOperand *operand : repeated)
    repetitions[groupOf(operand->get())].push_back(operand);
  for (OpOperand *operand : moved)
    makers[groupOf(operand->getOwner()->getResult(0))].push_back(operand);
  if (failed(separateRepetitions(changed)))
    return failure();
  // Groups have changed: begin again.
  return changed ? LayoutAssigner(kernel).run() : assign();
}

/// How shared memory is arranged, as a program would pin it.
std::string describe(tile::RefType type) {
  int64_t swizzle = type.getSwizzle();
  return swizzle < 32 ? "tg::swizzle(16), none" : "tg::swizzle(" + std::to_string(swizzle) + ")";
}

/// Answers what the program asks. Code that several roles have a copy of asks once.
void answer(tile::KernelOp kernel, llvm::DenseSet<std::pair<Location, StringAttr>> &answered) {
  SmallVector<tile::PrintLayoutOp> questions;
  kernel.walk([&](tile::PrintLayoutOp question) { questions.push_back(question); });
  for (tile::PrintLayoutOp question : questions) {
    std::string is;
    if (auto ref = dyn_cast<tile::RefType>(question.getValue().getType())) {
      is = describe(ref);
    } else {
      RankedTensorType type = tileOf(question.getValue());
      is = layout::describe(cast<tile::LayoutAttr>(type.getEncoding()).getLayout(),
                            elementOf(type.getElementType())->bits);
    }
    auto [before, after] = question.getFormat().split("{}");
    std::string text = (before + is + after).str();
    if (answered.insert({question.getLoc(), StringAttr::get(question.getContext(), text)}).second)
      question.emitRemark() << text;
    question.erase();
  }
}

/// Gives each use of a constant tile one of its own: what a program asks for of one is nothing to the others.
void separateConstants(tile::KernelOp kernel) {
  if (!kernel.walk([](tile::LayoutCastOp) { return WalkResult::interrupt(); }).wasInterrupted())
    return;
  SmallVector<Operation *> constants;
  kernel.walk([&](Operation *op) {
    if (isa<tile::FullOp, tile::IotaOp>(op))
      constants.push_back(op);
  });
  for (Operation *constant : constants)
    for (OpOperand &use : llvm::make_early_inc_range(llvm::drop_begin(constant->getUses(), !constant->use_empty())))
      use.set(OpBuilder(constant).clone(*constant)->getResult(0));
}

struct AssignLayouts : impl::TileAssignLayoutsBase<AssignLayouts> {
  void runOnOperation() override {
    llvm::DenseSet<std::pair<Location, StringAttr>> answered;
    for (tile::KernelOp kernel : getOperation().getOps<tile::KernelOp>()) {
      separateConstants(kernel);
      if (failed(LayoutAssigner(kernel).run()))
        return signalPassFailure();
      answer(kernel, answered);
    }
  }
};
} // namespace
} // namespace tegula
