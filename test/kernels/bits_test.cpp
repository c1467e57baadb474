// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bits.h"

#include "support.h"

#include <bitset>

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::e4m3;
using tegula::e5m2;
using tegula::f16;

namespace {

template <class T> int leading_zeros(T x) {
  int count = 0;
  for (int i = 8 * static_cast<int>(sizeof(T)) - 1; i >= 0 && (static_cast<std::uint64_t>(x) >> i & 1) == 0; --i)
    ++count;
  return count;
}
template <class T> T reversed(T x) {
  std::uint64_t result = 0;
  for (std::size_t i = 0; i < 8 * sizeof(T); ++i)
    result = result << 1 | (static_cast<std::uint64_t>(x) >> i & 1);
  return static_cast<T>(result);
}
template <class T> T nearest(__int128 value) {
  using limits = std::numeric_limits<T>;
  return value > limits::max() ? limits::max() : value < limits::min() ? limits::min() : static_cast<T>(value);
}
template <class T> T upper_product(T a, T b) {
  using wide_t = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  return static_cast<T>(static_cast<wide_t>(a) * static_cast<wide_t>(b) >> (8 * sizeof(T)));
}

template <class T, class Entry> void check_bits(Entry entry) {
  for (const auto n : odd_sizes) {
    auto x = buffer<T, 1>::empty({n}), y = buffer<T, 1>::empty({n});
    fill_with_pairs(x, y);
    on_every_device([&](auto where) {
      const auto o = entry(x.to(where), y.to(where), {});
      const auto of = [&](auto f) { return [&, f](auto i) { return static_cast<T>(f(x(i[0]), y(i[0]))); }; };
      const auto unsigned_bits = [](T a) {
        return static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<T>>(a));
      };
      expect_same("clz", o.leading, of([](T a, T) { return leading_zeros(a); }));
      expect_same("ctz", o.trailing, of([](T a, T) { return leading_zeros(reversed(a)); }));
      expect_same("popcount", o.ones, of([=](T a, T) { return std::bitset<64>(unsigned_bits(a)).count(); }));
      expect_same("bit_reverse", o.reversed, of([](T a, T) { return reversed(a); }));
      expect_same("mul_hi", o.product, of(upper_product<T>));
      expect_same("add_sat", o.sum, of([](T a, T b) { return nearest<T>(static_cast<__int128>(a) + b); }));
      expect_same("sub_sat", o.difference, of([](T a, T b) { return nearest<T>(static_cast<__int128>(a) - b); }));
    });
  }
}

template <class Word, class T, class Entry> void check_changed(Entry entry) {
  for (const auto n : odd_sizes) {
    const auto x = make<T, 1>({n}, [](std::int64_t) {
      const auto bits = static_cast<Word>(generator()());
      T value;
      std::memcpy(&value, &bits, sizeof value);
      return value;
    });
    on_every_device([&](auto where) {
      const auto o = entry(x.to(where), {}).to_host();
      for (std::int64_t i = 0; i < n; ++i) {
        Word before, after;
        std::memcpy(&before, &x.data()[i], sizeof before);
        std::memcpy(&after, &o.data()[i], sizeof after);
        if (std::isnan(wide(x.data()[i]))) // Which bits say so is the target's affair.
          continue;
        ASSERT_EQ(after, static_cast<Word>((before & static_cast<Word>(~Word{0}) >> 1) | 1)) << before;
      }
    });
  }
}

/// The two neighbours of x, of which a lower share of all random bits leads to the nearer one towards zero.
template <class T, class Entry> void check_rounded_by(Entry entry) {
  constexpr int cut = std::is_same_v<T, f16> ? 13 : std::is_same_v<T, bf16> ? 16 : std::is_same_v<T, e4m3> ? 20 : 21;
  const float least = std::is_same_v<T, e4m3> ? 0x1p-6F : std::is_same_v<T, bf16> ? 0.0F : 0x1p-14F;
  for (const auto n : odd_sizes) {
    const auto x = make<float, 1>({n}, [&](std::int64_t i) {
      const float inf = std::numeric_limits<float>::infinity();
      const float special[] = {0.0F, -0.0F, inf, -inf, std::numeric_limits<float>::quiet_NaN(), 1.0F, 1e30F};
      const auto magnitude = std::uniform_real_distribution<float>(-2, 2)(generator());
      return i < 7 ? special[i] : std::ldexp(magnitude, static_cast<int>(generator()() % 32) - 18);
    });
    const auto bits = make<std::uint32_t, 1>({n}, [](std::int64_t i) {
      return i % 5 == 0 ? 0 : i % 5 == 1 ? ~std::uint32_t{0} : static_cast<std::uint32_t>(generator()());
    });
    on_every_device([&](auto where) {
      expect_same("astype", entry(x.to(where), bits.to(where), {}), [&](auto i) {
        const float value = x(i[0]), magnitude = std::fabs(value);
        T low(value);
        const auto nearest_one = static_cast<float>(low);
        if (!std::isfinite(value) || nearest_one == value || magnitude > (std::is_same_v<T, e4m3> ? 448.0F : 57344.0F))
          return low;
        if (std::fabs(nearest_one) > magnitude)
          --low.bits;
        T high = low;
        ++high.bits;
        const auto below = std::fabs(static_cast<double>(static_cast<float>(low))),
                   above = std::fabs(static_cast<double>(static_cast<float>(high)));
        const int counted = magnitude < least ? 24 : cut;
        const double share = std::ldexp(static_cast<double>(bits(i[0]) & ((1U << counted) - 1)), -counted);
        return (static_cast<double>(magnitude) - below) / (above - below) + share >= 1 ? high : low;
      });
    });
  }
}

} // namespace

TEST(Bits, OfIntegers) {
  check_bits<std::int8_t>(bits_s8);
  check_bits<std::int16_t>(bits_s16);
  check_bits<std::int32_t>(bits_s32);
  check_bits<std::int64_t>(bits_s64);
  check_bits<std::uint8_t>(bits_u8);
  check_bits<std::uint16_t>(bits_u16);
  check_bits<std::uint32_t>(bits_u32);
  check_bits<std::uint64_t>(bits_u64);
}

TEST(Bits, OfScalars) {
  const auto x = make<std::uint32_t, 1>(
      {129}, [](std::int64_t i) { return static_cast<std::uint32_t>(i < 9 ? i : generator()() >> (i % 33 + 31)); });
  on_every_device([&](auto where) {
    expect_same("of scalars", bits_of_scalars(x.to(where), {}), [&](auto i) {
      const std::uint32_t value = x(i[1]);
      switch (i[0]) {
      case 0:
        return static_cast<std::uint32_t>(leading_zeros(value)) +
               100 * static_cast<std::uint32_t>(std::bitset<32>(value).count());
      case 1:
        return upper_product(value, std::uint32_t{0x9e3779b9U});
      case 2:
        return value < 7 ? 7 - value : 0;
      case 3:
        return value;
      default:
        return std::uint32_t{0x3fc00000};
      }
    });
  });
}

TEST(Bits, OfOtherNumbers) {
  check_changed<std::uint8_t, e4m3>(changed_bits_e4m3);
  check_changed<std::uint8_t, std::int8_t>(changed_bits_s8);
  check_changed<std::uint16_t, f16>(changed_bits_f16);
  check_changed<std::uint16_t, bf16>(changed_bits_bf16);
  check_changed<std::uint32_t, float>(changed_bits_f32);
  check_changed<std::uint64_t, double>(changed_bits_f64);
}

TEST(Bits, StochasticRounding) {
  check_rounded_by<f16>(rounded_by_f16);
  check_rounded_by<bf16>(rounded_by_bf16);
  check_rounded_by<e4m3>(rounded_by_e4m3);
  check_rounded_by<e5m2>(rounded_by_e5m2);
}
