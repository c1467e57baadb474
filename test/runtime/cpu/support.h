// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For kernels of the explicit level that are written by hand, as the compiler prints them.
#pragma once

#include "tegula/cpu/explicit.h"
#include "tegula/cpu/explicit/observer.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace explicit_level {

using tegula::bf16;
using tegula::cpu::launch;
using tegula::cpu::ref;
using tegula::cpu::residency;
using tegula::cpu::site;
using tegula::cpu::thread;
using tegula::cpu::window;

/// A line of the kernel.
constexpr site at(int line) { return {"kernel.cpp", line, 3}; }

constexpr std::uint64_t seed_count = 40;

/// Calls `test` under every seed.
template <class Test> void under_all_seeds(Test test) {
  for (std::uint64_t seed = 0; seed < seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    tegula::cpu::set_seed(seed);
    test();
  }
  tegula::cpu::set_seed(0);
}

/// Under how many seeds `test` says true.
template <class Test> int count_seeds(Test test) {
  int count = 0;
  under_all_seeds([&] { count += test(); });
  return count;
}

/// The message of the error that a launch ends with; empty if there is none.
template <class Program> std::string error_of(const launch &shape, Program program) {
  try {
    shape.run(program);
  } catch (const tegula::error &problem) {
    return problem.what();
  }
  return "";
}

/// A dense matrix on the heap.
template <class T> struct matrix {
  std::int64_t rows, columns;
  std::vector<T> values;

  matrix(std::int64_t row_count, std::int64_t column_count, T value = T())
      : rows(row_count), columns(column_count), values(static_cast<std::size_t>(row_count * column_count), value) {}
  ref<T, 2> view() { return {values.data(), {rows, columns}, {columns, 1}}; }
  T at(std::int64_t i, std::int64_t j) const { return values[static_cast<std::size_t>(i * columns + j)]; }
};

template <class T> matrix<T> random_matrix(std::int64_t rows, std::int64_t columns, unsigned seed) {
  matrix<T> result(rows, columns);
  std::mt19937 engine(seed);
  std::normal_distribution<float> normal;
  for (T &value : result.values)
    value = T(normal(engine));
  return result;
}

/// a @ b in double, and the sums of the sizes of the terms.
struct exact_product {
  matrix<double> values, sizes;

  template <class T>
  exact_product(const matrix<T> &a, const matrix<T> &b) : values(a.rows, b.columns), sizes(a.rows, b.columns) {
    for (std::int64_t i = 0; i < a.rows; ++i)
      for (std::int64_t j = 0; j < b.columns; ++j)
        for (std::int64_t k = 0; k < a.columns; ++k) {
          const double term = static_cast<double>(a.at(i, k)) * static_cast<double>(b.at(k, j));
          values.view()(i, j) += term;
          sizes.view()(i, j) += std::abs(term);
        }
  }

  /// The largest difference, relative to the sizes; NaN if there is any.
  double error_of(const matrix<float> &c) const {
    double worst = 0;
    for (std::size_t i = 0; i < values.values.size(); ++i) {
      const double difference = std::abs(static_cast<double>(c.values[i]) - values.values[i]) / sizes.values[i];
      if (!(difference <= worst))
        worst = difference;
    }
    return worst;
  }
};

} // namespace explicit_level
