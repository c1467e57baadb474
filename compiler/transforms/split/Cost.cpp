// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/Cost.h"

using namespace mlir;

namespace tegula::split {

int64_t weightOf(Operation *op) {
  auto elementwise = dyn_cast<tile::ElementwiseOpInterface>(op);
  return elementwise ? elementwise.getWeight() : 0;
}

int64_t weightOf(tile::LaunchOp launch) {
  int64_t weight = 0;
  launch.getBody().walk([&](Operation *op) { weight += weightOf(op); });
  return weight;
}

} // namespace tegula::split
