// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "random.h"

#include "generators.h"
#include "support.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::f16;

namespace {

struct Key {
  std::uint32_t x, y;
};
Key fold_in(Key key, std::uint32_t number) {
  const auto words = threefry(0, number, key.x, key.y);
  return {words[0], words[1]};
}
Key key_of(std::uint64_t seed) { return {static_cast<std::uint32_t>(seed >> 32), static_cast<std::uint32_t>(seed)}; }

double mean_of(const std::vector<double> &values, int power) {
  double sum = 0;
  for (const double value : values)
    sum += std::pow(value, power);
  return sum / static_cast<double>(values.size());
}
template <class T, int Rank> std::vector<double> values_of(const buffer<T, Rank> &x) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < x.size(); ++i)
    values.push_back(static_cast<double>(wide(x.data()[i])));
  return values;
}

/// Moments within 5 standard errors, whose powers are below 100, and the share of large ones.
void expect_normal(const std::vector<double> &values) {
  const double error = 5 / std::sqrt(static_cast<double>(values.size()));
  EXPECT_NEAR(mean_of(values, 1), 0, error);
  EXPECT_NEAR(mean_of(values, 2), 1, 2 * error);
  EXPECT_NEAR(mean_of(values, 3), 0, 4 * error);
  EXPECT_NEAR(mean_of(values, 4), 3, 10 * error);
  const auto large = std::count_if(values.begin(), values.end(), [](double x) { return std::fabs(x) > 1.96; });
  EXPECT_NEAR(static_cast<double>(large) / static_cast<double>(values.size()), 0.05, error);
}

} // namespace

// Known answers of Random123's kat_vectors.
TEST(Random, KnownAnswers) {
  constexpr std::uint32_t ones = 0xffffffff;
  const std::uint32_t pi[] = {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0};
  const auto column = [](std::initializer_list<std::uint32_t> words) {
    const std::vector<std::uint32_t> all(words);
    return make<std::uint32_t, 2>({static_cast<std::int64_t>(all.size()), 1},
                                  [&](std::int64_t i) { return all[static_cast<std::size_t>(i)]; });
  };
  on_every_device([&](auto where) {
    const auto expect = [&](const buffer<std::uint32_t, 2> &words, std::vector<std::uint32_t> known) {
      expect_same("words", words, [&](auto i) { return known[static_cast<std::size_t>(i[0])]; });
    };
    expect(philox_words(column({0, 0, 0, 0}).to(where), 0, 0, {}), {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
    expect(philox_words(column({ones, ones, ones, ones}).to(where), ones, ones, {}),
           {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
    expect(philox_words(column({pi[0], pi[1], pi[2], pi[3]}).to(where), pi[4], pi[5], {}),
           {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
    expect(threefry_words(column({0, 0}).to(where), 0, 0, {}), {0x6b200159, 0x99ba4efe});
    expect(threefry_words(column({ones, ones}).to(where), ones, ones, {}), {0x1cb996fc, 0xbb002be7});
    expect(threefry_words(column({pi[0], pi[1]}).to(where), pi[2], pi[3], {}), {0xc4923a9c, 0x483df7a0});
  });
}

/// Bits, and what is made of them without rounding, are the same everywhere; counters of 64 bits count on.
TEST(Random, AsTriton) {
  for (const std::int64_t n : odd_sizes)
    for (const std::int64_t first : {std::int64_t{0}, (std::int64_t{1} << 32) - 100}) {
      const std::uint64_t seed = 0x123456789abcdef0;
      const auto word = [&](std::int64_t i, int word) {
        const auto offset = static_cast<std::uint64_t>(first + i);
        return philox({static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(offset >> 32), 0, 0},
                      static_cast<std::uint32_t>(seed),
                      static_cast<std::uint32_t>(seed >> 32))[static_cast<std::size_t>(word)];
      };
      const auto uniform = [&](std::int64_t i, int k) { return static_cast<float>(word(i, k) >> 8) * 0x1p-24F; };
      const auto normal = [&](std::int64_t i, int k) {
        const double radius = std::sqrt(-2 * std::log(1 - static_cast<double>(uniform(i, k & 2))));
        const double turn = static_cast<double>(uniform(i, k | 1)) * static_cast<double>(6.28318530717958647692F);
        return Near<float>{radius * (k % 2 == 0 ? std::cos(turn) : std::sin(turn)), 1e-5};
      };
      on_every_device([&](auto where) {
        const auto o = as_triton(seed, first, n, where, {});
        expect_same("randint", o.bits, [&](auto i) { return word(i[0], 0); });
        expect_same("rand", o.first_uniform, [&](auto i) { return uniform(i[0], 0); });
        expect_same("rand4x", o.uniform, [&](auto i) { return uniform(i[1], static_cast<int>(i[0])); });
        expect_agrees("randn", o.first_normal, [&](auto i) { return normal(i[0], 0); });
        expect_agrees("randn4x", o.normal, [&](auto i) { return normal(i[1], static_cast<int>(i[0])); });
      });
    }
}

TEST(Random, BitsOfKeys) {
  const std::uint64_t seed = 0xfedcba9876543210;
  const Key key = key_of(seed);
  for (const std::int64_t n : odd_sizes)
    for (const std::int64_t first : {std::int64_t{0}, (std::int64_t{3} << 32) - 7}) {
      const auto words = [&](std::int64_t i) {
        const auto counter = static_cast<std::uint64_t>(first + i);
        return threefry(static_cast<std::uint32_t>(counter >> 32), static_cast<std::uint32_t>(counter), key.x, key.y);
      };
      on_every_device([&](auto where) {
        expect_same("u8", random_bits_u8(seed, first, n, where, {}),
                    [&](auto i) { return static_cast<std::uint8_t>(words(i[0])[0] ^ words(i[0])[1]); });
        expect_same("u32", random_bits_u32(seed, first, n, where, {}),
                    [&](auto i) { return words(i[0])[0] ^ words(i[0])[1]; });
        expect_same("u64", random_bits_u64(seed, first, n, where, {}),
                    [&](auto i) { return std::uint64_t{words(i[0])[0]} << 32 | words(i[0])[1]; });
      });
    }
}

/// Uniform numbers of each type, exactly, and normal ones by their moments.
template <class T, class Entry> void check_as_jax(Entry entry) {
  const std::uint64_t seed = 42;
  const Key first = fold_in(key_of(seed), 0);
  const auto uniform = [&](std::int64_t i) {
    const auto words = threefry(0, static_cast<std::uint32_t>(i), first.x, first.y);
    if constexpr (std::is_same_v<T, double>)
      return (static_cast<double>(words[0] >> 5) * 0x1p26 + static_cast<double>(words[1] >> 6)) * 0x1p-53;
    else
      return std::ldexp(static_cast<double>((words[0] ^ words[1]) >> (32 - digits<T>())), -digits<T>());
  };
  for (const std::int64_t n : {1, 7, 129, 20000})
    on_every_device([&](auto where) {
      const auto o = entry(seed, n, where, {});
      expect_same("uniform", o.uniform, [&](auto i) { return static_cast<T>(uniform(i[0])); });
      const auto normal = values_of(o.normal.to_host());
      if (n == 20000) {
        expect_normal(normal);
        const auto values = values_of(o.uniform.to_host());
        EXPECT_NEAR(mean_of(values, 1), 0.5, 0.02);
        EXPECT_NEAR(mean_of(values, 2), 1.0 / 3, 0.02);
        EXPECT_TRUE(std::all_of(values.begin(), values.end(), [](double x) { return x >= 0 && x < 1; }));
      }
    });
}

TEST(Random, AsJax) {
  check_as_jax<f16>(as_jax_f16);
  check_as_jax<bf16>(as_jax_bf16);
  check_as_jax<float>(as_jax_f32);
  check_as_jax<double>(as_jax_f64);
}

TEST(Random, NormalOfPhilox) {
  on_every_device([&](auto where) { expect_normal(values_of(as_triton(7, 0, 20000, where, {}).normal.to_host())); });
}
