// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/Cost.h"

using namespace mlir;

namespace tegula::split {

int64_t weightOf(Operation *op) {
  if (isa<tile::ExpOp, tile::Exp2Op, tile::LogOp, tile::Log2Op, tile::SinOp, tile::CosOp, tile::TanhOp,
          tile::LogisticOp, tile::ErfOp, tile::DivOp, tile::RemOp, tile::SqrtOp>(op))
    return 16;
  return tile::isElementwise(op) ? 1 : 0;
}

int64_t weightOf(tile::LaunchOp launch) {
  int64_t weight = 0;
  launch.getBody().walk([&](Operation *op) { weight += weightOf(op); });
  return weight;
}

} // namespace tegula::split
