// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../common/rows.h"
#include "kernels.h"

#include <cstring>

namespace {

using sample::wide;
using tegula::bf16;
using tegula::buffer;

/// Of n numbers in f32, each of which may be rounded n times.
double error_of(std::int64_t n, double size) { return static_cast<double>(n) * 0x1p-24 * size; }

/// Whether a second call gives the same bits.
template <class T> bool is_repeated(const buffer<T, 1> &first, const buffer<T, 1> &second) {
  return first.size() == 0 ||
         std::memcmp(first.data(), second.data(), static_cast<std::size_t>(first.size()) * sizeof(T)) == 0;
}

/// Sums that wrap, exactly.
void compare_sums(const buffer<std::int32_t, 1> &x, const buffer<std::int32_t, 1> &o, sample::comparison &compare) {
  std::uint32_t sum = 0;
  for (std::int64_t i = 0; i < x.size(); ++i)
    compare.wrong += static_cast<std::uint32_t>(o(i)) == (sum += static_cast<std::uint32_t>(x(i))) ? 0 : 1;
}
template <class T> void compare_sums(const buffer<T, 1> &x, const buffer<T, 1> &o, sample::comparison &compare) {
  double sum = 0, magnitude = 0;
  for (std::int64_t i = 0; i < x.size(); ++i) {
    sum += wide(x(i));
    magnitude += std::abs(wide(x(i)));
    compare(o(i), sum, error_of(i + 1, magnitude) + sample::rounding<T> * std::abs(sum));
  }
}

template <class T, class Draw> bool sums(const char *type, std::int64_t size, sample::device where, Draw draw) {
  auto x = buffer<T, 1>::empty({size});
  sample::fill(x, [&] { return static_cast<T>(draw()); });
  const auto there = x.to(where);
  buffer<T, 1> result;
  const double seconds = sample::seconds(where, [&] { result = prefix_sums(there); });
  const auto o = result.to_host(), again = prefix_sums(there).to_host();
  sample::comparison compare;
  compare_sums(x, o, compare);
  compare.wrong += is_repeated(o, again) ? 0 : 1;
  return sample::report("prefix sums of " + std::to_string(size) + " " + type, where, seconds,
                        "every sum, and the same bits again", compare.wrong, sample::bytes(x, o));
}

template <class T>
bool recurrences(std::int64_t channels, std::int64_t steps, sample::device where, sample::random &random) {
  const auto a = sample::random_array<T, 2>({channels, steps}, random, 0.5F, 0.5F); // In [0, 1).
  const auto x = sample::random_array<T, 2>({channels, steps}, random);
  const auto a_there = a.to(where), x_there = x.to(where);
  buffer<T, 2> result;
  const double seconds = sample::seconds(where, [&] { result = recurrence(a_there, x_there); });
  const auto y = result.to_host();
  sample::comparison compare;
  for (std::int64_t c = 0; c < channels; ++c) {
    double state = 0, magnitude = 0;
    for (std::int64_t t = 0; t < steps; ++t) {
      state = wide(a(c, t)) * state + wide(x(c, t));
      magnitude = wide(a(c, t)) * magnitude + std::abs(wide(x(c, t)));
      // What is far back has decayed: a few hundred roundings are left.
      compare(y(c, t), state, error_of(500, magnitude + 1) + sample::rounding<T> * std::abs(state));
    }
  }
  return sample::report("recurrence of " + sample::shape_name<T>(channels, steps), where, seconds, "every state",
                        compare.wrong, sample::bytes(a, x, y));
}

} // namespace

int main(int count, char **arguments) {
  return sample::run([&] {
    sample::random random(12);
    bool passed = true;
    const auto number = [&] { return random.number(); };
    const auto bits = [&] { return random.bits(); };
    const auto options = sample::parse(count, arguments, {"channels", "steps"});
    for (const auto where : options.devices) {
      constexpr std::int64_t shapes[][2] = {{1, 0},    {1, 1},    {1, 7},      {1, 1000},
                                            {1, 8192}, {1, 8193}, {1, 100003}, {1, 5000000}};
      for (const auto &[rows, size] : options.cases(shapes)) {
        passed &= sums<std::int32_t>("s32", rows * size, where, bits);
        passed &= sums<float>("f32", rows * size, where, number);
      }
      for (const auto &[rows, size] : options.cases({{1, 70001}}))
        passed &= sums<bf16>("bf16", rows * size, where, number);
      for (const auto &[channels, steps] : options.cases({{5, 1}, {5, 127}, {5, 4096}, {5, 50001}}))
        passed &= recurrences<float>(channels, steps, where, random);
      for (const auto &[channels, steps] : options.cases({{33, 10000}}))
        passed &= recurrences<bf16>(channels, steps, where, random);
    }
    return passed;
  });
}
