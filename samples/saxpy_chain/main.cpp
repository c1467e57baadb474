// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../common/sample.h"
#include "kernels.h"

namespace {

constexpr float a = 0.75F, limit = 2.5F;

/// The kernel's function, in float64.
double expected(double x, double y) {
  const double z = static_cast<double>(a) * x + y, u = (z * x + y) * z;
  return z < 0 ? z : static_cast<double>(limit) * std::tanh(u / static_cast<double>(limit));
}

template <class T, class Entry>
bool chain(const char *name, Entry entry, std::int64_t rows, std::int64_t columns, double tolerance,
           sample::device where, sample::random &random) {
  auto x = tegula::buffer<T, 2>::empty({rows, columns}), y = tegula::buffer<T, 2>::empty({rows, columns});
  sample::fill(x, [&] { return static_cast<T>(4 * random.number()); });
  sample::fill(y, [&] { return static_cast<T>(4 * random.number()); });
  const auto x_there = x.to(where), y_there = y.to(where);
  tegula::buffer<T, 2> o;
  const double seconds = sample::seconds(where, [&] { o = entry(x_there, y_there, a, limit, {}); });
  const auto result = o.to_host();
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) {
      const double value = static_cast<double>(static_cast<float>(result(i, j)));
      const double reference =
          expected(static_cast<double>(static_cast<float>(x(i, j))), static_cast<double>(static_cast<float>(y(i, j))));
      // Not "error > tolerance": a NaN is wrong.
      wrong += std::abs(value - reference) <= tolerance * (1 + std::abs(reference)) ? 0 : 1;
    }
  // The first launch reads x and y and writes z in f32, the second reads all three and writes the result.
  const sample::work moved{static_cast<double>(x.size()) * (5.0 * sizeof(T) + 2.0 * sizeof(float))};
  return sample::report(std::string(name) + " of " + std::to_string(rows) + " x " + std::to_string(columns), where,
                        seconds, "every element against float64", wrong, moved);
}

} // namespace

int main(int count, char **arguments) {
  return sample::run([&] {
    sample::random random(3);
    bool passed = true;
    const auto options = sample::parse(count, arguments, {"rows", "columns"});
    for (const auto where : options.devices) {
      for (const auto &[rows, columns] : options.cases({{1, 1}, {7, 129}, {8, 256}, {9, 257}, {127, 1001}})) {
        passed &= chain<float>("saxpy_chain_f32", saxpy_chain_f32, rows, columns, 1e-5, where, random);
        passed &= chain<tegula::bf16>("saxpy_chain_bf16", saxpy_chain_bf16, rows, columns, 0x1p-8, where, random);
      }
    }
    return passed;
  });
}
