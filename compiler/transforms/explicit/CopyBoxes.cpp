// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/explicit/CopyBoxes.h"

#include "analysis/Divisors.h"
#include "ir/Arrangement.h"

using namespace mlir;

namespace tegula {

namespace {

/// One lane issues them all: more take longer than the copy.
constexpr int64_t mostBoxes = 64;
/// A swizzle repeats after so many rows.
constexpr int64_t rowsOfSwizzle = 8;

/// The dimensions that are more than one element.
SmallVector<unsigned> wideDims(ArrayRef<int64_t> extents) {
  SmallVector<unsigned> wide;
  for (auto [i, extent] : llvm::enumerate(extents))
    if (extent > 1)
      wide.push_back(i);
  return wide;
}

/// How a window of an array lies in shared memory.
class SharedWindow {
public:
  SharedWindow(Value ref, ArrayRef<int64_t> extents)
      : arrangement(tile::Arrangement::of(ref)), swizzle(cast<tile::RefType>(ref.getType()).getSwizzle()),
        sharedDims(extents.size(), 0) {
    for (auto [dim, sharedDim] : llvm::zip(wideDims(extents), wideDims(cast<tile::RefType>(ref.getType()).getDims())))
      sharedDims[dim] = sharedDim;
  }

  bool isSwizzled() const { return swizzle > 16; }
  int64_t elementBytes() const { return arrangement.elementBytes; }
  int64_t panelElements() const { return arrangement.panelElements; }
  /// What a box has at most along the innermost dimension.
  int64_t widestBox() const { return isSwizzled() ? panelElements() : tile::largestCopyBox; }
  /// The share of a block begins at a multiple of this: where a swizzle begins anew.
  int64_t shareAlignment() const { return isSwizzled() ? rowsOfSwizzle * swizzle : tile::copyAlignment; }
  int64_t stride(unsigned dim) const { return arrangement.strides[sharedDims[dim]]; }
  /// The bytes from the start of the window to an index along one of its dimensions.
  int64_t offset(unsigned dim, int64_t index) const {
    return index == 0 ? 0 : arrangement.offset(sharedDims[dim], index);
  }

private:
  tile::Arrangement arrangement;
  int64_t swizzle;
  /// Behind each of the window's dimensions that are more than one element.
  SmallVector<unsigned> sharedDims;
};

/// Says what to write instead of rows that are no whole units. A copy from an array may bring more than is wanted, one
/// to an array would store it, too.
LogicalResult refuseRows(Operation *copy, int64_t bytes, int64_t elementBytes) {
  InFlightDiagnostic error = copy->emitError() << "rows of " << bytes
                                               << " bytes cannot be copied by TMA, which copies multiples of 16 bytes";
  if (isa<tile::CopyToGlobalOp>(copy)) {
    error.attachNote()
        << "store such rows from registers, x.at(...)[tg::all] = smem[tg::all], which takes rows of any size";
    return error;
  }
  int64_t wanted = llvm::alignTo(bytes, 16) / elementBytes;
  error.attachNote() << "make the rows of the window and of its shared memory " << wanted << " elements long, tg::ds<"
                     << wanted
                     << ">(start), whose elements out of bounds are filled, and ignore those that you do not need; or "
                        "load the window to a tile, which takes rows of any size";
  return error;
}

/// Whether TMA takes such windows and such shared memory at all.
LogicalResult checkTaken(Operation *copy, ArrayRef<int64_t> extents, Value sharedRef) {
  auto shared = cast<tile::RefType>(sharedRef.getType());
  auto arrangement = tile::Arrangement::of(sharedRef);
  if (int64_t alignment = sharedAlignmentOf(sharedRef); alignment < tile::copyAlignment)
    return copy->emitError() << "TMA copies begin at multiples of " << tile::copyAlignment
                             << " bytes of shared memory, but this ref is known to begin only at a multiple of "
                             << alignment << " bytes: copy larger parts of shared memory";
  if (shared.getSwizzle() > 16 && !arrangement.isForUnits)
    return copy->emitError() << "TMA cannot copy a view that changes the rows of swizzled shared memory: keep the last "
                                "dimension, or pin {.transforms = {tg::swizzle(16)}}";
  if (extents.size() > 5)
    return copy->emitError() << "TMA copies from and to arrays of 1 to 5 dimensions, but this one has "
                             << extents.size() << ": pass it with some of them merged";
  SmallVector<unsigned> wide = wideDims(extents), sharedWide = wideDims(shared.getDims());
  bool isAlongRows = !extents.empty() && (wide.empty() || wide.back() == extents.size() - 1) &&
                     (sharedWide.empty() || sharedWide.back() == arrangement.inner);
  if (!isAlongRows)
    return copy->emitError() << "a copy must extend along the last dimension of the array, or of its transposed view, "
                                "and of the shared memory, along which elements are contiguous";
  if (int64_t bytes = extents.back() * arrangement.elementBytes; bytes % 16 != 0)
    return refuseRows(copy, bytes, arrangement.elementBytes);
  if (int64_t panel = arrangement.panelElements; shared.getSwizzle() > 16 && extents.back() % panel != 0)
    return copy->emitError() << "rows of " << extents.back() << " elements are not a multiple of " << panel
                             << ", the width of the panels of this shared memory";
  return success();
}

/// Elements in a row along one dimension.
struct Run {
  int64_t start, size;
};
/// Those of each dimension: boxes are their products.
using Runs = SmallVector<SmallVector<Run>>;

/// Runs of `most` elements, and one of what is left.
SmallVector<Run> runsOf(int64_t extent, int64_t most) {
  SmallVector<Run> runs;
  for (int64_t start = 0; start < extent; start += most)
    runs.push_back({start, std::min(most, extent - start)});
  return runs;
}

/// A box fills shared memory without gaps: it takes in dimension after dimension, from the innermost one on, as long as
/// that holds.
Runs runsOf(ArrayRef<int64_t> extents, const SharedWindow &shared) {
  Runs runs(extents.size(), {Run{0, 1}});
  unsigned inner = extents.size() - 1;
  runs[inner] = runsOf(extents[inner], shared.widestBox());
  int64_t filled = runs[inner].front().size * shared.elementBytes();
  bool isWhole = shared.isSwizzled() || runs[inner].size() == 1;
  for (unsigned dim = inner; dim-- > 0;) {
    if (extents[dim] == 1)
      continue;
    isWhole &= shared.stride(dim) == filled;
    runs[dim] = runsOf(extents[dim], isWhole ? tile::largestCopyBox : 1);
    isWhole &= runs[dim].size() == 1;
    filled *= extents[dim];
  }
  return runs;
}

int64_t countBoxes(const Runs &runs) {
  int64_t count = 1;
  for (const SmallVector<Run> &ofDim : runs)
    count *= static_cast<int64_t>(ofDim.size());
  return count;
}

/// The dimension along which the blocks' shares take the fewest boxes; of several the innermost one.
std::optional<CopyShare> shareOf(ArrayRef<int64_t> extents, const SharedWindow &shared, int64_t blocks) {
  std::optional<CopyShare> best;
  int64_t fewest = 0;
  for (unsigned dim = extents.size(); dim-- > 0;) {
    bool isCutByPanels = shared.isSwizzled() && dim + 1 == extents.size();
    if (extents[dim] % (blocks * (isCutByPanels ? shared.panelElements() : 1)) != 0)
      continue;
    CopyShare share{dim, extents[dim] / blocks, shared.offset(dim, extents[dim] / blocks)};
    if (share.bytes % shared.shareAlignment() != 0)
      continue;
    SmallVector<int64_t> ofOne(extents);
    ofOne[dim] = share.step;
    int64_t count = countBoxes(runsOf(ofOne, shared));
    if (!best || count < fewest) {
      best = share;
      fewest = count;
    }
  }
  return best;
}

SmallVector<CopyBox> boxesOf(const Runs &runs, const SharedWindow &shared) {
  SmallVector<CopyBox> boxes(1);
  for (auto [dim, ofDim] : llvm::enumerate(runs)) {
    SmallVector<CopyBox> wider;
    for (const CopyBox &box : boxes)
      for (const Run &run : ofDim) {
        CopyBox &next = wider.emplace_back(box);
        next.extents.push_back(run.size);
        next.offsets.push_back(run.start);
        next.sharedOffset += shared.offset(dim, run.start);
      }
    boxes = std::move(wider);
  }
  return boxes;
}

} // namespace

std::string textOf(ArrayRef<int64_t> extents) {
  std::string text;
  for (int64_t extent : extents)
    text += (text.empty() ? "" : " x ") + std::to_string(extent);
  return text;
}

int64_t sharedAlignmentOf(Value ref) {
  if (auto transpose = ref.getDefiningOp<tile::TransposeOp>())
    return sharedAlignmentOf(transpose.getSource());
  if (Operation *view = ref.getDefiningOp(); isa<tile::ClusterRefOp, tile::ReshapeRefOp, tile::BitcastRefOp>(view))
    return sharedAlignmentOf(view->getOperand(0));
  auto slice = ref.getDefiningOp<tile::SliceOp>();
  if (!slice)
    return tile::copyAlignment;
  auto arrangement = tile::Arrangement::of(slice.getSource());
  int64_t alignment = sharedAlignmentOf(slice.getSource());
  for (unsigned dim = 0; dim < slice.getModes().size(); ++dim)
    if (Value offset = slice.getOffset(dim)) {
      int64_t divisor = std::min<int64_t>(tile::divisorOf(offset), 1 << 20);
      int64_t bytes = arrangement.offset(dim, divisor);
      alignment = std::min(alignment, bytes & -bytes);
    }
  return alignment;
}

FailureOr<CopyBoxes> cutCopy(Operation *copy, ArrayRef<int64_t> extents, Value sharedRef, int64_t blocks) {
  if (failed(checkTaken(copy, extents, sharedRef)))
    return failure();
  SharedWindow shared(sharedRef, extents);
  CopyBoxes result;
  SmallVector<int64_t> ofOne(extents);
  if (blocks > 1) {
    std::optional<CopyShare> share = shareOf(extents, shared, blocks);
    if (!share)
      return copy->emitError() << "a multicast over " << blocks << " CTAs splits the window into " << blocks
                               << " equal parts, which must begin at multiples of " << shared.shareAlignment()
                               << " bytes of shared memory" << (shared.isSwizzled() ? ", 8 rows, or a panel" : "")
                               << ": no dimension of this window of " << textOf(extents)
                               << " can be split like that; make one of them larger, or copy without .collective_axes";
    result.share = *share;
    ofOne[share->dim] = share->step;
  }
  Runs runs = runsOf(ofOne, shared);
  if (int64_t count = countBoxes(runs); count > mostBoxes)
    return copy->emitError() << "this copy of " << textOf(extents) << " elements takes " << count
                             << " TMA copies, which are dense in shared memory and move at most "
                             << tile::largestCopyBox << " elements along a dimension; " << mostBoxes
                             << " are issued at most: copy less at a time, or make the shared memory a multiple of "
                             << rowsOfSwizzle << " rows of a multiple of 32 bytes, which is copied by panels";
  result.boxes = boxesOf(runs, shared);
  for (const CopyBox &box : result.boxes)
    if (box.sharedOffset % tile::copyAlignment != 0)
      return copy->emitError() << "this copy is split into several TMA copies, one of which begins " << box.sharedOffset
                               << " bytes after the first in shared memory, not at a multiple of "
                               << tile::copyAlignment << ": give the shared memory the shape of the window";
  return result;
}

} // namespace tegula
