// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/Wgmma.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tegula {

/// Multiples of 8; of integers, those of 16, and 8 and 24.
bool WgmmaTypes::hasColumns(int64_t columns) const {
  bool isMultiple = columns % 16 == 0 || (columns % 8 == 0 && (!areIntegers() || columns <= 24));
  return isMultiple && columns > 0 && columns <= mostColumns;
}

/// Halves, about: what an instruction of few columns reads of the left factor would cost as much as one of many.
llvm::SmallVector<int64_t, 2> WgmmaTypes::instructionColumns(int64_t columns) const {
  if (hasColumns(columns))
    return {columns};
  int64_t first = llvm::divideCeil(columns / 2, rows) * rows;
  if (columns > mostColumns && hasColumns(first) && hasColumns(columns - first))
    return {first, columns - first};
  return {};
}

std::optional<WgmmaTypes> findWgmma(Type left, Type right, Type sum) {
  static constexpr StringLiteral table[][3] = {
#define TEGULA_WGMMA(LEFT, RIGHT, SUM) {#LEFT, #RIGHT, #SUM},
#include "tegula/wgmma.def"
  };
  WgmmaTypes types{elementOf(left), elementOf(right), elementOf(sum)};
  if (!types.left || !types.right || !types.sum)
    return std::nullopt;
  for (const auto &[ofLeft, ofRight, ofSum] : table)
    if (types.left->name == ofLeft && types.right->name == ofRight && types.sum->name == ofSum)
      return types;
  return std::nullopt;
}

std::optional<WgmmaTypes> findMma(Type left, Type right, Type sum) {
  if (left.isF64() && right.isF64() && sum.isF64())
    return WgmmaTypes{elementOf(left), elementOf(right), elementOf(sum)};
  std::optional<WgmmaTypes> types = findWgmma(left, right, sum);
  return types && types->sum->bits == 32 ? types : std::nullopt;
}

} // namespace tegula
