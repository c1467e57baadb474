// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../common/rows.h"
#include "kernels.h"

#include <array>

namespace {

using sample::wide;
using tegula::buffer;

/// Philox4x32-10 of a counter and a key of 64 bits.
std::array<std::uint32_t, 4> philox(std::uint64_t counter, std::uint64_t seed) {
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
  std::array<std::uint32_t, 4> c{low(counter), high(counter), 0, 0};
  std::uint32_t first = low(seed), second = high(seed);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xd2511f53} * c[0], b = std::uint64_t{0xcd9e8d57} * c[2];
    c = {high(b) ^ c[1] ^ first, low(b), high(a) ^ c[3] ^ second, low(a)};
    first += 0x9e3779b9;
    second += 0xbb67ae85;
  }
  return c;
}

bool is_kept(std::int64_t n, float p, std::uint64_t seed, std::uint64_t offset) {
  const auto place = static_cast<std::uint64_t>(n);
  const std::uint32_t bits = philox(offset + place / 4096 * 1024 + place % 1024, seed)[place / 1024 % 4];
  return static_cast<double>(bits) * 0x1p-32 >= wide(p);
}

template <class T>
bool check(std::int64_t size, float p, std::uint64_t offset, sample::device where, sample::random &random) {
  const auto x = sample::random_array<T, 1>({size}, random, 1, 3); // Never 0.
  const auto dy = sample::random_array<T, 1>({size}, random);
  const std::uint64_t seed = random.bits();
  const auto x_there = x.to(where), dy_there = dy.to(where);
  buffer<T, 1> y_there, dx_there;
  const double seconds = sample::seconds(where, [&] {
    y_there = dropout(x_there, p, seed, offset);
    dx_there = dropout(dy_there, p, seed, offset);
  });
  const auto y = y_there.to_host(), dx = dx_there.to_host();
  sample::comparison compare;
  std::int64_t kept = 0;
  const double scale = 1 / (1 - wide(p)), error = 1e-6 + sample::rounding<T>;
  for (std::int64_t n = 0; n < size; ++n) {
    const double factor = is_kept(n, p, seed, offset) ? scale : 0;
    kept += factor > 0;
    compare(y(n), wide(x(n)) * factor, error * std::abs(wide(x(n)) * factor));
    compare(dx(n), wide(dy(n)) * factor, error * std::abs(wide(dy(n)) * factor));
  }
  // Six standard deviations of so many independent draws.
  const double draws = static_cast<double>(size), expected = draws * (1 - wide(p));
  compare(static_cast<double>(kept), expected, 6 * std::sqrt(expected * wide(p)) + 1e-6 * draws);
  return sample::report("dropout of " + sample::shape_name<T>(1, size) + ", p = " + std::to_string(p), where, seconds,
                        "y, dx and how many are kept", compare.wrong, sample::bytes(x, y, dy, dx));
}

} // namespace

int main(int count, char **arguments) {
  return sample::run([&] {
    sample::random random(11);
    bool passed = true;
    const auto options = sample::parse(count, arguments, {"size"});
    for (const auto where : options.devices)
      for (const std::int64_t size : options.cases({1, 7, 1025, 4096, 12289, 1000003})) {
        passed &= check<float>(size, 0.1F, 0, where, random);
        // Counters that carry into their upper word.
        passed &= check<tegula::bf16>(size, 0.5F, 0xffffffffU, where, random);
        passed &= check<float>(size, 0, 1, where, random);
      }
    return passed;
  });
}
