// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers between accesses of one memory. The program is written as if one thread ran it; a thread group of a kernel
// has many, each with elements of its own. Where a thread reads or overwrites what another one of its group wrote, or
// overwrites what another one reads, the group synchronizes between.
//
//   o[all] = f(x[all]); y = o[all]           the same window in the same layout: each thread accesses its own elements
//   o[all] = x[all]; o[all] = transpose(y)   other layouts, other threads: a barrier between the stores
//
// ldmatrix and stmatrix move elements of one lane by the addresses of others: where a store or a load may be by them,
// the warp synchronizes before the load. This holds where the program orders its warps itself, too.
//
// A forward dataflow analysis: the state is the set of accesses since the last barrier. Branches of which only one runs
// are never both in it; what comes round a loop does. A barrier stands as late as possible, before the second of two
// accesses. Asynchronous copies are the author's to wait for.
#include "ir/KernelAttributes.h"
#include "ir/TileDialect.h"
#include "layout/MmaLayouts.h"
#include "transforms/Passes.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILEORDERACCESSES
#include "transforms/Passes.h.inc"

namespace {

class AccessOrder {
public:
  void run(tile::KernelOp kernel) {
    isOrderedByProgram = kernel->hasAttr(tile::noAutoBarriers);
    kernel.getBody().walk([&](tile::MemoryAccessOpInterface op) {
      for (const tile::MemoryAccess &access : op.getMemoryAccesses())
        if (access.isWrite())
          written.insert(tile::memoryOf(access.ref));
    });
    State state;
    visit(kernel.getBody().front(), state);
  }

private:
  /// An access since the last barrier, or several that are alike. With `loop`, in an earlier iteration of that loop,
  /// which computes the window. `isSeenByWarp`: the lanes of a warp have synchronized since.
  struct Pending {
    Value ref, tile;
    bool isWrite, isIndirect, isAtomic;
    Operation *loop = nullptr;
    bool isSeenByWarp = false;
    auto key() const {
      return std::tuple(ref.getAsOpaquePointer(), tile ? tile.getType() : Type(), isWrite, isIndirect, isAtomic, loop,
                        isSeenByWarp);
    }
    bool operator==(const Pending &other) const { return key() == other.key(); }
  };
  using State = SmallVector<Pending>;

  static void add(State &state, const Pending &access) {
    if (!llvm::is_contained(state, access))
      state.push_back(access);
  }

  static void synchronizeWarps(State &state) {
    for (Pending &before : state)
      before.isSeenByWarp = true;
  }

  void visit(Block &block, State &state);
  void visitRegions(RegionBranchOpInterface op, State &state);
  void visitAccess(Operation *op, const tile::MemoryAccess &access, State &state);
  bool conflict(const Pending &before, const tile::MemoryAccess &access);
  static bool areApart(const Pending &before, const tile::MemoryAccess &access);
  bool isReadAcrossLanes(const Pending &before, const tile::MemoryAccess &access);

  /// Of shared memory, among warps.
  bool isOrderedByProgram = false;
  llvm::DenseSet<Value> written; ///< The memory that the kernel writes.
};

bool isSameWindow(Value a, Value b) {
  return tile::isSameWindow(a, b, [](Value x, Value y) { return x == y; });
}

/// Whether every thread has the elements of both tiles that it has of either one, and nobody else has them.
bool isSameShare(Value a, Value b) {
  auto layoutOf = [](Value tile) {
    return dyn_cast_or_null<tile::LayoutAttr>(cast<RankedTensorType>(tile.getType()).getEncoding());
  };
  auto type = cast<RankedTensorType>(a.getType());
  tile::LayoutAttr layout = layoutOf(a);
  if (!layout || layout != layoutOf(b) || type.getShape() != cast<RankedTensorType>(b.getType()).getShape())
    return false;
  auto placement = layout.getLayout().on({type.getShape().data(), type.getShape().size()});
  return placement && !placement->isReplicated();
}

/// An offset as a sum of multiples of values and a constant.
struct Offset {
  int64_t constant = 0;
  llvm::SmallMapVector<Value, int64_t, 4> factors;

  explicit Offset(Value value) { add(value, 1, /*depth=*/0); }
  Offset minus(const Offset &other) const {
    Offset result = *this;
    result.constant -= other.constant;
    for (auto [value, factor] : other.factors)
      result.addTerm(value, -factor);
    return result;
  }

private:
  void addTerm(Value value, int64_t factor) {
    if ((factors[value] += factor) == 0)
      factors.erase(value);
  }
  void add(Value value, int64_t factor, unsigned depth) {
    constexpr unsigned deepest = 8; // Sums that share terms have exponentially many.
    APInt number;
    if (depth == deepest) {
      addTerm(value, factor);
    } else if (matchPattern(value, m_ConstantInt(&number))) {
      constant += number.getSExtValue() * factor;
    } else if (auto sum = value.getDefiningOp<arith::AddIOp>()) {
      add(sum.getLhs(), factor, depth + 1);
      add(sum.getRhs(), factor, depth + 1);
    } else if (auto product = value.getDefiningOp<arith::MulIOp>();
               product && matchPattern(product.getRhs(), m_ConstantInt(&number))) {
      add(product.getLhs(), factor * number.getSExtValue(), depth + 1);
    } else {
      addTerm(value, factor);
    }
  }
};

/// Whether two windows of one place have no element in common: along a dimension, one begins where the other one ends,
/// or later.
bool areApart(tile::SliceOp left, tile::SliceOp right) {
  if (!isSameWindow(left.getSource(), right.getSource()))
    return false;
  return llvm::any_of(llvm::seq<unsigned>(0, left.getModes().size()), [&](unsigned dim) {
    if (!left.getOffset(dim) || !right.getOffset(dim))
      return false;
    Offset distance = Offset(right.getOffset(dim)).minus(Offset(left.getOffset(dim)));
    auto isPast = [](int64_t distance, int64_t bound) { return !ShapedType::isDynamic(bound) && distance >= bound; };
    return distance.factors.empty() &&
           (isPast(distance.constant, left.getBound(dim)) || isPast(-distance.constant, right.getBound(dim)));
  });
}

/// Whether two windows of one step interleave without a common element: the even elements of a place, and the odd
/// ones.
bool interleave(tile::StridedSliceOp left, tile::StridedSliceOp right) {
  std::optional<int64_t> step = left.stepSharedWith(right);
  if (!step || !isSameWindow(left.getSource(), right.getSource()))
    return false;
  Offset distance = Offset(right.getOffset()).minus(Offset(left.getOffset()));
  return distance.factors.empty() && distance.constant % *step != 0;
}

/// Whether two windows of one array have no element in common, or two that they are of: those of two halves.
bool isDisjoint(Value a, Value b) {
  auto slice = [](Value ref) -> Operation * {
    Operation *op = ref.getDefiningOp();
    return isa_and_nonnull<tile::SliceOp, tile::StridedSliceOp>(op) ? op : nullptr;
  };
  for (Operation *left = slice(a); left; left = slice(left->getOperand(0)))
    for (Operation *right = slice(b); right; right = slice(right->getOperand(0))) {
      if (auto one = dyn_cast<tile::SliceOp>(left), other = dyn_cast<tile::SliceOp>(right); one && other) {
        if (areApart(one, other))
          return true;
      } else if (auto one = dyn_cast<tile::StridedSliceOp>(left), other = dyn_cast<tile::StridedSliceOp>(right);
                 one && other && interleave(one, other)) {
        return true;
      }
    }
  return false;
}

/// How far an offset moves with each iteration of a loop; none if nobody can tell.
std::optional<int64_t> strideIn(Value offset, scf::ForOp loop) {
  APInt step;
  if (!matchPattern(loop.getStep(), m_ConstantInt(&step)))
    return std::nullopt;
  int64_t stride = 0;
  for (auto [value, factor] : Offset(offset).factors)
    if (value == loop.getInductionVar())
      stride += factor * step.getSExtValue();
    else if (loop->isAncestor(value.getParentBlock()->getParentOp()))
      return std::nullopt;
  return stride;
}

/// Whether a window moves by its own size or more in each iteration.
bool movesApart(Value ref, Operation *around) {
  auto loop = dyn_cast<scf::ForOp>(around);
  // From view to view, to an argument of the kernel or an allocation, which has no operands.
  for (Operation *op = ref.getDefiningOp(); loop && op && op->getNumOperands();
       op = op->getOperand(0).getDefiningOp()) {
    auto slice = dyn_cast<tile::SliceOp>(op);
    if (isa<tile::StridedSliceOp>(op) && loop->isAncestor(op)) // What is cut of it moves by more than its own offset.
      return false;
    for (unsigned dim = 0; slice && dim < slice.getModes().size(); ++dim)
      if (Value offset = slice.getOffset(dim))
        if (std::optional<int64_t> stride = strideIn(offset, loop))
          if (int64_t bound = slice.getBound(dim); !ShapedType::isDynamic(bound) && std::abs(*stride) >= bound)
            return true;
  }
  return false;
}

/// Whether two refs are of one memory. Groups of a union share it.
bool shareMemory(Value a, Value b) {
  Value memory = tile::memoryOf(a), other = tile::memoryOf(b);
  auto one = memory.getDefiningOp<tile::AllocOp>(), another = other.getDefiningOp<tile::AllocOp>();
  return memory == other || (one && another && one.alternatesWith(another));
}

bool AccessOrder::conflict(const Pending &before, const tile::MemoryAccess &access) {
  if (!before.isWrite && !access.isWrite())
    return false;
  if (tile::memoryOf(before.ref) != tile::memoryOf(access.ref))
    return shareMemory(before.ref, access.ref);
  if (before.isAtomic && access.isAtomic) // In no order.
    return false;
  if (before.isIndirect || access.isIndirect || before.isAtomic || access.isAtomic)
    return before.loop || !isDisjoint(before.ref, access.ref);
  if (!isSameWindow(before.ref, access.ref))
    return before.loop || !isDisjoint(before.ref, access.ref);
  return before.loop ? !movesApart(access.ref, before.loop) : !isSameShare(before.tile, access.tile);
}

/// Whether two accesses of one memory have no element in common.
bool AccessOrder::areApart(const Pending &before, const tile::MemoryAccess &access) {
  return before.loop ? isSameWindow(before.ref, access.ref) && movesApart(access.ref, before.loop)
                     : isDisjoint(before.ref, access.ref);
}

/// Whether lanes may load what others of their warp have stored, even in the same layout: by ldmatrix or stmatrix,
/// which the lowering takes for some layouts.
bool AccessOrder::isReadAcrossLanes(const Pending &before, const tile::MemoryAccess &access) {
  auto ref = dyn_cast<tile::RefType>(access.ref.getType());
  if (!before.isWrite || before.isSeenByWarp || access.isWrite() || access.isIndirect || !access.tile || !ref ||
      !ref.isShared() || !shareMemory(before.ref, access.ref) || areApart(before, access))
    return false;
  int64_t bytes = tile::bytesOf(ref.getElementType());
  auto layoutOf = [](Value tile) {
    return dyn_cast_or_null<tile::LayoutAttr>(cast<RankedTensorType>(tile.getType()).getEncoding());
  };
  if (tile::LayoutAttr stored = before.tile ? layoutOf(before.tile) : tile::LayoutAttr();
      stored && layout::isStoredByMatrices(stored.getLayout(), bytes))
    return true;
  tile::LayoutAttr read = layoutOf(access.tile);
  if (!read)
    return false;
  ArrayRef<int64_t> shape = cast<RankedTensorType>(access.tile.getType()).getShape();
  auto placement = read.getLayout().on({shape.data(), shape.size()});
  return placement && layout::isOfMatrices(placement->base(), bytes);
}

void AccessOrder::visitAccess(Operation *op, const tile::MemoryAccess &access, State &state) {
  if (access.completion != tile::Completion::inOrder)
    return;
  auto type = dyn_cast<tile::RefType>(access.ref.getType());
  bool isOrdered = isOrderedByProgram && type && type.isShared();
  if (!isOrdered && llvm::any_of(state, [&](const Pending &before) { return conflict(before, access); })) {
    OpBuilder(op).create<tile::BarrierOp>(op->getLoc());
    state.clear();
  } else if (llvm::any_of(state, [&](const Pending &before) { return isReadAcrossLanes(before, access); })) {
    OpBuilder(op).create<tile::WarpBarrierOp>(op->getLoc());
    synchronizeWarps(state);
  }
  // Reads of what nobody writes need no order; allocations may share memory with others.
  Value memory = tile::memoryOf(access.ref);
  if (access.isWrite() || !isa<BlockArgument>(memory) || written.contains(memory))
    add(state, {access.ref, access.tile, access.isWrite(), access.isIndirect, access.isAtomic});
}

void AccessOrder::visit(Block &block, State &state) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    auto arrive = dyn_cast<tile::BarrierArriveOp>(op);
    auto barriers = arrive ? arrive.getBarriers().getDefiningOp<tile::AllocBarriersOp>() : nullptr;
    auto named = dyn_cast<tile::NamedBarrierOp>(op);
    if (op.hasTrait<tile::SynchronizesThreadGroup>() || (barriers && !barriers.countsWarps()) ||
        (named && named.getWait()))
      state.clear();
    if (isa<tile::WarpBarrierOp>(op))
      synchronizeWarps(state);
    if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) {
      visitRegions(branch, state);
      if (isa<tile::WarpMapOp>(op)) // At its end the thread synchronizes, too.
        state.clear();
    }
    if (auto accesses = dyn_cast<tile::MemoryAccessOpInterface>(op))
      for (const tile::MemoryAccess &access : accesses.getMemoryAccesses())
        visitAccess(&op, access, state);
  }
}

void AccessOrder::visitRegions(RegionBranchOpInterface op, State &state) {
  llvm::SmallDenseMap<Region *, State> entries;
  State exits;
  bool changed = false, isLoop = isa<LoopLikeOpInterface>(op.getOperation());
  auto pass = [&](RegionBranchPoint from, const State &passed) {
    SmallVector<RegionSuccessor> successors;
    op.getSuccessorRegions(from, successors);
    for (RegionSuccessor &successor : successors) {
      State &into = successor.isParent() ? exits : entries[successor.getSuccessor()];
      size_t before = into.size();
      for (Pending access : passed) {
        // In the next iteration, windows that are computed inside are others.
        Operation *window = access.ref.getDefiningOp();
        if (isLoop && !from.isParent() && window && op->isProperAncestor(window))
          access.loop = op;
        add(into, access);
      }
      changed |= into.size() != before;
    }
  };
  pass(RegionBranchPoint::parent(), state);
  do {
    changed = false;
    for (Region &region : op->getRegions()) {
      if (region.empty())
        continue;
      State inside = entries[&region];
      visit(region.front(), inside);
      pass(region, inside);
    }
  } while (changed && isLoop); // The sides of a branch see nothing of one another: once is enough.
  state = std::move(exits);
}

struct OrderAccesses : impl::TileOrderAccessesBase<OrderAccesses> {
  void runOnOperation() override {
    for (tile::KernelOp kernel : getOperation().getOps<tile::KernelOp>())
      if (kernel.getGroup() > 1)
        AccessOrder().run(kernel);
  }
};
} // namespace
} // namespace tegula
