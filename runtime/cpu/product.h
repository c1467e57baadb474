// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tensor core computes.

#ifndef TEGULA_RUNTIME_CPU_PRODUCT_H
#define TEGULA_RUNTIME_CPU_PRODUCT_H

#include "tegula/cpu/explicit/accumulator.h"
#include "tegula/cpu/explicit/region.h"

namespace tegula::cpu::detail {

/// Whether there is a product of matrices of these elements.
bool can_multiply(dtype sum, dtype a, dtype b) noexcept;

/// The first of the bytes of an element.
inline std::size_t offset_of(const accumulation &sum, std::int64_t row, std::int64_t column) noexcept {
  return static_cast<std::size_t>(row * sum.columns + column) * size_of(sum.type);
}

/// sum += a @ b, at the part that begins at this row and column: every element adds its products in the order of the
/// contracted index. Of floats, in float, in which the products of f16, bf16, tf32 and 8 bits are exact; a sum in f16
/// is rounded at the end. Those of integers wrap.
void multiply(const region &a, const region &b, accumulation &sum, std::int64_t row = 0, std::int64_t column = 0);

} // namespace tegula::cpu::detail

#endif // TEGULA_RUNTIME_CPU_PRODUCT_H
