// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reference semantics of matrix products: f16, bf16 and 8-bit floats, also of two types, give f32, integers of 8 and 16
// bits s32, all others their own type. Integers wrap. With precision tf32, the lower 13 bits of f32 factors are
// ignored. Products of floats are summed in double and rounded once: more exact than the GPU, for which they are the
// reference. f64 has no wider type, and rounds at every step.

#ifndef TEGULA_CPU_MATRIX_H
#define TEGULA_CPU_MATRIX_H

#include "tegula/cpu/reduction.h"
#include "tegula/cpu/tile.h"

#include <vector>

namespace tegula::cpu {

/// The precision of a product, as in the language.
enum class precision { ieee, tf32 };

/// The value of a float that tensor cores read as tf32: sign, exponent and 10 bits of the fraction (PTX ISA, "Alternate
/// Floating Point Data Formats"; that wgmma ignores the others is measured, not documented).
inline float as_tf32(float x) noexcept {
  return tegula::detail::bit_cast<float>(tegula::detail::bit_cast<std::uint32_t>(x) & 0xffffe000U);
}

namespace detail {
template <class T>
using summed_t = std::conditional_t<is_narrow<T>, float, std::conditional_t<(sizeof(T) < 4), std::int32_t, T>>;

/// An element of a factor, in the type that is summed.
template <precision P, class T> auto factor(T element) noexcept {
  if constexpr (P == precision::tf32)
    return as_tf32(element);
  else
    return up(element);
}

template <class T, int Rank> ref<std::add_const_t<T>, Rank> places_of(const ref<T, Rank> &r) { return r; }
template <class T, int Rank> ref<const T, Rank> places_of(const tile<T, Rank> &t) { return t.view(); }

/// to = from + a b: a few columns of b at a time, which are copied to contiguous memory.
template <precision P, class A, class B, class S = summed_t<A>>
void multiply(const ref<const A, 2> &a, const ref<const B, 2> &b, const ref<const S, 2> &from, const ref<S, 2> &to,
              std::vector<wide_t<S>> &columns) {
  constexpr std::int64_t width = 16;
  const std::int64_t depth = std::min(a.dim(1), b.dim(0));
  columns.resize(static_cast<std::size_t>(depth * width));
  for (std::int64_t first = 0; first < to.dim(1); first += width) {
    const std::int64_t count = std::min(width, to.dim(1) - first);
    for (std::int64_t k = 0; k < depth; ++k)
      for (std::int64_t j = 0; j < count; ++j)
        columns[static_cast<std::size_t>(k * width + j)] = static_cast<wide_t<S>>(factor<P>(b(k, first + j)));
    for (std::int64_t i = 0; i < to.dim(0); ++i) {
      wide_t<S> sums[width] = {};
      for (std::int64_t j = 0; j < count; ++j)
        sums[j] = static_cast<wide_t<S>>(from(i, first + j));
      const wide_t<S> *row = columns.data();
      for (std::int64_t k = 0; k < depth; ++k, row += width) {
        const auto x = static_cast<wide_t<S>>(factor<P>(a(i, k)));
        for (std::int64_t j = 0; j < width; ++j) // The compiler vectorises this loop.
          sums[j] += x * row[j];
      }
      for (std::int64_t j = 0; j < count; ++j)
        to(i, first + j) = static_cast<S>(sums[j]);
    }
  }
}

/// The matrix at an index of the dimensions before the last two.
template <class T, int Rank> ref<T, 2> matrix_at(const ref<T, Rank> &r, const shape<Rank> &index) {
  T *data = r.data();
  for (int axis = 0; axis < Rank - 2; ++axis)
    data += index[axis] * r.strides()[axis];
  return {data, {r.dim(Rank - 2), r.dim(Rank - 1)}, {r.strides()[Rank - 2], r.strides()[Rank - 1]}};
}

template <precision P, class A, class B, int Rank, class S = summed_t<A>>
tile<S, Rank> multiply_all(const ref<const A, Rank> &a, const ref<const B, Rank> &b, const ref<const S, Rank> &added) {
  shape<Rank> dims = added.dims();
  for (int axis = 0; axis < Rank; ++axis) {
    dims[axis] = axis < Rank - 1 ? std::min(dims[axis], a.dim(axis)) : dims[axis];
    dims[axis] = axis != Rank - 2 ? std::min(dims[axis], b.dim(axis)) : dims[axis];
  }
  tile<S, Rank> result(dims);
  if (result.size() == 0)
    return result;
  std::vector<wide_t<S>> columns;
  shape<Rank> index;
  for (int axis = 0; axis >= 0;) {
    multiply<P, A, B>(matrix_at(a, index), matrix_at(b, index), matrix_at(added, index),
                      matrix_at(result.view(), index), columns);
    for (axis = Rank - 3; axis >= 0 && ++index[axis] == dims[axis]; --axis)
      index[axis] = 0;
  }
  return result;
}
} // namespace detail

/// c plus the products of the matrices in the last two dimensions of a, (..., M, K), and b, (..., K, N), which are refs
/// or tiles. If extents differ, the smaller ones count: a tile filled with one value, for example, in a boundary block.
template <precision P = precision::ieee, class A, class B, class C> auto dot(const A &a, const B &b, const C &c) {
  return detail::multiply_all<P>(detail::places_of(a), detail::places_of(b), detail::places_of(c));
}

/// The products without an addend.
template <precision P = precision::ieee, class A, class B> auto dot(const A &a, const B &b) {
  const auto left = detail::places_of(a);
  const auto right = detail::places_of(b);
  using sum = detail::summed_t<typename decltype(left)::element>;
  const sum zero = 0;
  shape<A::rank> dims = left.dims();
  dims[A::rank - 1] = right.dim(A::rank - 1);
  return dot<P>(a, b, ref<const sum, A::rank>(&zero, dims, shape<A::rank>{}));
}

} // namespace tegula::cpu

#endif // TEGULA_CPU_MATRIX_H
