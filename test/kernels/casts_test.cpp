// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "casts.h"

#include "support.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::e2m1;
using tegula::e4m3;
using tegula::e5m2;
using tegula::e8m0;
using tegula::f16;
using tegula::s4;
using tegula::u4;

namespace {

/// What the language says: to nearest even, and of 8 bits saturated; floats to integers truncate and saturate, NaN
/// gives 0; integers wrap.
template <class To, class From> To converted(From value) {
  if constexpr (std::is_same_v<To, From>)
    return value; // An infinity of e5m2, too, which others become the largest number from.
  else if constexpr (std::is_same_v<To, bool>)
    return wide(value) != 0;
  else if constexpr (is_integer4<To>) {
    if constexpr (!is_floating<From>)
      return To::from_bits(static_cast<std::uint8_t>(static_cast<std::uint64_t>(wide(value)) & 0xf));
    const double least = std::is_same_v<To, s4> ? -8 : 0, most = least + 15, x = static_cast<double>(wide(value));
    const double nearest = std::isnan(x) ? 0 : std::min(std::max(std::trunc(x), least), most);
    return To::from_bits(static_cast<std::uint8_t>(static_cast<int>(nearest) & 0xf));
  } else if constexpr (is_floating<To> || !is_floating<From>)
    return static_cast<To>(wide(value));
  else {
    using limits = std::numeric_limits<To>;
    const auto x = static_cast<double>(wide(value));
    if (std::isnan(x))
      return 0;
    // The ends of the range as doubles: the upper one is the least double that does not fit.
    const double below = static_cast<double>(limits::min()), above = std::ldexp(1.0, limits::digits);
    return x <= below ? limits::min() : x >= above ? limits::max() : static_cast<To>(x);
  }
}

/// All that a type of 8 bits has, or of 4.
template <class T> std::vector<T> all_of_8_bits() {
  std::vector<T> result;
  for (unsigned bits = 0; bits < 256; ++bits)
    result.push_back(T::from_bits(static_cast<std::uint8_t>(bits)));
  return result;
}

/// Adds what lies halfway between two neighbours of such a type, and a little beside it.
template <class Narrow, class T> void add_halfway(std::vector<T> &to) {
  for (unsigned bits = 0; bits < (tegula::is_packed<Narrow> ? 7 : 0x7e); ++bits) {
    const auto at = [](unsigned of) { return static_cast<double>(Narrow::from_bits(static_cast<std::uint8_t>(of))); };
    const double half = (at(bits) + at(bits + 1)) / 2, sign = bits % 3 == 0 ? -1 : 1;
    for (const double value : {half, half * (1 - 0x1p-20), half * (1 + 0x1p-20)})
      to.push_back(static_cast<T>(sign * value));
  }
}

/// Numbers around the ends of all integer ranges, on both sides, as far as T has them.
template <class T> std::vector<T> interesting() {
  if constexpr (is_stored_float<T> || is_integer4<T>)
    return all_of_8_bits<T>();
  auto result = special_values<T>();
  if constexpr (is_floating<T> && !is_stored_float<T>) {
    add_halfway<e4m3>(result);
    add_halfway<e5m2>(result);
    add_halfway<e8m0>(result);
    add_halfway<e2m1>(result);
  }
  if constexpr (is_floating<T>)
    for (const int exponent : {7, 8, 15, 16, 31, 32, 63, 64})
      for (const double offset : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
        result.push_back(static_cast<T>(std::ldexp(1.0, exponent) + offset));
        result.push_back(static_cast<T>(-std::ldexp(1.0, exponent) - offset));
      }
  else if constexpr (!std::is_same_v<T, bool>)
    for (unsigned bit = 0; bit < 8 * sizeof(T); ++bit) // halfway cases of every narrow float
      for (const int offset : {-1, 0, 1})
        result.push_back(static_cast<T>((std::uint64_t{0x101} << bit) + static_cast<std::uint64_t>(offset)));
  return result;
}

template <class From, class Entry> void check_casts(Entry entry) {
  const auto known = interesting<From>();
  auto sizes = odd_sizes;
  sizes.push_back(static_cast<std::int64_t>(known.size()) + 1);
  for (const auto n : sizes) {
    const auto host = make<From, 1>({n}, [&](std::int64_t i) {
      const auto place = static_cast<std::size_t>(i);
      return place < known.size() ? known[place] : random_value<From>();
    });
    on_every_device([&](auto where) {
      auto as_bool = poisoned<bool, 1>({n}, where);
      auto as_s8 = poisoned<std::int8_t, 1>({n}, where);
      auto as_s16 = poisoned<std::int16_t, 1>({n}, where);
      auto as_s32 = poisoned<std::int32_t, 1>({n}, where);
      auto as_s64 = poisoned<std::int64_t, 1>({n}, where);
      auto as_u8 = poisoned<std::uint8_t, 1>({n}, where);
      auto as_u16 = poisoned<std::uint16_t, 1>({n}, where);
      auto as_u32 = poisoned<std::uint32_t, 1>({n}, where);
      auto as_u64 = poisoned<std::uint64_t, 1>({n}, where);
      auto as_f16 = poisoned<f16, 1>({n}, where);
      auto as_bf16 = poisoned<bf16, 1>({n}, where);
      auto as_f32 = poisoned<float, 1>({n}, where);
      auto as_f64 = poisoned<double, 1>({n}, where);
      auto as_e4m3 = poisoned<e4m3, 1>({n}, where);
      auto as_e5m2 = poisoned<e5m2, 1>({n}, where);
      auto as_e8m0 = poisoned<e8m0, 1>({n}, where);
      auto as_s4 = poisoned<s4, 1>({n}, where);
      auto as_u4 = poisoned<u4, 1>({n}, where);
      auto as_e2m1 = poisoned<e2m1, 1>({n}, where);
      entry(host.to(where), as_bool, as_s8, as_s16, as_s32, as_s64, as_u8, as_u16, as_u32, as_u64, as_f16, as_bf16,
            as_f32, as_f64, as_e4m3, as_e5m2, as_e8m0, as_s4, as_u4, as_e2m1, {});
      const auto check = [&](const char *what, const auto &result) {
        using To = typename std::decay_t<decltype(result)>::element;
        expect_same(what, result, [&](auto i) { return converted<To>(static_cast<From>(host(i[0]))); });
      };
      check("to bool", as_bool);
      check("to s8", as_s8);
      check("to s16", as_s16);
      check("to s32", as_s32);
      check("to s64", as_s64);
      check("to u8", as_u8);
      check("to u16", as_u16);
      check("to u32", as_u32);
      check("to u64", as_u64);
      check("to f16", as_f16);
      check("to bf16", as_bf16);
      check("to f32", as_f32);
      check("to f64", as_f64);
      check("to e4m3", as_e4m3);
      check("to e5m2", as_e5m2);
      check("to e8m0", as_e8m0);
      check("to s4", as_s4);
      check("to u4", as_u4);
      check("to e2m1", as_e2m1);
    });
  }
}

} // namespace

TEST(Casts, FromBool) { check_casts<bool>(cast_bool); }
TEST(Casts, FromSigned) {
  check_casts<std::int8_t>(cast_s8);
  check_casts<std::int16_t>(cast_s16);
  check_casts<std::int32_t>(cast_s32);
  check_casts<std::int64_t>(cast_s64);
}
TEST(Casts, FromUnsigned) {
  check_casts<std::uint8_t>(cast_u8);
  check_casts<std::uint16_t>(cast_u16);
  check_casts<std::uint32_t>(cast_u32);
  check_casts<std::uint64_t>(cast_u64);
}
TEST(Casts, FromFloats) {
  check_casts<f16>(cast_f16);
  check_casts<bf16>(cast_bf16);
  check_casts<float>(cast_f32);
  check_casts<double>(cast_f64);
  check_casts<e4m3>(cast_e4m3);
  check_casts<e5m2>(cast_e5m2);
  check_casts<e8m0>(cast_e8m0);
}
TEST(Casts, FromFourBits) {
  check_casts<s4>(cast_s4);
  check_casts<u4>(cast_u4);
  check_casts<e2m1>(cast_e2m1);
}
