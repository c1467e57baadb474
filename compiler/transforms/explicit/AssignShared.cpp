// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How shared memory is arranged. (Where it lies: AllocateShared.h.)
//
// TMA and the tensor cores (ldmatrix, too, whose 8 rows of 16 bytes then use all banks) share a family of arrangements
// (PTX ISA, "Swizzling modes"): rows of 32, 64 or 128 bytes whose 16-byte units change places within each 8 rows, so
// that both rows and columns of units use all banks. Wider rows are cut into panels. Other rows and planes that no
// single box holds are padded, so that a box can begin with each. One arrangement per allocation serves all its uses.
#include "ir/Arrangement.h"
#include "support/Target.h"
#include "transforms/Passes.h"
#include "transforms/explicit/AllocateShared.h"
#include "transforms/explicit/CopyBoxes.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILEASSIGNSHARED
#include "transforms/Passes.h.inc"

namespace {

bool isView(Operation *op) {
  return isa<tile::SliceOp, tile::TransposeOp, tile::ClusterRefOp, tile::ReshapeRefOp, tile::BitcastRefOp>(op);
}

/// Whether an op of these kinds touches the memory behind a ref, through any view of it.
template <class... Ops> bool isUsedBy(Value ref) {
  return llvm::any_of(ref.getUsers(), [](Operation *user) {
    if (isView(user))
      return isUsedBy<Ops...>(user->getResult(0));
    return isa<Ops...>(user);
  });
}
bool isCopied(Value ref) { return isUsedBy<tile::CopyToSharedOp, tile::CopyToGlobalOp>(ref); }
/// Elements of a run lie side by side.
bool holdsRuns(Value ref) { return isUsedBy<tile::BulkLoadOp, tile::BulkStoreOp>(ref); }

int64_t chooseSwizzle(tile::AllocOp alloc) {
  tile::RefType type = alloc.getType();
  int64_t rank = type.getRank();
  bool isSeenByUnits = isCopied(alloc) || isUsedBy<tile::WgmmaOp, tile::CpAsyncOp>(alloc);
  if (rank < 2 || !isSeenByUnits || holdsRuns(alloc) || type.getDims()[rank - 2] % 8 != 0)
    return 16;
  return tile::widestSwizzle(tile::bytesIn(type.getDims().back(), type.getElementType()));
}

/// Windows and views have the arrangement of what they are windows of.
void setSwizzle(Value ref, int64_t swizzle) {
  auto type = cast<tile::RefType>(ref.getType());
  ref.setType(tile::RefType::inShared(type.getElementType(), type.getDims(), swizzle));
  for (Operation *user : ref.getUsers())
    if (isView(user))
      setSwizzle(user->getResult(0), swizzle);
}

void padForCopies(tile::AllocOp alloc) {
  int64_t dense = tile::Arrangement::of(alloc).allocatedBytes;
  alloc.setPadded(true);
  alloc.setPadded(tile::Arrangement::of(alloc).allocatedBytes != dense);
}

/// What the arrangement of shared memory allows of a view of other extents.
LogicalResult checkView(tile::ReshapeRefOp view) {
  tile::RefType source = view.getSource().getType();
  if (!source.isShared() || tile::Arrangement::of(view.getSource()).reshaped(view))
    return success();
  InFlightDiagnostic error = view.emitError()
                             << "tg::reshape_ref of " << textOf(source.getDims()) << " to "
                             << textOf(view.getType().getDims()) << " merges or splits rows that are not contiguous";
  if (source.getSwizzle() > 16)
    return error << ": this shared memory has panels of " << source.getSwizzle()
                 << " bytes; to forbid them, pin {.transforms = {tg::swizzle(16)}}";
  return error << ": reshape the whole ref, and take a window of the result";
}

/// And of other elements: those that are wider begin at multiples of their bytes.
LogicalResult checkView(tile::BitcastRefOp view) {
  tile::RefType source = view.getSource().getType();
  int64_t width = tile::bytesOf(view.getType().getElementType());
  if (!source.isShared() || (tile::Arrangement::of(view.getSource()).bitcast(view) &&
                             (!view.changesWidth() || sharedAlignmentOf(view.getSource()) >= width)))
    return success();
  return view.emitError() << "tg::bitcast_ref to elements of " << width
                          << " bytes requires rows that lie along the last "
                          << "dimension and begin at multiples of that: the rows of this ref begin at multiples of "
                          << sharedAlignmentOf(view.getSource()) << " bytes, " << textOf(source.getDims())
                          << " elements of " << tile::bytesOf(source.getElementType());
}

/// cp.async.bulk begins at multiples of 16 bytes (PTX ISA).
LogicalResult checkRun(Operation *copy, Value shared) {
  constexpr int64_t unit = 16;
  int64_t alignment = sharedAlignmentOf(shared);
  if (alignment >= unit)
    return success();
  return copy->emitError() << "a contiguous copy begins at multiples of " << unit
                           << " bytes of shared memory, but this ref is known to begin only at a multiple of "
                           << alignment << " bytes: copy larger parts of shared memory";
}

struct AssignShared : impl::TileAssignSharedBase<AssignShared> {
  using TileAssignSharedBase::TileAssignSharedBase;

  void runOnOperation() override {
    for (tile::KernelOp kernel : getOperation().getOps<tile::KernelOp>()) {
      auto all = kernel.walk([](tile::AllocOp alloc) {
        int64_t pinned = alloc.getType().getSwizzle();
        setSwizzle(alloc, pinned ? pinned : chooseSwizzle(alloc));
        if (alloc.getType().getSwizzle() == 16 && isCopied(alloc))
          padForCopies(alloc);
        if (alloc.getType().getSwizzle() == 16 || !holdsRuns(alloc))
          return WalkResult::advance();
        alloc.emitError("shared memory of contiguous copies, {.oob_mode = tg::oob_fill::promise_in_bounds}, cannot be "
                        "swizzled: omit .transforms, or the promise");
        return WalkResult::interrupt();
      });
      auto views = kernel.walk([](Operation *op) {
        auto reshape = dyn_cast<tile::ReshapeRefOp>(op);
        auto bitcast = dyn_cast<tile::BitcastRefOp>(op);
        bool isTaken = (!reshape || succeeded(checkView(reshape))) && (!bitcast || succeeded(checkView(bitcast)));
        return isTaken ? WalkResult::advance() : WalkResult::interrupt();
      });
      if (all.wasInterrupted() || views.wasInterrupted())
        return signalPassFailure();
      auto runs = kernel.walk([](Operation *op) {
        auto load = dyn_cast<tile::BulkLoadOp>(op);
        auto store = dyn_cast<tile::BulkStoreOp>(op);
        bool isTaken = (!load || succeeded(checkRun(op, load.getTarget()))) &&
                       (!store || succeeded(checkRun(op, store.getSource())));
        return isTaken ? WalkResult::advance() : WalkResult::interrupt();
      });
      if (runs.wasInterrupted())
        return signalPassFailure();
      const Target *target = findTarget(std::string(arch));
      if (!target) {
        kernel.emitError() << unknownTargetMessage(std::string(arch));
        return signalPassFailure();
      }
      if (failed(allocateShared(kernel, target->archClass->sharedBytes, target->name)))
        return signalPassFailure();
    }
  }
};
} // namespace
} // namespace tegula
