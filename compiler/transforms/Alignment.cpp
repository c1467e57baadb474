// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/Alignment.h"

#include "analysis/Divisors.h"
#include "ir/Elements.h"

using namespace mlir;

namespace tegula {
namespace {

/// Along the innermost dimension only windows keep the promise: an element of it has neighbours elsewhere.
int64_t alignmentOf(tile::SliceOp slice) {
  tile::RefType source = slice.getSource().getType();
  int64_t alignment = source.getAlignment();
  if (alignment == 0 || source.getRank() == 0 || slice.getType().getRank() == 0)
    return 0;
  unsigned inner = source.getRank() - 1;
  switch (slice.getMode(inner)) {
  case tile::SliceMode::Whole:
    return alignment;
  case tile::SliceMode::Element:
    return 0;
  case tile::SliceMode::Window:
    break;
  }
  Type element = source.getElementType();
  int64_t divisor = std::min(tile::divisorOf(slice.getOffset(inner)), tile::elementsIn(alignment, element));
  bool isWithinByte = isPacked(element) && divisor == 1;
  return isWithinByte ? 0 : std::min(alignment, tile::bytesIn(divisor, element));
}

/// A window of an even row has what is left of the row behind an aligned offset, or its bound where that is less.
bool isRowEven(tile::SliceOp slice, int64_t alignment) {
  tile::RefType source = slice.getSource().getType(), type = slice.getType();
  if (!source.getIsEven() || alignment == 0)
    return false;
  unsigned inner = source.getRank() - 1;
  if (slice.getMode(inner) == tile::SliceMode::Whole)
    return true;
  int64_t bound = type.getBound(type.getRank() - 1);
  return !slice.getSize(inner) && !ShapedType::isDynamic(bound) &&
         bound % std::max<int64_t>(1, tile::elementsIn(alignment, type.getElementType())) == 0;
}

} // namespace

bool propagateAlignment(tile::KernelOp kernel) {
  bool gains = false;
  kernel.getBody().walk([&](Operation *op) {
    if (auto slice = dyn_cast<tile::SliceOp>(op)) {
      if (slice.getType().isShared())
        return;
      tile::RefType type = slice.getType();
      int64_t alignment = alignmentOf(slice);
      if (alignment > type.getAlignment()) // Who made the window may know more.
        slice.getResult().setType(tile::RefType::get(type.getElementType(), type.getDims(), alignment,
                                                     isRowEven(slice, alignment), type.getSpace()));
      return;
    }
    auto memory = dyn_cast<tile::MemoryAccessOpInterface>(op);
    if (!memory)
      return;
    for (const tile::MemoryAccess &access : memory.getMemoryAccesses()) {
      auto ref = dyn_cast<tile::RefType>(access.ref.getType());
      gains |= ref && access.tile && !access.isAtomic && ref.getRank() > 0 && ref.getBound(ref.getRank() - 1) > 1 &&
               ref.getAlignment() > tile::bytesOf(ref.getElementType());
    }
  });
  return gains;
}

} // namespace tegula
