// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/layouts/BlockedLayouts.h"

#include "analysis/Divisors.h"
#include "ir/Elements.h"
#include "ir/TileText.h"

using namespace mlir;

namespace tegula {
using layout::DistributedLayout;

/// The widest access of global memory, in bytes. That of packed elements fills as many registers as one of bytes.
static constexpr int64_t widestAccess = 16, widestPackedAccess = 8;

/// The elements that a thread scans by itself at a time, at least.
static constexpr int64_t elementsOfScan = 4;

/// A thread has no fewer packed elements: those of a byte, which one thread stores, and a word of registers, which LLVM
/// keeps there.
static constexpr int64_t leastPacked = 4;

/// The elements of the widest access of a window that is aligned like this.
static int64_t elementsOfAccess(Type element, int64_t alignment) {
  if (isPacked(element))
    return std::max(leastPacked, tile::elementsIn(std::min(alignment, widestPackedAccess), element));
  return tile::elementsIn(std::min(alignment, widestAccess), element);
}

void BlockedLayouts::noteAccess(const tile::MemoryAccess &access) {
  if (!access.tile)
    return;
  auto ref = cast<tile::RefType>(access.ref.getType());
  RankedTensorType type = cast<RankedTensorType>(access.tile.getType());
  if (type.getRank() == 0)
    return;
  int64_t bytes = tile::bytesOf(ref.getElementType());
  std::vector<int64_t> shape = type.getShape().vec();
  if (!ref.isShared()) {
    int64_t around = loadsAround && !access.isWrite() ? tile::alignmentOfNeighbours(access.ref) : 0;
    int64_t elements = elementsOfAccess(ref.getElementType(), std::max(around, ref.getAlignment()));
    Vector &vector = ofGlobal.try_emplace(shape, Vector{1, type.getRank() - 1}).first->second;
    vector.elements = std::max(vector.elements, elements);
    vector.widths.push_back(std::max<int64_t>(1, elements));
    vector.least = std::max<int64_t>(vector.least, isPacked(ref.getElementType()) ? leastPacked : 1);
    return;
  }
  // Rows of shared memory are arranged in units of 16 bytes.
  SmallVector<int64_t> dims = tile::arrayDimsOf(access.ref);
  int64_t innermost = 0; // Of dimensions that are split, the last one.
  for (int64_t dim = 1; dim < static_cast<int64_t>(dims.size()); ++dim)
    if (dims[dim] >= dims[innermost])
      innermost = dim;
  Vectors &vectors = access.isWrite() ? stored : loaded;
  Vector &vector = vectors.try_emplace(shape, Vector{widestAccess / bytes, innermost}).first->second;
  vector.elements = std::min(vector.elements, widestAccess / bytes);
  constexpr int64_t bytesOfWord = 4; // What a barrier counts is stored by words, whatever else is done with it.
  if (access.isWrite() && access.completion == tile::Completion::barrier && bytes < bytesOfWord)
    storedByWords[shape] = bytesOfWord / bytes;
}

void BlockedLayouts::noteScan(tile::ScanOp scan) {
  RankedTensorType type = scan.getSource().getType();
  if (scan.getScannedDim() + 1 == type.getRank())
    scanned.insert(type.getShape().vec());
}

/// What each warp has of these dimensions: all neighbours. Of rows that are scanned, warps then exchange once; of a
/// stencil's, threads load what their rows share once.
static std::vector<uint64_t> repeatsInWarps(const layout::BlockedSpec &spec, ArrayRef<int64_t> shape, size_t first,
                                            size_t end) {
  std::vector<uint64_t> repeats(shape.size(), 1);
  for (size_t dim = first; dim < end; ++dim) {
    uint64_t once = spec.vector[dim] * spec.lanes[dim] * spec.warps[dim], row = shape[dim];
    if (row % once == 0 && llvm::isPowerOf2_64(row / once))
      repeats[dim] = row / once;
  }
  return repeats;
}

/// Neighbouring elements for each thread, as many as one access moves, but not so many that threads get none. Where
/// global memory is accessed, too, that decides: what lies apart takes more there. What is loaded along one dimension
/// of shared memory and stored along another one is vectors of the latter, in lanes along the former, so that both use
/// all banks.
FailureOr<DistributedLayout> BlockedLayouts::layoutOf(RankedTensorType type, Operation *at) const {
  std::vector<int64_t> shape = type.getShape().vec();
  int64_t rank = type.getRank();
  auto find = [&](const Vectors &vectors) {
    auto known = vectors.find(shape);
    return known == vectors.end() ? Vector{1, rank - 1} : known->second;
  };
  Vector vector = find(ofGlobal);
  // An access of vectors that are not aligned is several, each of which touches as many lines of the cache: where these
  // would be more than twice the work, as in a stencil, lanes have neighbours.
  int64_t touches = 0;
  for (int64_t width : vector.widths)
    touches += std::max<int64_t>(1, vector.elements / width);
  if (touches > 2 * int64_t(vector.widths.size()))
    vector.elements = vector.least;
  int64_t laneDim = rank - 1;
  if (!ofGlobal.contains(shape)) {
    Vector from = find(loaded), to = find(stored);
    laneDim = loaded.contains(shape) ? from.dim : to.dim;
    vector = !stored.contains(shape) ? from : to;
    if (loaded.contains(shape) && from.dim == to.dim)
      vector.elements = std::min(from.elements, to.elements);
  }
  if (auto least = storedByWords.find(shape); least != storedByWords.end()) {
    vector.least = std::max(vector.least, least->second);
    vector.elements = std::max(vector.elements, vector.least);
  }
  bool isScanned = scanned.contains(shape) && vector.dim == rank - 1 && laneDim == rank - 1;
  if (isScanned) // Also where accesses are of single elements: lanes exchange less.
    vector.elements = std::max(vector.elements, elementsOfScan);
  while (vector.elements > vector.least && group * vector.elements > type.getNumElements())
    vector.elements /= 2;
  while (vector.elements > 1 && shape[vector.dim] % vector.elements != 0)
    vector.elements /= 2;
  // Where lanes begin with another dimension than the last, as if it were that.
  SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  if (rank > 0)
    std::swap(permutation[laneDim], permutation.back());
  std::vector<int64_t> rest;
  for (int64_t dim : permutation)
    rest.push_back(dim == vector.dim ? shape[dim] / vector.elements : shape[dim]);
  auto result = DistributedLayout::blocked(rest, group, 1);
  if (result && vector.elements > 1) {
    layout::BlockedSpec spec = *result->asBlocked();
    spec.vector[llvm::find(permutation, vector.dim) - permutation.begin()] = vector.elements;
    bool haveRows = loadsAround && vector.dim == rank - 1 && laneDim == rank - 1;
    size_t last = static_cast<size_t>(rank - 1);
    result = isScanned  ? DistributedLayout::create(spec, repeatsInWarps(spec, type.getShape(), last, last + 1))
             : haveRows ? DistributedLayout::create(spec, repeatsInWarps(spec, type.getShape(), 0, last))
                        : DistributedLayout::create(spec);
  }
  if (!result)
    return at->emitError() << tile::inWords(type) << " cannot be laid out here: " << result.message();
  return result->permuted({permutation.data(), permutation.size()});
}

} // namespace tegula
