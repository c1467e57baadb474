// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/explicit/AllocateShared.h"

#include "analysis/Uniformity.h"
#include "ir/Arrangement.h"
#include "ir/Locations.h"
#include "support/Registers.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tegula {

namespace {

/// What has to be over before an allocation's memory gets another use, beyond what threads do in order.
struct Uses {
  bool products = false, copiesOut = false, byCluster = false;
};

/// What the kernel does to allocations, through any views of them.
llvm::DenseMap<Value, Uses> findUses(tile::KernelOp kernel) {
  llvm::DenseMap<Value, Uses> found;
  kernel.walk([&](tile::MemoryAccessOpInterface op) {
    for (const tile::MemoryAccess &access : op.getMemoryAccesses()) {
      Uses &uses = found[tile::memoryOf(access.ref)];
      uses.products |= access.completion == tile::Completion::wgmmaGroup;
      uses.copiesOut |= access.completion == tile::Completion::copyGroup;
      uses.byCluster |= access.scope == tile::Scope::cluster;
    }
  });
  return found;
}

struct Allocation {
  mutable tile::AllocOp op;
  tile::FreeOp freed;
  int64_t offset = 0;
  /// Of the ops of the kernel, counted through, those in which it lives: [begin, end).
  int64_t begin = 0, end = 0;
  Uses uses;

  int64_t bytes() const { return tile::Arrangement::of(op).allocatedBytes; }
  int64_t swizzle() const { return op.getType().getSwizzle(); }
  int64_t alignment() const { return std::max(8 * swizzle(), tile::copyAlignment); }
  bool alternatesWith(const Allocation &other) const { return op.alternatesWith(other.op); }
  bool livesWith(const Allocation &other) const {
    return begin < other.end && other.begin < end && !alternatesWith(other);
  }
  bool overlaps(const Allocation &other) const {
    return offset < other.offset + other.bytes() && other.offset < offset + bytes();
  }
};

class Placer {
public:
  explicit Placer(tile::KernelOp kernel)
      : kernel(kernel), uniformity(kernel.getBody(), kernel.getThreads() / lanesOfWarpgroup) {}

  LogicalResult run(int64_t capacity, StringRef arch);

private:
  void findAllocations();
  void place(Allocation &allocation);
  void placeBarriers();
  void meetBefore(Allocation &allocation);
  InFlightDiagnostic refuse(int64_t capacity, StringRef arch);

  tile::KernelOp kernel;
  Uniformity uniformity;
  SmallVector<Allocation> all;
  SmallVector<Allocation *> placed;
  SmallVector<std::pair<tile::AllocBarriersOp, int64_t>> barriers;
  int64_t end = 0;
};

void Placer::findAllocations() {
  llvm::DenseMap<Operation *, int64_t> starts, ends;
  int64_t next = 0;
  kernel.walk([&](Operation *op, const WalkStage &stage) {
    if (stage.isBeforeAllRegions())
      starts[op] = next++;
    if (stage.isAfterAllRegions())
      ends[op] = next++;
  });
  bool isOneThread = kernel.getThreads() == lanesOfWarpgroup && !kernel.getCluster();
  llvm::DenseMap<Value, Uses> uses = findUses(kernel);
  kernel.walk([&](tile::AllocOp op) {
    Allocation &allocation = all.emplace_back();
    allocation.op = op;
    allocation.uses = uses.lookup(op);
    allocation.end = next;
    if (!isOneThread && !uniformity.convergesAt(op))
      return;
    allocation.begin = starts[op];
    allocation.end = ends[op->getBlock()->getTerminator()];
    for (Operation *user : op->getUsers())
      if (auto freed = dyn_cast<tile::FreeOp>(user)) {
        allocation.freed = freed;
        allocation.end = starts[freed];
      }
  });
}

/// The first place that is free as long as the allocation lives.
void Placer::place(Allocation &allocation) {
  SmallVector<std::pair<int64_t, int64_t>> taken;
  for (Allocation *other : placed)
    if (other->livesWith(allocation))
      taken.emplace_back(other->offset, other->offset + other->bytes());
  llvm::sort(taken);
  for (auto [first, last] : taken) {
    if (allocation.offset + allocation.bytes() <= first)
      break;
    allocation.offset = std::max<int64_t>(allocation.offset, llvm::alignTo(last, allocation.alignment()));
  }
  end = std::max(end, allocation.offset + allocation.bytes());
  allocation.op.setOffset(allocation.offset);
  placed.push_back(&allocation);
}

/// Phases go on from scope to scope: nothing else lies where barriers are.
void Placer::placeBarriers() {
  kernel.walk([&](tile::AllocBarriersOp op) {
    int64_t offset = llvm::alignTo(end, 8);
    op.setOffset(offset);
    barriers.emplace_back(op, 8 * op.getType().getCount());
    end = offset + barriers.back().second;
  });
}

/// Whether `first`, or what happened in it the last time around, may come before `second`.
bool mayPrecede(const Allocation &first, const Allocation &second) {
  if (first.end <= second.begin)
    return true;
  for (Operation *around = second.op; around; around = around->getParentOp())
    if (isa<LoopLikeOpInterface>(around) && around->isProperAncestor(first.op))
      return true;
  return false;
}

void Placer::meetBefore(Allocation &allocation) {
  Uses uses;
  bool isReuse = false;
  for (const Allocation &other : all) {
    if (&other == &allocation || other.livesWith(allocation) || other.alternatesWith(allocation) ||
        !other.overlaps(allocation) || !mayPrecede(other, allocation))
      continue;
    isReuse = true;
    uses.products |= other.uses.products;
    uses.copiesOut |= other.uses.copiesOut;
    uses.byCluster |= other.uses.byCluster || allocation.uses.byCluster;
  }
  if (!isReuse)
    return;
  bool acrossCluster = uses.byCluster && kernel.getCluster();
  // Allocations in a row take one meeting.
  for (Operation *before = allocation.op->getPrevNode();
       before && (isMemoryEffectFree(before) || isa<tile::AllocOp, tile::AllocBarriersOp, tile::ReuseSharedOp>(before));
       before = before->getPrevNode())
    if (auto meeting = dyn_cast<tile::ReuseSharedOp>(before)) {
      meeting.setProducts(meeting.getProducts() || uses.products);
      meeting.setCopies(meeting.getCopies() || uses.copiesOut);
      meeting.setCluster(meeting.getCluster() || acrossCluster);
      return;
    }
  OpBuilder builder(allocation.op);
  builder.create<tile::ReuseSharedOp>(allocation.op.getLoc(), uses.products, uses.copiesOut, acrossCluster);
}

StringRef textFor(Operation *op) {
  StringRef name = tile::nameIn(op->getLoc());
  return name.empty() ? "without a name" : name;
}

InFlightDiagnostic Placer::refuse(int64_t capacity, StringRef arch) {
  InFlightDiagnostic diagnostic =
      kernel.emitError() << "a CTA of this kernel needs " << end << " bytes of shared memory, but can have at most "
                         << capacity << " on " << arch << ": use smaller tiles or fewer pipeline stages";
  for (Allocation *allocation : placed) {
    Diagnostic &note = diagnostic.attachNote(allocation->op.getLoc());
    note << allocation->bytes() << " bytes at " << allocation->offset << ": " << textFor(allocation->op);
    SmallVector<FileLineColLoc, 2> lines;
    if (allocation->freed)
      lines = tile::linesOf(allocation->freed.getLoc());
    if (!lines.empty())
      note << ", until line " << lines.front().getLine();
  }
  for (auto [op, bytes] : barriers)
    diagnostic.attachNote(op->getLoc()) << bytes << " bytes: " << textFor(op);
  return diagnostic;
}

LogicalResult Placer::run(int64_t capacity, StringRef arch) {
  findAllocations();
  // What needs the most alignment comes first: nothing is lost between.
  for (int64_t swizzle : {128, 64, 32, 16})
    for (Allocation &allocation : all)
      if (allocation.swizzle() == swizzle)
        place(allocation);
  placeBarriers();
  for (Allocation &allocation : all)
    meetBefore(allocation);
  if (end > 0)
    kernel.setSharedBytes(end);
  if (end > capacity)
    return refuse(capacity, arch);
  kernel.walk([](tile::FreeOp op) { op.erase(); });
  return success();
}

} // namespace

LogicalResult allocateShared(tile::KernelOp kernel, int64_t capacity, StringRef arch) {
  return Placer(kernel).run(capacity, arch);
}

} // namespace tegula
