// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../common/rows.h"
#include "choose.h"

namespace {

using sample::wide;
using tegula::buffer;

constexpr std::int64_t group = 128;

/// x (m, k) by weights (n, k), quantised by groups.
template <class T>
bool product(const char *name, std::int64_t m, std::int64_t n, std::int64_t k, sample::device where,
             sample::random &random) {
  const auto x = sample::random_array<T, 2>({m, k}, random);
  const auto scales = sample::random_array<T, 2>({(k + group - 1) / group, n}, random);
  auto w = buffer<tegula::s4, 2>::empty({n, k});
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < k; ++j)
      w(i, j) = tegula::s4(static_cast<int>(random.bits() % 16) - 8);
  const auto x_there = x.to(where), scales_there = scales.to(where);
  const auto w_there = w.to(where);
  auto o = buffer<T, 2>::empty({m, n}, where);
  const double seconds = sample::seconds(where, [&] { samples::int4_matmul<T>(x_there, w_there, scales_there, o); });
  const auto result = o.to_host();
  // All elements of a small result, some of a large one.
  const bool checks_all = m * n * k <= std::int64_t{1} << 22;
  const std::int64_t checks = checks_all ? m * n : 4096;
  sample::comparison compare;
  for (std::int64_t check = 0; check < checks; ++check) {
    const std::int64_t place =
        checks_all ? check : static_cast<std::int64_t>(random.bits() % static_cast<std::uint64_t>(m * n));
    const std::int64_t i = place / n, j = place % n;
    double sum = 0, magnitude = 0;
    for (std::int64_t p = 0; p < k; ++p) {
      const double weight = static_cast<double>(static_cast<int>(tegula::s4(w(j, p)))) * wide(scales(p / group, j));
      const double term = wide(x(i, p)) * wide(T(static_cast<float>(weight))); // Rounded as it is multiplied.
      sum += term;
      magnitude += std::abs(term);
    }
    compare(result(i, j), sum, sample::rounding<T> * std::abs(sum) + 1e-6 * magnitude);
  }
  return sample::report(std::string("int4_matmul, ") + name + ", of " + std::to_string(m) + " x " + std::to_string(n) +
                            " x " + std::to_string(k),
                        where, seconds, checks_all ? "every element against float64" : "4096 elements against float64",
                        compare.wrong, sample::flops(2 * m * n * k));
}

} // namespace

int main(int count, char **arguments) {
  return sample::run([&] {
    sample::random random(14);
    bool passed = true;
    const auto options = sample::parse(count, arguments, {"m", "n", "k"});
    for (const auto where : options.devices) {
      for (const auto &[m, n, k] : options.cases(
               {{1, 1, 1}, {16, 64, 128}, {7, 129, 127}, {300, 264, 352}, {129, 72, 1000}, {64, 512, 1024}})) {
        passed &= product<tegula::bf16>("bf16", m, n, k, where, random);
        passed &= product<tegula::f16>("f16", m, n, k, where, random);
      }
    }
    return passed;
  });
}
