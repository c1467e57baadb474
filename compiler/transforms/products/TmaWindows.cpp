// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/TmaWindows.h"

#include "analysis/Divisors.h"
#include "ir/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tegula {

/// Whether a number is a multiple of `unit`, perhaps if some arguments are.
static bool isMultiple(Value value, int64_t unit, EvenArguments &even) {
  if (tile::divisorOf(value) % unit == 0)
    return true;
  auto addArgument = [&](Value each) {
    auto argument = dyn_cast<BlockArgument>(each);
    if (!argument || !isa<tile::KernelOp>(argument.getOwner()->getParentOp()))
      return false;
    if (!llvm::is_contained(even, argument))
      even.push_back(argument);
    return true;
  };
  if (auto product = value.getDefiningOp<arith::MulIOp>())
    return addArgument(product.getLhs()) || addArgument(product.getRhs());
  if (auto sum = value.getDefiningOp<arith::AddIOp>())
    return isMultiple(sum.getLhs(), unit, even) && isMultiple(sum.getRhs(), unit, even);
  return addArgument(value);
}

bool isEven(Value start, BlockArgument array, EvenArguments &even) {
  constexpr int64_t bytesOfUnit = 16;
  return isMultiple(start, tile::elementsIn(bytesOfUnit, cast<tile::RefType>(array.getType()).getElementType()), even);
}

} // namespace tegula
