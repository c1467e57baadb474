// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/StagedRows.h"

#include "ir/Elements.h"
#include "ir/Expressions.h"
#include "ir/KernelAttributes.h"
#include "transforms/Alignment.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tegula::split {
namespace {

/// The CTAs of 256 threads that a multiprocessor is to hold. There are registers for `mostCtas`; with fewer than
/// `leastCtas`, nothing is computed while one waits for its row.
constexpr int64_t mostCtas = 4, leastCtas = 2;

/// A load whose elements wait in shared memory.
struct Staged {
  tile::LoadOp load;
  bool isOfRow; ///< else the same for all rows
  Value source = {}, place = {};

  int64_t bytes() const {
    RankedTensorType type = tile::LoadOp(load).getType();
    return type.getNumElements() * tile::bytesOf(type.getElementType());
  }
};

class RowStager {
public:
  RowStager(tile::KernelOp kernel, scf::ForOp loop, const GroupShape &shape)
      : kernel(kernel), loop(loop), shape(shape), builder(kernel.getContext()), loc(loop.getLoc()) {}

  void run();

private:
  bool isComputableAhead(Operation *op);
  std::optional<bool> dependsOnRow(Value ref);
  bool isCopyable(tile::LoadOp load);
  void findLoads();
  int64_t budget(int64_t ctas) const;
  bool fillsRegisters();
  int64_t chooseCtas();
  int64_t chooseRows();
  Value cloneFor(Value row, Value ref);
  void copy(Value source, Value place, Value row, Value isThere);
  void stage();
  void fetchNext(ArrayRef<Staged *> ofRow);

  tile::KernelOp kernel;
  scf::ForOp loop;
  const GroupShape &shape;
  OpBuilder builder;
  Location loc;
  SmallVector<Staged> all;
};

/// Whether an op can also be done for a row that may not be there. A divisor that is the same for all rows is not 0, if
/// there are any.
bool RowStager::isComputableAhead(Operation *op) {
  if (isa<arith::DivUIOp, arith::RemUIOp, arith::DivSIOp, arith::RemSIOp>(op))
    return loop.isDefinedOutsideOfLoop(op->getOperand(1));
  return isPure(op) && op->getNumRegions() == 0;
}

/// Whether a ref, of what is computed from the kernel's arguments, is another one for each row; none if it cannot be
/// computed before its row.
std::optional<bool> RowStager::dependsOnRow(Value ref) {
  bool isOfRow = false;
  llvm::SetVector<Value> needed;
  needed.insert(ref);
  for (size_t i = 0; i < needed.size(); ++i) {
    if (needed[i] == loop.getInductionVar())
      isOfRow = true;
    Operation *op = needed[i].getDefiningOp();
    if (!op || !loop->isProperAncestor(op))
      continue;
    if (!isComputableAhead(op))
      return std::nullopt;
    needed.insert(op->operand_begin(), op->operand_end());
  }
  return isOfRow;
}

/// Whether cp.async can copy what a load reads, and each thread has some of it: whole units of 16 bytes of a row.
bool RowStager::isCopyable(tile::LoadOp load) {
  tile::RefType type = load.getRef().getType();
  RankedTensorType tile = load.getType();
  bool isRow = type.getRank() == 1 && !type.isShared() && type.getAlignment() >= accessBytes &&
               (type.getIsEven() || type.isExact(0));
  if (!isRow || load.getMask() || tile.getElementType().isInteger(1) || isPacked(tile.getElementType()))
    return false;
  int64_t bytes = tile.getNumElements() * tile::bytesOf(tile.getElementType());
  return bytes % accessBytes == 0 && bytes >= accessBytes * shape.threads;
}

void RowStager::findLoads() {
  llvm::DenseSet<Value> written;
  kernel.walk([&](tile::MemoryAccessOpInterface op) {
    for (const tile::MemoryAccess &access : op.getMemoryAccesses())
      if (access.isWrite())
        written.insert(tile::memoryOf(access.ref));
  });
  for (tile::LoadOp load : loop.getBody()->getOps<tile::LoadOp>()) {
    if (!isCopyable(load) || written.contains(tile::memoryOf(load.getRef())))
      continue;
    if (std::optional<bool> isOfRow = dependsOnRow(load.getRef()))
      all.push_back({load, *isOfRow});
  }
}

/// The value that a ref has for a row, at the builder's place.
Value RowStager::cloneFor(Value row, Value ref) {
  IRMapping clones;
  return cloneExpression(builder, ref, clones, [&](Value value) -> std::optional<Value> {
    if (value == loop.getInductionVar())
      return row;
    Operation *op = value.getDefiningOp();
    return op && loop->isProperAncestor(op) ? std::nullopt : std::optional<Value>(value);
  });
}

void RowStager::copy(Value source, Value place, Value row, Value isThere) {
  builder.create<tile::CpAsyncOp>(loc, cloneFor(row, source), place, isThere);
}

/// In front of what is computed of a row: it is there, and the next one takes its place.
void RowStager::fetchNext(ArrayRef<Staged *> ofRow) {
  for (Staged *staged : ofRow) {
    Value loaded = builder.create<tile::LoadOp>(staged->load.getLoc(), staged->load.getType(), staged->place);
    staged->load.getResult().replaceAllUsesWith(loaded);
    staged->load.erase();
  }
  builder.create<tile::BarrierOp>(loc);
  Value next = builder.create<arith::AddIOp>(loc, loop.getInductionVar(), loop.getStep());
  Value isThere = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, next, loop.getUpperBound());
  for (Staged *staged : ofRow)
    copy(staged->source, staged->place, next, isThere);
  builder.create<tile::CpAsyncCommitOp>(loc);
}

void RowStager::stage() {
  builder.setInsertionPoint(loop);
  SmallVector<Staged *> ofRow;
  for (Staged &staged : all) {
    RankedTensorType type = staged.load.getType();
    auto place = tile::RefType::inShared(type.getElementType(), type.getShape());
    staged.place = builder.create<tile::AllocOp>(staged.load.getLoc(), place, IntegerAttr(), /*padded=*/false);
    staged.source = staged.load.getRef();
    copy(staged.source, staged.place, loop.getLowerBound(), /*isThere=*/{});
    if (staged.isOfRow)
      ofRow.push_back(&staged);
    else // Loaded where it is used: registers have it no longer than that.
      staged.load.getRefMutable().assign(staged.place);
  }
  builder.create<tile::CpAsyncCommitOp>(loc);
  if (!ofRow.empty())
    builder.setInsertionPointToStart(loop.getBody());
  builder.create<tile::CpAsyncWaitOp>(loc, /*pending=*/int64_t(0));
  if (!ofRow.empty())
    fetchNext(ofRow);
}

/// The shared memory that a CTA can have if a multiprocessor holds so many.
int64_t RowStager::budget(int64_t ctas) const {
  // Each CTA has 1 KiB of the system's (CUDA C++ Programming Guide, "Shared Memory"), and some for its reductions.
  constexpr int64_t ofSystem = 1 << 10, ofReductions = 2 << 10;
  return (shape.sharedBytes + ofSystem) / ctas - ofSystem - ofReductions;
}

/// A row of 64-bit elements takes all registers that a thread can have; others leave some for four CTAs.
bool RowStager::fillsRegisters() {
  return kernel
      .walk([](Operation *op) {
        bool isWide = llvm::any_of(op->getResultTypes(), [](Type type) {
          auto tile = dyn_cast<RankedTensorType>(type);
          return tile && tile.getRank() > 0 && tile::bytesOf(tile.getElementType()) > 4;
        });
        return isWide ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// As many as have room for all that can be staged.
int64_t RowStager::chooseCtas() {
  if (fillsRegisters())
    return 1;
  int64_t total = 0, ctas = mostCtas;
  for (const Staged &staged : all)
    total += staged.bytes();
  while (ctas > leastCtas && total > budget(ctas))
    --ctas;
  return ctas;
}

/// The more, the less often clusters read what all rows share; the fewer, the more clusters there are, which do not
/// wait together. What is shared takes at most half as much of what they read as the rows take.
int64_t RowStager::chooseRows() {
  int64_t ofRow = 0, ofAll = 0;
  for (const Staged &staged : all)
    (staged.isOfRow ? ofRow : ofAll) += staged.bytes();
  return std::max<int64_t>(2, ofRow > 0 ? llvm::divideCeil(2 * ofAll, ofRow) : 0);
}

void RowStager::run() {
  findLoads();
  kernel->setAttr(tile::rowsOfCluster, builder.getI64IntegerAttr(chooseRows()));
  int64_t ctas = chooseCtas(), room = budget(std::max(ctas, leastCtas));
  llvm::erase_if(all, [&](const Staged &staged) {
    bool fits = staged.bytes() <= room;
    room -= fits ? staged.bytes() : 0;
    return !fits;
  });
  if (!all.empty())
    stage();
  kernel->setAttr(tile::ctasPerMultiprocessor, builder.getI64IntegerAttr(ctas));
}

} // namespace

void stageRows(tile::KernelOp kernel, const GroupShape &shape) {
  auto loops = kernel.getBody().front().getOps<scf::ForOp>();
  RowStager(kernel, *loops.begin(), shape).run();
}

} // namespace tegula::split
