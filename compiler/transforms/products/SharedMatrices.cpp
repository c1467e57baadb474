// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/SharedMatrices.h"

using namespace mlir;

namespace tegula {

Value transposed(OpBuilder &builder, Location loc, Value matrix) {
  auto type = cast<tile::RefType>(matrix.getType());
  int64_t dims[] = {type.getDims()[1], type.getDims()[0]};
  auto turned = type.isShared() ? tile::RefType::inShared(type.getElementType(), dims, type.getSwizzle())
                                : tile::RefType::get(type.getElementType(), dims);
  return builder.create<tile::TransposeOp>(loc, turned, matrix, ArrayRef<int64_t>{1, 0});
}

} // namespace tegula
