// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tests of matrix products share: sizes, matrices, products in double with what their error depends on, and exact
// ones of integers.
#pragma once

#include "support.h"

#include <algorithm>

namespace tegula::test {

/// Of m x n results, which are sums of k products.
struct Sizes {
  std::int64_t m, n, k;
};

/// For SCOPED_TRACE.
inline std::string describe(std::int64_t m, std::int64_t n, std::int64_t k) {
  return "product of " + std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k);
}
inline std::string describe(const Sizes &of) { return describe(of.m, of.n, of.k); }

/// Random numbers; floats of a standard deviation of 4 times `scale`.
template <class T> buffer<T, 2> matrix(std::int64_t rows, std::int64_t columns, double scale = 1) {
  if constexpr (is_floating<T>)
    return make<T, 2>({rows, columns}, [scale](std::int64_t) {
      return static_cast<T>(static_cast<float>(scale * static_cast<double>(random_value<float>())));
    });
  else
    return random<T, 2>({rows, columns});
}

/// Integers from -`most` to `most`, unsigned ones from 0 on: so small that sums are exact, in any order and also in the
/// bits that tensor cores keep of sums of 8-bit floats.
template <class T> T small_integer(int most) {
  const int least = std::is_unsigned_v<T> ? 0 : -most;
  return static_cast<T>(static_cast<float>(least + static_cast<int>(generator()() % (2U * unsigned(most) + 1))));
}
template <class T> buffer<T, 2> small_integers(std::int64_t rows, std::int64_t columns, int most = 3) {
  return make<T, 2>({rows, columns}, [most](std::int64_t) { return small_integer<T>(most); });
}

/// A matrix with its dimensions in the other order, if it `is` to be so.
template <class T> buffer<T, 2> transposed(const buffer<T, 2> &x, bool is = true) {
  if (!is)
    return x.to(device::cpu());
  return make<T, 2>({x.dim(1), x.dim(0)}, [&](std::int64_t i) { return x(i % x.dim(0), i / x.dim(0)); });
}

/// The elements as doubles; with `transposes` the other way round.
template <class T> buffer<double, 2> exact(const buffer<T, 2> &x, bool transposes = false) {
  return make<double, 2>({x.dim(transposes ? 1 : 0), x.dim(transposes ? 0 : 1)}, [&](std::int64_t place) {
    const std::int64_t columns = x.dim(transposes ? 0 : 1), i = place / columns, j = place % columns;
    return static_cast<double>(static_cast<float>(transposes ? x(j, i) : x(i, j)));
  });
}

/// What `of` makes of each place of a factor, rounded to T as it is for tensor cores.
template <class T, class Of> buffer<double, 2> computed(std::int64_t rows, std::int64_t columns, Of of) {
  return make<double, 2>(
      {rows, columns}, [&](std::int64_t place) { return wide(static_cast<T>(of(place / columns, place % columns))); });
}

/// A matrix product, and what its error depends on.
struct MatrixProduct {
  buffer<double, 2> values;
  buffer<double, 2> largest;    ///< of the magnitudes of an element's products and partial sums
  buffer<double, 2> magnitudes; ///< of an element's products, added up
  std::int64_t depth;

  /// An element that the tensor cores have summed, from operands of type Operand.
  template <class Operand, class Accumulator = float> Near<Accumulator> at(std::int64_t i, std::int64_t j) const {
    return {values(i, j), tensor_core_error<Operand, Accumulator>(depth, largest(i, j))};
  }
};

/// Of M x K and K x N.
inline MatrixProduct reference_of(const buffer<double, 2> &a, const buffer<double, 2> &b) {
  const shape<2> dims(a.dim(0), b.dim(1));
  const auto empty = [&] { return buffer<double, 2>::empty(dims); };
  MatrixProduct result{empty(), empty(), empty(), a.dim(1)};
  for (std::int64_t i = 0; i < dims[0]; ++i)
    for (std::int64_t j = 0; j < dims[1]; ++j) {
      double sum = 0, largest = 0, magnitudes = 0;
      for (std::int64_t k = 0; k < a.dim(1); ++k) {
        const double term = a(i, k) * b(k, j);
        sum += term;
        largest = std::max({largest, std::abs(term), std::abs(sum)});
        magnitudes += std::abs(term);
      }
      result.values(i, j) = sum;
      result.largest(i, j) = largest;
      result.magnitudes(i, j) = magnitudes;
    }
  return result;
}

/// Of operands of type Operand, as tensor cores sum them.
template <class Operand, class Result> void expect_product(const buffer<Result, 2> &o, const MatrixProduct &reference) {
  ASSERT_EQ(o.dims(), reference.values.dims());
  expect_agrees("product", o, [&](auto i) {
    const auto near = reference.at<Operand>(i[0], i[1]);
    return Near<Result>{near.value, near.error};
  });
}

/// What is rounded to the result's type once more.
template <class Result, class T> Near<Result> rounded(const Near<T> &x) {
  const double half = std::is_same_v<Result, T> ? 0 : std::ldexp(std::abs(x.value) + x.error, -digits<Result>());
  return {x.value, x.error + half};
}

/// The product of M x K and N x K integers, which no sum exceeds in Sum.
template <class Sum, class A, class B> buffer<Sum, 2> exact_product(const buffer<A, 2> &a, const buffer<B, 2> &b) {
  const auto as_sums = [](const auto &x) {
    return make<Sum, 2>(x.dims(), [&](std::int64_t i) { return static_cast<Sum>(static_cast<float>(x.data()[i])); });
  };
  const auto left = as_sums(a), right = as_sums(b);
  const std::int64_t depth = a.dim(1);
  return make<Sum, 2>({a.dim(0), b.dim(0)}, [&](std::int64_t place) {
    const Sum *row = left.data() + place / b.dim(0) * depth, *column = right.data() + place % b.dim(0) * depth;
    Sum sum = 0;
    for (std::int64_t k = 0; k < depth; ++k)
      sum += row[k] * column[k];
    return sum;
  });
}

} // namespace tegula::test
