// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu/product.h"

#include "tegula/cpu/matrix.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace tegula::cpu::detail {

namespace {

/// How many columns and rows of the sum are in registers at a time.
constexpr std::int64_t block_columns = 16, block_rows = 4;

/// In what the unit computes: float, in which products of its floats are exact, or integers that wrap.
template <class T> using wide_of = std::conditional_t<std::is_integral_v<T>, std::uint32_t, float>;

/// What the unit reads of an element.
template <class T> wide_of<T> read(T element) {
  if constexpr (std::is_same_v<T, float>)
    return as_tf32(element);
  else if constexpr (std::is_integral_v<T>)
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(element));
  else
    return static_cast<float>(element);
}

template <class T> void widen(const region &from, wide_of<T> *to) {
  for (std::int64_t i = 0; i < from.dims[0]; ++i) {
    const T *row = reinterpret_cast<const T *>(from.data) + i * from.strides[0];
    const std::int64_t stride = from.strides[1], columns = from.dims[1];
    wide_of<T> *wide = to + i * columns;
    if (stride == 1)
      for (std::int64_t j = 0; j < columns; ++j)
        wide[j] = read(row[j]);
    else
      for (std::int64_t j = 0; j < columns; ++j)
        wide[j] = read(row[j * stride]);
  }
}

/// Whether the table of products has one with such a factor.
template <class T>
inline constexpr bool is_factor =
#define TEGULA_WGMMA(LEFT, RIGHT, SUM) dtype_of<T> == dtype::LEFT ||
#include "tegula/wgmma.def"
    false;

/// Makes `Wide` of matrices of these elements; null if no product does.
template <class Wide> auto widening(dtype type) noexcept -> void (*)(const region &, Wide *) {
#define TEGULA_ELEMENT(NAME, KIND, BITS, CXX, TENSOR_MAP)                                                              \
  if constexpr (is_factor<CXX> && std::is_same_v<wide_of<CXX>, Wide>)                                                  \
    if (type == dtype::NAME)                                                                                           \
      return widen<CXX>;
#include "tegula/elements.def"
  return nullptr;
}

/// A matrix of what the unit reads, dense.
template <class Wide> std::vector<Wide> read_all(const region &from) {
  const auto widen_all = widening<Wide>(from.type);
  if (widen_all == nullptr)
    throw error(std::string("internal error: no product takes matrices of ") + name(from.type));
  std::vector<Wide> wide(static_cast<std::size_t>(from.size()));
  widen_all(from, wide.data());
  return wide;
}

/// A block of the sum, `Rows` by up to block_columns; rows of it are `pitch` elements apart.
template <int Rows, class Wide>
void add_block(const Wide *a, const Wide *b, Wide *sum, std::int64_t depth, std::int64_t columns, std::int64_t pitch,
               std::int64_t width) {
  Wide held[Rows][block_columns] = {};
  for (int i = 0; i < Rows; ++i)
    std::copy_n(sum + i * pitch, width, held[i]);
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
    std::copy_n(held[i], width, sum + i * pitch);
}

template <class Wide>
void add_product(const Wide *a, const Wide *b, Wide *sum, std::int64_t rows, std::int64_t depth, std::int64_t columns,
                 std::int64_t pitch) {
  for (std::int64_t j = 0; j < columns; j += block_columns) {
    const std::int64_t width = std::min(block_columns, columns - j);
    std::int64_t i = 0;
    for (; i + block_rows <= rows; i += block_rows)
      add_block<block_rows>(a + i * depth, b + j, sum + i * pitch + j, depth, columns, pitch, width);
    for (; i < rows; ++i)
      add_block<1>(a + i * depth, b + j, sum + i * pitch + j, depth, columns, pitch, width);
  }
}

} // namespace

bool can_multiply(dtype sum, dtype a, dtype b) noexcept {
  constexpr dtype table[][3] = {
#define TEGULA_WGMMA(LEFT, RIGHT, SUM) {dtype::LEFT, dtype::RIGHT, dtype::SUM},
#include "tegula/wgmma.def"
  };
  return std::any_of(std::begin(table), std::end(table),
                     [&](const auto &row) { return row[0] == a && row[1] == b && row[2] == sum; });
}

void multiply(const region &a, const region &b, accumulation &sum, std::int64_t row, std::int64_t column) {
  const std::int64_t rows = a.dims[0], columns = b.dims[1];
  const auto add_to = [&](auto *values, std::int64_t pitch) {
    using wide = std::remove_pointer_t<decltype(values)>;
    const std::vector<wide> left = read_all<wide>(a), right = read_all<wide>(b);
    add_product(left.data(), right.data(), values, rows, a.dims[1], columns, pitch);
  };
  std::byte *first = sum.values.get() + offset_of(sum, row, column);
  if (sum.type == dtype::s32)
    return add_to(reinterpret_cast<std::uint32_t *>(first), sum.columns);
  if (sum.type == dtype::f32)
    return add_to(reinterpret_cast<float *>(first), sum.columns);
  auto *narrow = reinterpret_cast<f16 *>(first);
  std::vector<float> wide(static_cast<std::size_t>(rows * columns));
  for (std::int64_t i = 0; i < rows; ++i)
    std::copy_n(narrow + i * sum.columns, columns, wide.begin() + i * columns);
  add_to(wide.data(), columns);
  for (std::int64_t i = 0; i < rows; ++i)
    std::transform(wide.begin() + i * columns, wide.begin() + (i + 1) * columns, narrow + i * sum.columns,
                   [](float value) { return f16(value); });
}

} // namespace tegula::cpu::detail
