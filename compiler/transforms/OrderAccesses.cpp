// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers between accesses of one memory. The program is written as if one thread ran it; a thread group of a kernel
// has many, each with elements of its own. Where a thread reads or overwrites what another one of its group wrote, or
// overwrites what another one reads, the group synchronizes between.
//
//   o[all] = f(x[all]); y = o[all]               the same window in the same layout: each thread meets its own elements
//   o[all] = x[all];    o[all] = transpose(y)    other layouts, other threads: a barrier between the stores
//
// A forward dataflow analysis: the state is the set of accesses since the last barrier. Branches of which only one runs
// never meet in it; what comes round a loop does. A barrier stands as late as possible, before the second of two
// accesses. Asynchronous copies are the author's to wait for.
#include "ir/TileDialect.h"
#include "transforms/Passes.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILEORDERACCESSES
#include "transforms/Passes.h.inc"

namespace {

class AccessOrder {
public:
  void run(tile::KernelOp kernel) {
    State state;
    visit(kernel.getBody().front(), state);
  }

private:
  /// An access since the last barrier. With `loop`, in an earlier iteration of that loop, which computes the window.
  struct Pending {
    Operation *op;
    Value ref, tile;
    bool isWrite;
    Operation *loop = nullptr;
    auto key() const { return std::tuple(op, ref.getAsOpaquePointer(), isWrite, loop); }
    bool operator==(const Pending &other) const { return key() == other.key(); }
  };
  using State = SmallVector<Pending>;

  static void add(State &state, const Pending &access) {
    if (!llvm::is_contained(state, access))
      state.push_back(access);
  }

  void visit(Block &block, State &state);
  void visitRegions(RegionBranchOpInterface op, State &state);
  void visitAccess(Operation *op, const tile::MemoryAccess &access, State &state);
  bool conflict(const Pending &before, const tile::MemoryAccess &access);
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

/// How far an offset moves with each iteration of a loop; none if nobody can tell.
std::optional<int64_t> strideIn(Value offset, scf::ForOp loop) {
  if (!loop->isAncestor(offset.getParentBlock()->getParentOp()))
    return 0;
  APInt constant;
  if (offset == loop.getInductionVar())
    return matchPattern(loop.getStep(), m_ConstantInt(&constant)) ? std::optional(constant.getSExtValue())
                                                                  : std::nullopt;
  if (auto sum = offset.getDefiningOp<arith::AddIOp>()) {
    std::optional<int64_t> left = strideIn(sum.getLhs(), loop), right = strideIn(sum.getRhs(), loop);
    return left && right ? std::optional(*left + *right) : std::nullopt;
  }
  if (auto product = offset.getDefiningOp<arith::MulIOp>();
      product && matchPattern(product.getRhs(), m_ConstantInt(&constant)))
    if (std::optional<int64_t> stride = strideIn(product.getLhs(), loop))
      return *stride * constant.getSExtValue();
  return std::nullopt;
}

/// Whether a window moves by its own size or more in each iteration.
bool movesApart(Value ref, Operation *around) {
  auto loop = dyn_cast<scf::ForOp>(around);
  // From view to view, to an argument of the kernel or an allocation, which has no operands.
  for (Operation *op = ref.getDefiningOp(); loop && op && op->getNumOperands();
       op = op->getOperand(0).getDefiningOp()) {
    auto slice = dyn_cast<tile::SliceOp>(op);
    for (unsigned dim = 0; slice && dim < slice.getModes().size(); ++dim)
      if (Value offset = slice.getOffset(dim))
        if (std::optional<int64_t> stride = strideIn(offset, loop))
          if (int64_t bound = slice.getBound(dim); !ShapedType::isDynamic(bound) && std::abs(*stride) >= bound)
            return true;
  }
  return false;
}

bool AccessOrder::conflict(const Pending &before, const tile::MemoryAccess &access) {
  if ((!before.isWrite && !access.isWrite()) || tile::memoryOf(before.ref) != tile::memoryOf(access.ref))
    return false;
  if (!isSameWindow(before.ref, access.ref))
    return true;
  return before.loop ? !movesApart(access.ref, before.loop) : !isSameShare(before.tile, access.tile);
}

void AccessOrder::visitAccess(Operation *op, const tile::MemoryAccess &access, State &state) {
  if (access.proxy != tile::Proxy::generic)
    return;
  if (llvm::any_of(state, [&](const Pending &before) { return conflict(before, access); })) {
    OpBuilder(op).create<tile::BarrierOp>(op->getLoc());
    state.clear();
  }
  add(state, {op, access.ref, access.tile, access.isWrite()});
}

void AccessOrder::visit(Block &block, State &state) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (op.hasTrait<tile::SynchronizesThreadGroup>())
      state.clear();
    if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
      visitRegions(branch, state);
    else if (auto accesses = dyn_cast<tile::MemoryAccessOpInterface>(op))
      for (const tile::MemoryAccess &access : accesses.getMemoryAccesses())
        visitAccess(&op, access, state);
  }
}

void AccessOrder::visitRegions(RegionBranchOpInterface op, State &state) {
  llvm::SmallDenseMap<Region *, State> entries;
  State exits;
  bool changed = true, isLoop = isa<LoopLikeOpInterface>(op.getOperation());
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
  while (std::exchange(changed, false))
    for (Region &region : op->getRegions()) {
      if (region.empty())
        continue;
      State inside = entries[&region];
      visit(region.front(), inside);
      pass(region, inside);
    }
  state = std::move(exits);
}

struct OrderAccesses : impl::TileOrderAccessesBase<OrderAccesses> {
  void runOnOperation() override {
    for (tile::KernelOp kernel : getOperation().getOps<tile::KernelOp>())
      if (kernel.getTeam() > 1)
        AccessOrder().run(kernel);
  }
};
} // namespace
} // namespace tegula
