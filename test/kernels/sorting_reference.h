// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of sorted rows, by a sort of the host, and what is sorted.
#pragma once

#include "support.h"

#include <algorithm>
#include <numeric>

namespace tegula::test {

/// -1 where a belongs before b: NaN is last whichever way.
template <class T> int order_of(T a, T b, bool is_descending) {
  if constexpr (is_floating<T>) {
    const bool is_nan = std::isnan(wide(a)), other_is_nan = std::isnan(wide(b));
    if (is_nan || other_is_nan)
      return static_cast<int>(is_nan) - static_cast<int>(other_is_nan);
  }
  const int order = wide(a) < wide(b) ? -1 : wide(b) < wide(a) ? 1 : 0;
  return is_descending ? -order : order;
}

/// Where the elements of each row are in order, by the first key that tells.
template <class Compare>
buffer<std::int32_t, 2> order_of_rows(std::int64_t rows, std::int64_t length, Compare compare) {
  auto order = buffer<std::int32_t, 2>::empty({rows, length});
  for (std::int64_t i = 0; i < rows; ++i) {
    std::vector<std::int32_t> places(static_cast<std::size_t>(length));
    std::iota(places.begin(), places.end(), 0);
    std::sort(places.begin(), places.end(), [&](std::int32_t a, std::int32_t b) {
      const int order = compare(i, a, b);
      return order != 0 ? order < 0 : a < b;
    });
    for (std::int64_t j = 0; j < length; ++j)
      order(i, j) = places[static_cast<std::size_t>(j)];
  }
  return order;
}

/// Few different numbers, so that many are equal, and special ones.
template <class T> buffer<T, 2> some(std::int64_t rows, std::int64_t columns) {
  const auto special = special_values<T>();
  return make<T, 2>({rows, columns}, [&](std::int64_t) {
    const auto which = generator()() >> 40;
    if (which % 4 == 0)
      return special[(which >> 2) % special.size()];
    if constexpr (std::is_same_v<T, bool>)
      return (which >> 2) % 2 == 0;
    else
      return which % 4 == 1 ? static_cast<T>(static_cast<float>((which >> 2) % 5)) : random_value<T>();
  });
}

} // namespace tegula::test
