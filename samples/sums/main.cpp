// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../common/sample.h"
#include "kernels.h"

namespace {

/// How far an f32 sum may be from the exact one, given the sum of the magnitudes and how many there are.
double error(double magnitude, std::int64_t count) {
  return (1e-6 + 1e-8 * std::sqrt(static_cast<double>(count))) * magnitude;
}

bool sums(std::int64_t rows, std::int64_t columns, sample::device where, sample::random &random) {
  auto x = tegula::buffer<float, 2>::empty({rows, columns});
  sample::fill(x, [&] { return random.number() + 0.25F; });
  const auto there = x.to(where);
  tegula::buffer<float, 1> of_rows, of_columns;
  const double seconds = sample::seconds(where, [&] {
    of_rows = sums_of_rows(there);
    of_columns = sums_of_columns(there);
  });
  std::vector<double> sum(static_cast<std::size_t>(columns)), magnitude(static_cast<std::size_t>(columns));
  std::int64_t wrong = 0;
  const auto row_sums = of_rows.to_host(), column_sums = of_columns.to_host();
  for (std::int64_t i = 0; i < rows; ++i) {
    double row = 0, size = 0;
    for (std::int64_t j = 0; j < columns; ++j) {
      const double value = static_cast<double>(x(i, j));
      row += value;
      size += std::abs(value);
      sum[static_cast<std::size_t>(j)] += value;
      magnitude[static_cast<std::size_t>(j)] += std::abs(value);
    }
    wrong += std::abs(static_cast<double>(row_sums(i)) - row) <= error(size, columns) ? 0 : 1; // A NaN is wrong.
  }
  for (std::int64_t j = 0; j < columns; ++j) {
    const auto place = static_cast<std::size_t>(j);
    wrong += std::abs(static_cast<double>(column_sums(j)) - sum[place]) <= error(magnitude[place], rows) ? 0 : 1;
  }
  return sample::report("sums of rows and columns of " + std::to_string(rows) + " x " + std::to_string(columns), where,
                        seconds, "every sum against float64", wrong, sample::bytes(x, x));
}

bool sum(std::int64_t n, sample::device where, sample::random &random) {
  auto x = tegula::buffer<float, 1>::empty({n});
  sample::fill(x, [&] { return random.number() + 0.25F; });
  const auto there = x.to(where);
  tegula::buffer<float, 0> o;
  const double seconds = sample::seconds(where, [&] { o = sum_of_all(there); });
  double reference = 0, magnitude = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    reference += static_cast<double>(x(i));
    magnitude += std::abs(static_cast<double>(x(i)));
  }
  const double result = static_cast<double>(o.to_host()());
  return sample::report("sum of " + std::to_string(n), where, seconds, "against float64",
                        std::abs(result - reference) <= error(magnitude, n) ? 0 : 1, sample::bytes(x));
}

} // namespace

int main(int count, char **arguments) {
  return sample::run([&] {
    const auto options = sample::parse(count, arguments, {"rows", "columns"});
    sample::random random(9);
    bool passed = true;
    for (const auto where : options.devices) {
      constexpr std::int64_t shapes[][2] = {{0, 3}, {3, 0}, {1, 1}, {7, 129}, {1000, 1023}, {3, 70001}, {70001, 3}};
      for (const auto &[rows, columns] : options.cases(shapes))
        passed &= sums(rows, columns, where, random);
      for (const auto &[rows, columns] : options.cases({{1, 0}, {1, 1}, {1, 1000}, {1, 10000019}}))
        passed &= sum(rows * columns, where, random);
      if (options.huge && where.is_gpu())
        passed &= sum((std::int64_t{1} << 31) + 3, where, random);
    }
    return passed;
  });
}
