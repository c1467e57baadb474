// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../common/sample.h"
#include "kernels.h"

namespace {

/// In IEEE arithmetic, or with tf32, of which y is N x K.
bool product(std::int64_t m, std::int64_t n, std::int64_t k, bool by_tf32, sample::device where,
             sample::random &random) {
  auto x = tegula::buffer<float, 2>::empty({m, k});
  auto y = by_tf32 ? tegula::buffer<float, 2>::empty({n, k}) : tegula::buffer<float, 2>::empty({k, n});
  sample::fill(x, [&] { return random.number(); });
  sample::fill(y, [&] { return random.number(); });
  const auto x_there = x.to(where), y_there = y.to(where);
  tegula::buffer<float, 2> z;
  const double seconds =
      sample::seconds(where, [&] { z = by_tf32 ? matmul_tf32(x_there, y_there) : matmul(x_there, y_there); });
  const auto result = z.to_host();
  std::int64_t wrong = 0;
  // All elements of a small result, some of a large one.
  const bool checks_all = m * n * k <= std::int64_t{1} << 22;
  const std::int64_t checks = checks_all ? m * n : 4096;
  for (std::int64_t check = 0; check < checks; ++check) {
    const std::int64_t place =
        checks_all ? check : static_cast<std::int64_t>(random.bits() % static_cast<std::uint64_t>(m * n));
    const std::int64_t i = place / n, j = place % n;
    double sum = 0, magnitude = 0;
    for (std::int64_t p = 0; p < k; ++p) {
      const double term = static_cast<double>(x(i, p)) * static_cast<double>(by_tf32 ? y(j, p) : y(p, j));
      sum += term;
      magnitude += std::abs(term);
    }
    // Rounding errors of additions add up, and tf32 has 10 bits after the point; a NaN is wrong.
    wrong += std::abs(static_cast<double>(result(i, j)) - sum) <= (by_tf32 ? 0x1p-9 : 1e-6) * magnitude ? 0 : 1;
  }
  return sample::report((by_tf32 ? "matmul by tf32 of " : "matmul of ") + std::to_string(m) + " x " +
                            std::to_string(n) + " x " + std::to_string(k),
                        where, seconds, checks_all ? "every element against float64" : "4096 elements against float64",
                        wrong, sample::flops(2 * m * n * k));
}

} // namespace

int main(int count, char **arguments) {
  return sample::run([&] {
    sample::random random(6);
    bool passed = true;
    const auto options = sample::parse(count, arguments, {"m", "n", "k"});
    for (const auto where : options.devices) {
      constexpr std::int64_t shapes[][3] = {
          {1, 1, 1}, {2, 129, 7}, {127, 33, 300}, {1023, 770, 517}, {1024, 1024, 1024}};
      for (const auto &[m, n, k] : options.cases(shapes))
        for (const bool by_tf32 : {false, true})
          passed &= product(m, n, k, by_tf32, where, random);
    }
    return passed;
  });
}
