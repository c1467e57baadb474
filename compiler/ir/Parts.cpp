// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/Parts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tegula::tile {

Value makeWindow(OpBuilder &builder, Location loc, Value ref, ArrayRef<Part> parts) {
  auto type = cast<RefType>(ref.getType());
  SmallVector<int64_t> dims;
  SmallVector<int32_t> modes;
  SmallVector<Value> offsets;
  bool isAll = true;
  for (auto [i, part] : llvm::enumerate(parts)) {
    bool isExact = type.isExact(i) && type.getBound(i) == part.size;
    bool isExactly = !part.dropped && !part.offset && (isExact || (!part.full && type.getBound(i) == part.size));
    isAll &= isExactly;
    auto mode = isExactly ? SliceMode::Whole : part.dropped ? SliceMode::Element : SliceMode::Window;
    modes.push_back(static_cast<int32_t>(mode));
    if (!isExactly && part.offset)
      offsets.push_back(part.offset);
    else if (!isExactly)
      offsets.push_back(builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(0)));
    bool fits = part.full || (type.isExact(i) && type.getBound(i) % part.size == 0);
    if (!part.dropped)
      dims.push_back(isExactly ? type.getDims()[i] : fits ? part.size : RefType::atMost(part.size));
  }
  if (isAll)
    return ref;
  bool inBounds = llvm::all_of(dims, [](int64_t dim) { return dim > 0; });
  auto windowType = type.isShared() ? RefType::inShared(type.getElementType(), dims, type.getSwizzle())
                                    : RefType::get(type.getElementType(), dims);
  return builder.create<SliceOp>(loc, windowType, ref, offsets, ValueRange(), modes, /*spec=*/false, inBounds);
}

} // namespace tegula::tile
