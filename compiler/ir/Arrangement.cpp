// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/Arrangement.h"

#include "ir/Elements.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tegula::tile {

Arrangement Arrangement::of(AllocOp allocation) {
  RefType type = allocation.getType();
  Arrangement result;
  result.elementBytes = bytesOf(type.getElementType());
  int64_t rank = type.getRank(), swizzle = type.getSwizzle();
  ArrayRef<int64_t> dims = type.getDims();
  auto sizeOf = [&](int64_t dim) { // Of packed elements, bytes are counted.
    bool isPacked = tegula::isPacked(type.getElementType()) && dim == rank - 1;
    return isPacked ? bytesIn(dims[dim], type.getElementType()) : dims[dim];
  };
  int64_t columns = rank > 0 ? sizeOf(rank - 1) : 1, rows = rank > 1 ? dims[rank - 2] : 1;
  result.inner = rank > 0 ? static_cast<unsigned>(rank - 1) : none;
  result.panelElements = swizzle > 16 ? swizzle / result.elementBytes : columns;
  result.panelBytes = rows * result.panelElements * result.elementBytes;
  result.strides.resize(rank);
  // Panels are side by side; what lies in them, and what holds them, is row-major.
  bool isOneBox = true;
  int64_t bytes = result.elementBytes;
  for (int64_t dim = rank - 1; dim >= 0; --dim) {
    bool isInPanel = swizzle > 16 && dim == rank - 2;
    int64_t stride = isInPanel ? result.panelElements * result.elementBytes : bytes;
    if (allocation.getPadded() && !isOneBox && sizeOf(dim) > 1)
      stride = static_cast<int64_t>(llvm::alignTo(stride, copyAlignment));
    result.strides[dim] = stride;
    bytes = sizeOf(dim) * (isInPanel ? bytes : stride);
    isOneBox &= sizeOf(dim) <= largestCopyBox;
  }
  result.allocatedBytes = bytes;
  return result;
}

Arrangement Arrangement::of(Value ref) {
  if (auto slice = ref.getDefiningOp<SliceOp>())
    return of(slice.getSource()).sliced(slice);
  if (auto transpose = ref.getDefiningOp<TransposeOp>())
    return of(transpose.getSource()).transposed(transpose);
  if (auto other = ref.getDefiningOp<ClusterRefOp>())
    return of(other.getSource());
  if (auto reshape = ref.getDefiningOp<ReshapeRefOp>()) // tile-assign-shared has asked whether there is one.
    return *of(reshape.getSource()).reshaped(reshape);
  if (auto bitcast = ref.getDefiningOp<BitcastRefOp>())
    return *of(bitcast.getSource()).bitcast(bitcast);
  return of(ref.getDefiningOp<AllocOp>());
}

Arrangement Arrangement::sliced(SliceOp slice) const {
  Arrangement result = *this;
  result.strides.clear();
  for (unsigned dim = 0; dim < strides.size(); ++dim) {
    bool isDropped = slice.getMode(dim) == SliceMode::Element;
    if (dim == inner)
      result.inner = isDropped ? none : static_cast<unsigned>(result.strides.size());
    if (!isDropped)
      result.strides.push_back(strides[dim]);
  }
  return result;
}

namespace {
/// Some dimensions of a view and of its source that hold the same elements, those of one element left out.
class ReshapedDims {
public:
  ReshapedDims(const Arrangement &from, Arrangement &to, ArrayRef<int64_t> extents, ArrayRef<int64_t> resultExtents)
      : from(from), to(to), extents(extents), resultExtents(resultExtents) {}

  /// False if there are no such strides.
  bool place(const ReshapeGroup &group);

private:
  bool areContiguous(ArrayRef<unsigned> dims) const;
  bool splitPanels(ArrayRef<unsigned> results);

  const Arrangement &from;
  Arrangement &to;
  ArrayRef<int64_t> extents, resultExtents;
};
} // namespace

/// Whether one stride serves all of them, counted through.
bool ReshapedDims::areContiguous(ArrayRef<unsigned> dims) const {
  for (size_t i = 0; i + 1 < dims.size(); ++i)
    if (from.strides[dims[i]] != from.strides[dims[i + 1]] * extents[dims[i + 1]])
      return false;
  return true;
}

/// What was a row of several panels: its parts begin with a panel, or lie in one.
bool ReshapedDims::splitPanels(ArrayRef<unsigned> results) {
  int64_t within = 1;
  for (unsigned dim : llvm::reverse(results)) {
    // The innermost dimension may have several panels; any other is of parts of a panel, or of whole ones.
    bool isPart = within < from.panelElements;
    int64_t all = within * resultExtents[dim];
    if (isPart && all > from.panelElements && (within > 1 || all % from.panelElements != 0))
      return false;
    if (isPart ? all <= from.panelElements && from.panelElements % all != 0 : within % from.panelElements != 0)
      return false;
    to.strides[dim] = isPart ? within * from.elementBytes : within / from.panelElements * from.panelBytes;
    within = all;
  }
  return true;
}

bool ReshapedDims::place(const ReshapeGroup &group) {
  SmallVector<unsigned> sources, results;
  for (unsigned dim = group.sourceBegin; dim < group.sourceEnd; ++dim)
    if (extents[dim] > 1)
      sources.push_back(dim);
  for (unsigned dim = group.resultBegin; dim < group.resultEnd; ++dim)
    if (resultExtents[dim] > 1)
      results.push_back(dim);
  if (sources.empty())
    return true;
  if (sources.back() == from.inner) {
    int64_t row = extents[from.inner], part = resultExtents[results.back()];
    to.inner = results.back();
    if (from.panelElements < row) {
      to.isForUnits &= part % from.panelElements == 0;
      return sources.size() == 1 && splitPanels(results);
    }
    to.isForUnits &= part == row;
    to.panelElements = std::max(to.panelElements, part);
  }
  if (!areContiguous(sources))
    return false;
  int64_t stride = from.strides[sources.back()];
  for (unsigned dim : llvm::reverse(results)) {
    to.strides[dim] = stride;
    stride *= resultExtents[dim];
  }
  return true;
}

std::optional<Arrangement> Arrangement::reshaped(ReshapeRefOp reshape) const {
  ArrayRef<int64_t> extents = reshape.getSource().getType().getDims(), results = reshape.getType().getDims();
  Arrangement result = *this;
  result.strides.assign(results.size(), 0);
  result.inner = none;
  ReshapedDims dims(*this, result, extents, results);
  for (const ReshapeGroup &group : reshapeGroups(extents, results))
    if (!dims.place(group))
      return std::nullopt;
  return result;
}

/// Rows of elements that are wider begin at multiples of these.
std::optional<Arrangement> Arrangement::bitcast(BitcastRefOp bitcast) const {
  Arrangement result = *this;
  int64_t width = bytesOf(bitcast.getType().getElementType());
  if (width == elementBytes)
    return result;
  int64_t rank = bitcast.getType().getRank();
  bool isAlong = static_cast<int64_t>(inner) + 1 == rank && panelElements * elementBytes % width == 0;
  if (!isAlong)
    return std::nullopt;
  for (int64_t dim = 0; dim + 1 < rank; ++dim)
    if (bitcast.getType().getDims()[dim] > 1 && strides[dim] % width != 0)
      return std::nullopt;
  result.panelElements = panelElements * elementBytes / width;
  result.strides[inner] = result.elementBytes = width;
  return result;
}

Arrangement Arrangement::transposed(TransposeOp transpose) const {
  Arrangement result = *this;
  for (auto [i, dim] : llvm::enumerate(transpose.getPermutation())) {
    result.strides[i] = strides[dim];
    if (static_cast<unsigned>(dim) == inner)
      result.inner = i;
  }
  return result;
}

} // namespace tegula::tile
