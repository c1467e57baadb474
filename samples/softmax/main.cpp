// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../common/sample.h"
#include "kernels.h"

#include <algorithm>

namespace {

template <class T> double wide(T value) { return static_cast<double>(static_cast<float>(value)); }

template <class T, class Entry>
bool softmax(const char *name, Entry entry, std::int64_t rows, std::int64_t columns, double tolerance,
             sample::device where, sample::random &random) {
  auto x = tegula::buffer<T, 2>::empty({rows, columns});
  sample::fill(x, [&] { return static_cast<T>(8 * random.number()); });
  const auto x_there = x.to(where);
  tegula::buffer<T, 2> o;
  const double seconds = sample::seconds(where, [&] { o = entry(x_there, {}); });
  const auto result = o.to_host();
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    double greatest = wide(x(i, 0)), total = 0;
    for (std::int64_t j = 1; j < columns; ++j)
      greatest = std::max(greatest, wide(x(i, j)));
    for (std::int64_t j = 0; j < columns; ++j)
      total += std::exp(wide(x(i, j)) - greatest);
    for (std::int64_t j = 0; j < columns; ++j) {
      const double reference = std::exp(wide(x(i, j)) - greatest) / total;
      wrong += std::abs(wide(result(i, j)) - reference) <= tolerance * reference ? 0 : 1; // A NaN is wrong.
    }
  }
  return sample::report(std::string(name) + " of " + std::to_string(rows) + " x " + std::to_string(columns), where,
                        seconds, "every element against float64", wrong, sample::bytes(x, result));
}

} // namespace

int main(int count, char **arguments) {
  return sample::run([&] {
    sample::random random(7);
    bool passed = true;
    const auto options = sample::parse(count, arguments, {"rows", "columns"});
    for (const auto where : options.devices) {
      constexpr std::int64_t shapes[][2] = {{5, 1},     {7, 7},     {130, 129}, {33, 1000}, {3, 8193},
                                            {9, 16384}, {5, 20001}, {2, 65536}, {2, 70001}, {1, 1000000}};
      for (const auto &[rows, columns] : options.cases(shapes)) {
        passed &= softmax<float>("softmax_f32", softmax_f32, rows, columns, 1e-5, where, random);
        passed &= softmax<tegula::bf16>("softmax_bf16", softmax_bf16, rows, columns, 0x1p-8, where, random);
      }
    }
    return passed;
  });
}
