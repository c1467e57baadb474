// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reference semantics of sorting a tile along an axis: in ascending or descending order of keys, NaN last in both,
// stable.

#ifndef TEGULA_CPU_SORTING_H
#define TEGULA_CPU_SORTING_H

#include "tegula/cpu/matrix.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace tegula::cpu {

namespace detail {
template <class T> auto comparable(T a) noexcept {
  if constexpr (is_narrow<T>)
    return static_cast<float>(a);
  else
    return a;
}

/// -1 if a comes before b, 1 if after, 0 if they are equal.
template <class T> int order_of(T a, T b, bool is_descending) noexcept {
  const auto x = comparable(a), y = comparable(b);
  const bool is_nan = x != x, other_is_nan = y != y;
  if (is_nan || other_is_nan)
    return static_cast<int>(is_nan) - static_cast<int>(other_is_nan);
  const int order = static_cast<int>(y < x) - static_cast<int>(x < y);
  return is_descending ? -order : order;
}

/// The start of the row of an index along an axis, and the stride of its elements.
template <class T, int Rank> struct row {
  T *data;
  std::int64_t stride;

  row(const ref<T, Rank> &r, const shape<Rank> &index, int axis) : data(r.data()), stride(r.strides()[axis]) {
    for (int i = 0; i < Rank; ++i)
      if (i != axis)
        data += index[i] * r.strides()[i];
  }
  T &operator[](std::int64_t i) const { return data[i * stride]; }
};

/// Calls with an index of each row.
template <int Rank, class F> void for_each_row(const shape<Rank> &dims, int axis, F call) {
  for (int i = 0; i < Rank; ++i)
    if (dims[i] == 0)
      return;
  shape<Rank> index;
  for (int i = 0; i >= 0;) {
    call(index);
    for (i = Rank - 1; i >= 0; --i) {
      if (i == axis)
        continue;
      if (++index[i] < dims[i])
        break;
      index[i] = 0;
    }
  }
}

/// Elements of a row from `count` on keep their positions.
template <int Keys, int Rank, class... T>
tile<std::int32_t, Rank> order_of_rows(int axis, bool is_descending, std::int64_t count,
                                       const ref<T, Rank> &...sources) {
  shape<Rank> dims = std::get<0>(std::tie(sources...)).dims();
  for (int i = 0; i < Rank; ++i)
    ((dims[i] = std::min(dims[i], sources.dim(i))), ...);
  const std::int64_t sorted = std::min(count, dims[axis]);
  tile<std::int32_t, Rank> order(dims);
  for_each_row(dims, axis, [&](const shape<Rank> &index) {
    std::vector<std::int32_t> places(static_cast<std::size_t>(dims[axis]));
    std::iota(places.begin(), places.end(), 0);
    const auto rows = std::make_tuple(row<T, Rank>(sources, index, axis)...);
    std::sort(places.begin(), places.begin() + sorted, [&](std::int32_t a, std::int32_t b) {
      return std::apply(
          [&](const auto &...each) {
            int result = 0, key = 0;
            ((result = result == 0 && key++ < Keys ? order_of(each[a], each[b], is_descending) : result), ...);
            return result != 0 ? result < 0 : a < b;
          },
          rows);
    });
    const row<std::int32_t, Rank> to(order.view(), index, axis);
    for (std::int64_t i = 0; i < dims[axis]; ++i)
      to[i] = places[static_cast<std::size_t>(i)];
  });
  return order;
}

template <class T, int Rank>
tile<std::remove_const_t<T>, Rank> put_in_order(int axis, const ref<T, Rank> &source,
                                                const tile<std::int32_t, Rank> &order) {
  tile<std::remove_const_t<T>, Rank> result(order.dims());
  for_each_row(order.dims(), axis, [&](const shape<Rank> &index) {
    const row<T, Rank> from(source, index, axis);
    const row<const std::int32_t, Rank> places(order.view(), index, axis);
    const row<std::remove_const_t<T>, Rank> to(result.view(), index, axis);
    for (std::int64_t i = 0; i < order.dim(axis); ++i)
      to[i] = from[places[i]];
  });
  return result;
}
} // namespace detail

/// The order of the first `count` elements along the axis; the elements after them keep their positions.
template <int Keys, class... V>
auto sorted_order_of_first(int axis, bool is_descending, std::int64_t count, const V &...sources) {
  return detail::order_of_rows<Keys>(axis, is_descending, count, detail::places_of(sources)...);
}

/// For each position along the axis, the index of the element that is sorted there: by the first `Keys` of the sources,
/// refs or tiles, of which larger ones count only up to the extents of the others.
template <int Keys, class... V> auto sorted_order(int axis, bool is_descending, const V &...sources) {
  return sorted_order_of_first<Keys>(axis, is_descending, std::numeric_limits<std::int64_t>::max(), sources...);
}

/// The elements of a source in that order.
template <class V, class Order> auto in_order(int axis, const V &source, const Order &order) {
  return detail::put_in_order(axis, detail::places_of(source), order);
}

} // namespace tegula::cpu

#endif // TEGULA_CPU_SORTING_H
