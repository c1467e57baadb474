// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../common/sample.h"
#include "kernels.h"

namespace {

bool product(std::int64_t m, std::int64_t n, std::int64_t k, tegula::device where, sample::random &random) {
  auto x = tegula::buffer<float, 2>::empty({m, k}), y = tegula::buffer<float, 2>::empty({k, n});
  sample::fill(x, [&] { return random.number(); });
  sample::fill(y, [&] { return random.number(); });
  const auto x_there = x.to(where), y_there = y.to(where);
  tegula::buffer<float, 2> z;
  const double seconds = sample::seconds(where, [&] { z = matmul(x_there, y_there); });
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
      sum += static_cast<double>(x(i, p)) * static_cast<double>(y(p, j));
      magnitude += std::abs(static_cast<double>(x(i, p)) * static_cast<double>(y(p, j)));
    }
    // Rounding errors of additions add up; a NaN is wrong.
    wrong += std::abs(static_cast<double>(result(i, j)) - sum) <= 1e-6 * magnitude ? 0 : 1;
  }
  return sample::report("matmul of " + std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k), where,
                        seconds, checks_all ? "every element against float64" : "4096 elements against float64", wrong);
}

} // namespace

int main(int count, char **arguments) {
  return sample::run([&] {
    sample::random random(6);
    bool passed = true;
    for (const auto where : sample::parse(count, arguments).devices) {
      constexpr std::int64_t shapes[][3] = {
          {1, 1, 1}, {2, 129, 7}, {127, 33, 300}, {1023, 770, 517}, {1024, 1024, 1024}};
      for (const auto &[m, n, k] : shapes)
        passed &= product(m, n, k, where, random);
    }
    return passed;
  });
}
