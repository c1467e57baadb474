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
