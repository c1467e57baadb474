// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/two_pass/ColumnCut.h"

#include "transforms/Alignment.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tegula::split {

/// Bytes that thread groups have in flight together: 64 KiB for each multiprocessor of a large GPU, a constant, so that
/// results are the same on all. More thread groups make more partial results, and do not run at one time; where half of
/// it is in flight in one pass, that does.
static constexpr int64_t bytesInFlight = 8 << 20;
/// Accesses of all arrays that a thread makes at a time of a chunk.
static constexpr int64_t accessesAtOnce = 4;

ColumnCut::ColumnCut(ArrayRef<DividedReduction> targets, const GroupShape &shape) : shape(shape) {
  llvm::SetVector<Operation *> loads; // Of which the sources are made.
  for (const DividedReduction &target : targets)
    for (const DividedTile &source : target.sources)
      for (Value value : coneOf(source.tile))
        if (auto load = value.getDefiningOp<tile::LoadOp>())
          loads.insert(load);
  for (Operation *op : loads) {
    auto load = cast<tile::LoadOp>(op);
    int64_t bytes = tile::bytesOf(load.getRef().getType().getElementType());
    smallest = std::min(smallest, bytes);
    if (load.getType().getRank() > 1) {
      ++arrays;
      bytesOfElements += bytes;
    }
  }
}

/// A thread combines what it loads at a time, but for one access, before it adds that to what it has: many loads are in
/// flight, and few registers taken.
GroupShape ColumnCut::shapeOf(bool isAligned) const {
  GroupShape own = shape;
  int64_t vector = isAligned ? accessBytes / smallest : 1;
  own.isAligned = own.isEven = own.variants.vector = isAligned;
  own.restOfColumns = vector;
  int64_t accesses = std::max<int64_t>(1, accessesAtOnce / std::max<int64_t>(1, arrays));
  // Of f32, as which most are combined; a thread has twice as many accesses of single elements.
  own.accessesPerChunk = std::max<int64_t>(1, accesses * std::max<int64_t>(2, vector) / 4);
  return own;
}

int64_t ColumnCut::wantedGroups(bool isAligned) const {
  GroupShape own = shapeOf(isAligned);
  int64_t each = own.threads * own.perChunk(sizeof(float)) * std::max<int64_t>(1, bytesOfElements);
  return std::max<int64_t>(1, bytesInFlight / each);
}

} // namespace tegula::split
