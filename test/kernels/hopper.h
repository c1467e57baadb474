// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tests of the explicit level share.
#pragma once

#include "support.h"

#include <tegula/cpu/explicit.h>

#include <algorithm>

namespace tegula::test {

/// Runs the body on every device. The CPU runs threads, copies and products in an order that a seed chooses: there,
/// under several.
template <class Body> void everywhere(Body body) {
  on_every_device([&](device where) {
    for (std::uint64_t seed = 0; seed < (where.is_cpu() ? 8U : 1U); ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      cpu::set_seed(seed);
      body(where);
    }
    cpu::set_seed(0);
  });
}

/// The elements as doubles; with `transposes` the other way round.
template <class T> buffer<double, 2> exact(const buffer<T, 2> &x, bool transposes = false) {
  return make<double, 2>({x.dim(transposes ? 1 : 0), x.dim(transposes ? 0 : 1)}, [&](std::int64_t place) {
    const std::int64_t columns = x.dim(transposes ? 0 : 1), i = place / columns, j = place % columns;
    return static_cast<double>(static_cast<float>(transposes ? x(j, i) : x(i, j)));
  });
}

/// A matrix product, and what its error depends on.
struct MatrixProduct {
  buffer<double, 2> values;
  buffer<double, 2> largest; ///< of the magnitudes of an element's products and partial sums
  std::int64_t depth;

  /// An element that the tensor cores have summed, from operands of type Operand.
  template <class Operand, class Accumulator = float> Near<Accumulator> at(std::int64_t i, std::int64_t j) const {
    return {values(i, j), tensor_core_error<Operand, Accumulator>(depth, largest(i, j))};
  }
};

inline MatrixProduct reference_of(const buffer<double, 2> &a, const buffer<double, 2> &b) {
  const shape<2> dims(a.dim(0), b.dim(1));
  MatrixProduct result{buffer<double, 2>::empty(dims), buffer<double, 2>::empty(dims), a.dim(1)};
  for (std::int64_t i = 0; i < dims[0]; ++i)
    for (std::int64_t j = 0; j < dims[1]; ++j) {
      double sum = 0, largest = 0;
      for (std::int64_t k = 0; k < a.dim(1); ++k) {
        const double term = a(i, k) * b(k, j);
        sum += term;
        largest = std::max({largest, std::abs(term), std::abs(sum)});
      }
      result.values(i, j) = sum;
      result.largest(i, j) = largest;
    }
  return result;
}

} // namespace tegula::test
