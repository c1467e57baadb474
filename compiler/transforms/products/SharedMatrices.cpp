// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/SharedMatrices.h"

using namespace mlir;

namespace tegula {

Value transposed(OpBuilder &builder, Location loc, Value matrix) {
  auto type = cast<tile::RefType>(matrix.getType());
  int64_t dims[] = {type.getDims()[1], type.getDims()[0]};
  return builder.create<tile::TransposeOp>(loc, tile::RefType::inShared(type.getElementType(), dims, type.getSwizzle()),
                                           matrix, ArrayRef<int64_t>{1, 0});
}

} // namespace tegula
