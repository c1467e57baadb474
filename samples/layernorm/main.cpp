// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../common/sample.h"
#include "kernels.h"

namespace {

constexpr float epsilon = 1e-5F;

template <class T> double wide(T value) { return static_cast<double>(static_cast<float>(value)); }

template <class T, class Entry>
bool layernorm(const char *name, Entry entry, std::int64_t rows, std::int64_t columns, double tolerance,
               tegula::device where, sample::random &random) {
  auto x = tegula::buffer<T, 2>::empty({rows, columns});
  auto weight = tegula::buffer<T, 1>::empty({columns}), bias = tegula::buffer<T, 1>::empty({columns});
  sample::fill(x, [&] { return static_cast<T>(3 * random.number() + 1); });
  sample::fill(weight, [&] { return static_cast<T>(random.number()); });
  sample::fill(bias, [&] { return static_cast<T>(random.number()); });
  const auto x_there = x.to(where), weight_there = weight.to(where), bias_there = bias.to(where);
  decltype(entry(x, weight, bias, epsilon, {})) result;
  const double seconds =
      sample::seconds(where, [&] { result = entry(x_there, weight_there, bias_there, epsilon, {}); });
  const auto y = result.y.to_host();
  const auto mean = result.mean.to_host(), rstd = result.rstd.to_host();
  std::int64_t wrong = 0;
  const auto check = [&](double value, double reference, double error) {
    wrong += std::abs(value - reference) <= error * (1 + std::abs(reference)) ? 0 : 1; // A NaN is wrong.
  };
  for (std::int64_t i = 0; i < rows; ++i) {
    double sum = 0, squares = 0;
    for (std::int64_t j = 0; j < columns; ++j)
      sum += wide(x(i, j));
    const double mu = sum / static_cast<double>(columns);
    for (std::int64_t j = 0; j < columns; ++j)
      squares += (wide(x(i, j)) - mu) * (wide(x(i, j)) - mu);
    const double r = 1 / std::sqrt(squares / static_cast<double>(columns) + static_cast<double>(epsilon));
    check(wide(mean(i)), mu, 1e-5);
    check(wide(rstd(i)), r, 1e-4);
    // The rounding of the mean counts r times.
    for (std::int64_t j = 0; j < columns; ++j)
      check(wide(y(i, j)), (wide(x(i, j)) - mu) * r * wide(weight(j)) + wide(bias(j)), tolerance + 1e-6 * r);
  }
  return sample::report(std::string(name) + " of " + std::to_string(rows) + " x " + std::to_string(columns), where,
                        seconds, "y, mean and rstd against float64", wrong);
}

} // namespace

int main(int count, char **arguments) {
  return sample::run([&] {
    sample::random random(8);
    bool passed = true;
    for (const auto where : sample::parse(count, arguments).devices) {
      constexpr std::int64_t shapes[][2] = {{3, 1}, {7, 127}, {130, 129}, {33, 4096}, {5, 70001}};
      for (const auto &[rows, columns] : shapes) {
        passed &= layernorm<float>("layernorm_f32", layernorm_f32, rows, columns, 1e-4, where, random);
        passed &= layernorm<tegula::bf16>("layernorm_bf16", layernorm_bf16, rows, columns, 0x1p-7, where, random);
      }
    }
    return passed;
  });
}
