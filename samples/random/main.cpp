// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../common/rows.h"
#include "kernels.h"

#include <cmath>
#include <cstring>

namespace {

using tegula::buffer;

/// The mean and the variance of numbers, within six standard deviations of what they should be.
bool is_distributed(const buffer<float, 1> &x, double mean, double variance, double fourth) {
  const double n = static_cast<double>(x.size());
  double sum = 0, squares = 0;
  for (std::int64_t i = 0; i < x.size(); ++i) {
    const double distance = sample::wide(x(i)) - mean;
    sum += distance;
    squares += distance * distance;
  }
  return std::abs(sum / n) <= 6 * std::sqrt(variance / n) &&
         std::abs(squares / n - variance) <= 6 * std::sqrt((fourth - variance * variance) / n);
}

/// Whether what a call on `where` made is what a CPU makes: the same bits, or numbers that differ by roundings.
template <class T> std::int64_t differences(const buffer<T, 1> &x, const buffer<T, 1> &on_cpu, double tolerance) {
  std::int64_t count = x.size() == on_cpu.size() ? 0 : 1;
  for (std::int64_t i = 0; i < x.size(); ++i)
    count += static_cast<double>(x(i)) - static_cast<double>(on_cpu(i)) <= tolerance &&
                     static_cast<double>(on_cpu(i)) - static_cast<double>(x(i)) <= tolerance
                 ? 0
                 : 1;
  return count;
}

template <class T, class Generate>
bool check(const char *what, Generate generate, std::int64_t size, sample::device where, double tolerance,
           double mean = 0, double variance = 0, double fourth = 0) {
  const std::uint64_t seed = 0x123456789abcdefULL;
  buffer<T, 1> there;
  const double seconds = sample::seconds(where, [&] { there = generate(seed, size, where); });
  const auto x = there.to_host();
  std::int64_t wrong = differences(x, generate(seed, size, tegula::device::cpu()), tolerance);
  if constexpr (std::is_same_v<T, float>)
    wrong += is_distributed(x, mean, variance, fourth) ? 0 : 1;
  return sample::report(std::to_string(size) + what, where, seconds, "every number, as on a CPU, mean and variance",
                        wrong, sample::bytes(x));
}

} // namespace

int main(int count, char **arguments) {
  return sample::run([&] {
    bool passed = true;
    const auto on = [](auto entry) {
      return [=](std::uint64_t seed, std::int64_t size, tegula::device where) { return entry(seed, size, where); };
    };
    const auto options = sample::parse(count, arguments, {"size"});
    for (const auto where : options.devices)
      for (const std::int64_t size : options.cases({1, 7, 1025, 4096, 12289, 1000003})) {
        const auto bits = on([](auto... of) { return random_bits(of...); });
        passed &= check<std::uint32_t>(" random bits", bits, size, where, 0);
        passed &= check<float>(" uniform numbers", on([](auto... of) { return uniform(of...); }), size, where, 0, 0.5,
                               1.0 / 12, 1.0 / 80);
        passed &=
            check<float>(" normal numbers", on([](auto... of) { return normal(of...); }), size, where, 1e-5, 0, 1, 3);
      }
    return passed;
  });
}
