// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the host programs of kernels over rows share: random arrays, and results compared with float64.
#pragma once

#include "sample.h"

#include <string>

namespace sample {

template <class T> double wide(T value) { return static_cast<double>(static_cast<float>(value)); }

/// What the rounding to T loses: half of a unit in the last place, of 1.
template <class T> constexpr double rounding = sizeof(T) == 2 ? 0x1p-8 : 0x1p-24;

/// Random numbers in [offset - scale, offset + scale).
template <class T, int Rank>
tegula::buffer<T, Rank> random_array(const tegula::shape<Rank> &dims, random &random, float scale = 1,
                                     float offset = 0) {
  auto values = tegula::buffer<T, Rank>::empty(dims);
  fill(values, [&] { return static_cast<T>(scale * random.number() + offset); });
  return values;
}

/// Counts values that are further than the tolerance from their references. A NaN is wrong; an infinity is itself.
struct comparison {
  std::int64_t wrong = 0;
  template <class T> void operator()(T value, double reference, double tolerance) {
    const bool is_right =
        std::isinf(reference) ? wide(value) == reference : std::abs(wide(value) - reference) <= tolerance;
    wrong += is_right ? 0 : 1;
  }
};

/// "f32 33 x 1000"
template <class T> std::string shape_name(std::int64_t rows, std::int64_t columns) {
  return (sizeof(T) == 2 ? "bf16 " : "f32 ") + std::to_string(rows) + " x " + std::to_string(columns);
}

} // namespace sample
