// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../common/sample.h"
#include "kernels.h"

#include <complex>
#include <stdexcept>

namespace {

using tegula::array;
using tegula::buffer;
using number = std::complex<double>;

template <int Rank> buffer<float, Rank> random_array(const tegula::shape<Rank> &dims, sample::random &random) {
  auto x = buffer<float, Rank>::empty(dims);
  sample::fill(x, [&] { return random.number(); });
  return x;
}

/// Of numbers whose parts are neighbours.
number at(const float *x, std::int64_t i) { return {x[2 * i], x[2 * i + 1]}; }

bool is_near(number found, number expected, double tolerance) { return std::abs(found - expected) <= tolerance; }

bool check_multiply(std::int64_t n, sample::device where, sample::random &random) {
  const auto x = random_array<1>({2 * n}, random), y = random_array<1>({2 * n}, random);
  const auto x_there = x.to(where), y_there = y.to(where);
  buffer<float, 1> o;
  const double seconds = sample::seconds(where, [&] { o = multiply(x_there, y_there); });
  const auto result = o.to_host();
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < n; ++i)
    wrong += !is_near(at(result.data(), i), at(x.data(), i) * at(y.data(), i), 4e-7);
  return sample::report("products of " + std::to_string(n) + " complex numbers", where, seconds, "against float64",
                        wrong, sample::bytes(x, y, result));
}

/// Transforms of n numbers each, a power of two, side by side: x is (n, 2 * transforms).
buffer<float, 3> fft(const buffer<float, 2> &x) {
  std::int64_t half = x.dim(0) / 2, columns = x.dim(1);
  if (half < 1 || (half & (half - 1)) != 0 || x.dim(0) % 2 != 0)
    throw std::invalid_argument("a Fourier transform is of a power of two numbers, at least 2");
  auto result = fft_stage(array<const float, 3>(x.data(), {2, half, columns}, x.device()));
  while (half > 1) { // Twice as many transforms of half as many numbers.
    half /= 2, columns *= 2;
    result = fft_stage(array<const float, 3>(result.data(), {2, half, columns}, result.device()));
  }
  return result;
}

bool check_fft(std::int64_t n, std::int64_t transforms, sample::device where, sample::random &random) {
  const auto x = random_array<2>({n, 2 * transforms}, random);
  const auto x_there = x.to(where);
  buffer<float, 3> o;
  const double seconds = sample::seconds(where, [&] { o = fft(x_there); });
  const auto result = o.to_host();
  const auto stages = static_cast<int>(std::log2(n)); // each reads and writes all numbers
  constexpr double pi = 3.14159265358979323846;
  std::vector<number> roots;
  for (std::int64_t i = 0; i < n; ++i)
    roots.push_back(std::polar(1.0, -2 * pi * static_cast<double>(i) / static_cast<double>(n)));
  std::int64_t wrong = 0;
  for (std::int64_t k = 0; k < n; ++k)
    for (std::int64_t t = 0; t < transforms; ++t) {
      number sum = 0;
      for (std::int64_t i = 0; i < n; ++i)
        sum += at(x.data(), i * transforms + t) * roots[static_cast<std::size_t>(i * k % n)];
      // Rounding errors of log2(n) stages of sums that are sqrt(n) large.
      wrong += !is_near(at(result.data(), k * transforms + t), sum, 2e-6 * std::sqrt(static_cast<double>(n)));
    }
  return sample::report(std::to_string(transforms) + " Fourier transforms of " + std::to_string(n), where, seconds,
                        "against sums in float64", wrong, stages * sample::bytes(x, result));
}

} // namespace

int main(int count, char **arguments) {
  return sample::run([&] {
    sample::random random(11);
    bool passed = true;
    const auto options = sample::parse(count, arguments, {"numbers", "transforms"});
    for (const auto where : options.devices) {
      for (const auto &[n, times] : options.cases({{1, 1}, {7, 1}, {127, 1}, {129, 1}, {100003, 1}}))
        passed &= check_multiply(n * times, where, random);
      constexpr std::int64_t shapes[][2] = {{2, 1},  {2, 7},  {2, 65},  {8, 1},   {8, 7},   {8, 65},
                                            {64, 1}, {64, 7}, {64, 65}, {512, 1}, {512, 7}, {512, 65}};
      for (const auto &[n, transforms] : options.cases(shapes))
        passed &= check_fft(n, transforms, where, random);
    }
    return passed;
  });
}
