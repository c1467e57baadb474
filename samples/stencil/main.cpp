// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../common/rows.h"
#include "kernels.h"

namespace {

using sample::wide;

template <class T>
bool correlations(std::int64_t rows, std::int64_t columns, sample::device where, sample::random &random) {
  const auto x = sample::random_array<T, 2>({rows, columns}, random);
  const auto weights = sample::random_array<float, 2>({3, 3}, random);
  const auto there = x.to(where), weights_there = weights.to(where);
  tegula::buffer<T, 2> result;
  const double seconds = sample::seconds(where, [&] { result = correlate(there, weights_there); });
  const auto o = result.to_host();
  sample::comparison compare;
  for (std::int64_t i = 0; i + 2 < rows; ++i)
    for (std::int64_t j = 0; j + 2 < columns; ++j) {
      double sum = 0;
      for (std::int64_t k = 0; k < 9; ++k)
        sum += wide(weights(k / 3, k % 3)) * wide(x(i + k / 3, j + k % 3));
      compare(o(i, j), sum, 1e-5 + sample::rounding<T> * std::abs(sum));
    }
  return sample::report("correlation of " + sample::shape_name<T>(rows, columns), where, seconds, "every sum",
                        compare.wrong, sample::bytes(x, o));
}

bool steps(const tegula::shape<3> &dims, sample::device where, sample::random &random) {
  const auto u = sample::random_array<float, 3>(dims, random);
  const auto there = u.to(where);
  const float k = 0.1F;
  tegula::buffer<float, 3> result;
  const double seconds = sample::seconds(where, [&] { result = heat(there, k); });
  const auto o = result.to_host();
  sample::comparison compare;
  for (std::int64_t i = 1; i + 1 < dims[0]; ++i)
    for (std::int64_t j = 1; j + 1 < dims[1]; ++j)
      for (std::int64_t l = 1; l + 1 < dims[2]; ++l) {
        const double here = wide(u(i, j, l));
        const double around = wide(u(i - 1, j, l)) + wide(u(i + 1, j, l)) + wide(u(i, j - 1, l)) +
                              wide(u(i, j + 1, l)) + wide(u(i, j, l - 1)) + wide(u(i, j, l + 1));
        compare(o(i - 1, j - 1, l - 1), here + wide(k) * (around - 6 * here), 1e-6);
      }
  return sample::report("heat of " + std::to_string(dims[0]) + " x " + sample::shape_name<float>(dims[1], dims[2]),
                        where, seconds, "every element", compare.wrong, sample::bytes(u, o));
}

} // namespace

int main(int count, char **arguments) {
  return sample::run([&] {
    sample::random random(22);
    bool passed = true;
    const auto options = sample::parse(count, arguments, {"planes", "rows", "columns"});
    for (const auto where : options.devices) {
      constexpr std::int64_t shapes[][3] = {{1, 3, 3}, {1, 2, 9}, {1, 10, 258}, {1, 129, 1000}, {1, 1025, 1026}};
      for (const auto &[planes, rows, columns] : options.cases(shapes)) {
        passed &= correlations<float>(rows, columns, where, random);
        passed &= correlations<tegula::bf16>(rows, columns, where, random);
      }
      for (const auto &[planes, rows, columns] : options.cases({{3, 3, 3}, {34, 70, 130}}))
        passed &= steps({planes, rows, columns}, where, random);
    }
    return passed;
  });
}
