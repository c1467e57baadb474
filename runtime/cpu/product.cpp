// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu/product.h"

#include <algorithm>
#include <vector>

namespace tegula::cpu::detail {

namespace {

/// How many columns and rows of the sum are in registers at a time.
constexpr std::int64_t block_columns = 16, block_rows = 4;

template <class T> void widen(const region &from, float *to) {
  for (std::int64_t i = 0; i < from.dims[0]; ++i) {
    const T *row = reinterpret_cast<const T *>(from.data) + i * from.strides[0];
    const std::int64_t stride = from.strides[1], columns = from.dims[1];
    float *wide = to + i * columns;
    if (stride == 1)
      for (std::int64_t j = 0; j < columns; ++j)
        wide[j] = static_cast<float>(row[j]);
    else
      for (std::int64_t j = 0; j < columns; ++j)
        wide[j] = static_cast<float>(row[j * stride]);
  }
}

/// Makes float of matrices of these elements; null if products take none of them.
auto widening(dtype type) noexcept -> void (*)(const region &, float *) {
  switch (type) {
  case dtype::f16:
    return widen<f16>;
  case dtype::bf16:
    return widen<bf16>;
  case dtype::e4m3:
    return widen<e4m3>;
  default:
    return nullptr;
  }
}

/// A matrix in float, dense.
std::vector<float> in_float(const region &from) {
  const auto widen_all = widening(from.type);
  if (widen_all == nullptr)
    throw error(std::string("internal error: no product takes matrices of ") + name(from.type));
  std::vector<float> wide(static_cast<std::size_t>(from.size()));
  widen_all(from, wide.data());
  return wide;
}

/// A block of the sum, `Rows` by up to block_columns.
template <int Rows>
void add_block(const float *a, const float *b, float *sum, std::int64_t depth, std::int64_t columns,
               std::int64_t width) {
  float held[Rows][block_columns] = {};
  for (int i = 0; i < Rows; ++i)
    std::copy_n(sum + i * columns, width, held[i]);
  if (width == block_columns) {
    for (std::int64_t k = 0; k < depth; ++k)
      for (int i = 0; i < Rows; ++i)
        for (int j = 0; j < block_columns; ++j)
          held[i][j] += a[i * depth + k] * b[k * columns + j];
  } else {
    for (std::int64_t k = 0; k < depth; ++k)
      for (int i = 0; i < Rows; ++i)
        for (std::int64_t j = 0; j < width; ++j)
          held[i][j] += a[i * depth + k] * b[k * columns + j];
  }
  for (int i = 0; i < Rows; ++i)
    std::copy_n(held[i], width, sum + i * columns);
}

void add_product(const float *a, const float *b, float *sum, std::int64_t rows, std::int64_t depth,
                 std::int64_t columns) {
  for (std::int64_t j = 0; j < columns; j += block_columns) {
    const std::int64_t width = std::min(block_columns, columns - j);
    std::int64_t i = 0;
    for (; i + block_rows <= rows; i += block_rows)
      add_block<block_rows>(a + i * depth, b + j, sum + i * columns + j, depth, columns, width);
    for (; i < rows; ++i)
      add_block<1>(a + i * depth, b + j, sum + i * columns + j, depth, columns, width);
  }
}

} // namespace

bool can_multiply(dtype sum, dtype a, dtype b) noexcept {
  return widening(a) != nullptr && a == b && (sum == dtype::f32 || (sum == dtype::f16 && a == dtype::f16));
}

void multiply(const region &a, const region &b, accumulation &sum) {
  const std::vector<float> left = in_float(a), right = in_float(b);
  if (sum.type == dtype::f32) {
    add_product(left.data(), right.data(), reinterpret_cast<float *>(sum.values.get()), sum.rows, a.dims[1],
                sum.columns);
    return;
  }
  auto *narrow = reinterpret_cast<f16 *>(sum.values.get());
  std::vector<float> wide(static_cast<std::size_t>(sum.rows * sum.columns));
  std::copy(narrow, narrow + wide.size(), wide.begin());
  add_product(left.data(), right.data(), wide.data(), sum.rows, a.dims[1], sum.columns);
  std::transform(wide.begin(), wide.end(), narrow, [](float value) { return f16(value); });
}

} // namespace tegula::cpu::detail
