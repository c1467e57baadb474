// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../common/rows.h"
#include "kernels.h"

namespace {

using sample::wide;
using tegula::buffer;

struct value_and_slope {
  double value, slope;
};
value_and_slope silu(double x) {
  const double open = 1 / (1 + std::exp(-x));
  return {x * open, open * (1 + x * (1 - open))};
}
value_and_slope gelu(double x) {
  constexpr double scale = 0.79788456080286535588, cubic = 0.044715;
  const double t = std::tanh(scale * (x + cubic * x * x * x));
  return {0.5 * x * (1 + t), 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * scale * (1 + 3 * cubic * x * x)};
}

template <class T> struct unit {
  const char *name;
  buffer<T, 2> (*forward)(const buffer<T, 3> &x);
  buffer<T, 3> (*backward)(const buffer<T, 2> &dy, const buffer<T, 3> &x);
  value_and_slope (*reference)(double x);
};

template <class T>
bool check(const unit<T> &unit, std::int64_t rows, std::int64_t columns, sample::device where, sample::random &random) {
  const auto x = sample::random_array<T, 3>({rows, 2, columns}, random, 6);
  const auto dy = sample::random_array<T, 2>({rows, columns}, random);
  const auto x_there = x.to(where);
  const auto dy_there = dy.to(where);
  buffer<T, 2> y_there;
  buffer<T, 3> dx_there;
  const double seconds = sample::seconds(where, [&] {
    y_there = unit.forward(x_there);
    dx_there = unit.backward(dy_there, x_there);
  });
  const auto y = y_there.to_host();
  const auto dx = dx_there.to_host();
  constexpr double error = sample::rounding<T> + 1e-5;
  sample::comparison compare;
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) {
      const double up = wide(x(i, 1, j)), d = wide(dy(i, j));
      const auto [value, slope] = unit.reference(wide(x(i, 0, j)));
      compare(y(i, j), value * up, error * std::abs(value * up));
      // A slope may be near 0, as a difference of two numbers near 1.
      compare(dx(i, 0, j), d * up * slope, error * std::abs(d * up * slope) + 1e-5 * std::abs(d * up));
      compare(dx(i, 1, j), d * value, error * std::abs(d * value));
    }
  return sample::report(unit.name + (" " + sample::shape_name<T>(rows, columns)), where, seconds,
                        "y and dx against float64", compare.wrong, sample::bytes(x, y, dy, x, dx));
}

template <class T>
bool check_all(std::int64_t rows, std::int64_t columns, sample::device where, sample::random &random) {
  const unit<T> units[] = {{"swiglu", [](const auto &x) { return swiglu(x); },
                            [](const auto &dy, const auto &x) { return swiglu_backward(dy, x); }, silu},
                           {"geglu", [](const auto &x) { return geglu(x); },
                            [](const auto &dy, const auto &x) { return geglu_backward(dy, x); }, gelu}};
  bool passed = true;
  for (const auto &unit : units)
    passed &= check(unit, rows, columns, where, random);
  return passed;
}

} // namespace

int main(int count, char **arguments) {
  return sample::run([&] {
    sample::random random(12);
    bool passed = true;
    const auto options = sample::parse(count, arguments, {"rows", "columns"});
    for (const auto where : options.devices) {
      constexpr std::int64_t shapes[][2] = {{1, 1}, {7, 127}, {130, 129}, {33, 1000}, {9, 4096}, {3, 20001}};
      for (const auto &[rows, columns] : options.cases(shapes)) {
        passed &= check_all<float>(rows, columns, where, random);
        passed &= check_all<tegula::bf16>(rows, columns, where, random);
      }
    }
    return passed;
  });
}
