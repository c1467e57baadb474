// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/Windows.h"

using namespace mlir;

namespace tegula {

Value windowOfParts(OpBuilder &builder, Location loc, tile::RefType type, Value source, ArrayRef<tile::Part> parts) {
  SmallVector<int64_t> dims;
  SmallVector<int32_t> modes;
  SmallVector<Value> offsets;
  bool isAll = true;
  for (auto [i, part] : llvm::enumerate(parts)) {
    bool isExact = type.isExact(i) && type.getBound(i) == part.size;
    bool isExactly = !part.dropped && !part.offset && (isExact || (!part.full && type.getBound(i) == part.size));
    isAll &= isExactly;
    auto mode = isExactly ? tile::SliceMode::Whole : part.dropped ? tile::SliceMode::Element : tile::SliceMode::Window;
    modes.push_back(static_cast<int32_t>(mode));
    if (!isExactly)
      offsets.push_back(part.offset ? part.offset
                                    : builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(0)).getResult());
    bool fits = part.full || (type.isExact(i) && type.getBound(i) % part.size == 0);
    if (!part.dropped)
      dims.push_back(isExactly ? type.getDims()[i] : fits ? part.size : tile::RefType::atMost(part.size));
  }
  if (isAll)
    return source;
  auto windowType = tile::RefType::get(type.getElementType(), dims);
  bool inBounds = llvm::all_of(dims, [](int64_t dim) { return dim > 0; });
  return builder.create<tile::SliceOp>(loc, windowType, source, offsets, ValueRange(), modes, /*spec=*/false, inBounds);
}

} // namespace tegula
