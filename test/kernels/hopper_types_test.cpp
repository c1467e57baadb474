// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hopper_types.h"

#include "hopper.h"
#include "matrices.h"

#include <tegula/cpu/matrix.h>

using namespace tegula::test;
using tegula::buffer;
using tegula::e4m3;
using tegula::e5m2;
using tegula::f16;

namespace {

template <class A, class B, class Sum>
using product_entry = void (*)(const tegula::array<const A, 2> &, const tegula::array<const B, 2> &,
                               const tegula::array<const Sum, 2> &, const tegula::array<Sum, 2> &,
                               const tegula::stream &);

/// Of floats, as the unit reads them: c + a b^T of m x k and n x k.
template <class A, class B, class Sum>
void check_floats(product_entry<A, B, Sum> entry, std::int64_t m, std::int64_t n, std::int64_t k) {
  SCOPED_TRACE("product of " + to_string(tegula::shape<3>(m, n, k)));
  const auto a = matrix<A>(m, k);
  const auto b = matrix<B>(n, k);
  const auto c = matrix<Sum>(m, n);
  const auto read = [](auto value) {
    const float wide = static_cast<float>(value);
    return static_cast<double>(sizeof(A) == 4 ? tegula::cpu::as_tf32(wide) : wide);
  };
  const auto ab = reference_of(make<double, 2>({m, k}, [&](std::int64_t i) { return read(a.data()[i]); }),
                               make<double, 2>({k, n}, [&](std::int64_t i) { return read(b(i % n, i / n)); }));
  everywhere([&](auto where) {
    auto o = poisoned<Sum, 2>({m, n}, where);
    entry(a.to(where), b.to(where), c.to(where), o, {});
    expect_agrees("c + a b", o, [&](auto i) { // c is one term more
      const double first = wide(c(i[0], i[1]));
      return Near<Sum>{first + ab.values(i[0], i[1]),
                       tensor_core_error<A, Sum>(k + 1, std::abs(first) + ab.largest(i[0], i[1]))};
    });
  });
}

template <class A, class B>
void check_integers(product_entry<A, B, std::int32_t> entry, std::int64_t m, std::int64_t n, std::int64_t k) {
  SCOPED_TRACE("product of " + to_string(tegula::shape<3>(m, n, k)));
  const auto a = matrix<A>(m, k);
  const auto b = matrix<B>(n, k);
  const auto c = matrix<std::int32_t>(m, n); // of all sizes: sums wrap
  everywhere([&](auto where) {
    auto o = poisoned<std::int32_t, 2>({m, n}, where);
    entry(a.to(where), b.to(where), c.to(where), o, {});
    expect_same("c + a b", o, [&](auto i) {
      std::int64_t sum = c(i[0], i[1]);
      for (std::int64_t l = 0; l < k; ++l)
        sum += std::int64_t{a(i[0], l)} * b(i[1], l);
      return static_cast<std::int32_t>(sum);
    });
  });
}

} // namespace

TEST(HopperTypes, EightBitFloats) {
  check_floats<e4m3, e4m3, float>(e4m3_e4m3_f32, 64, 64, 32);
  check_floats<e4m3, e5m2, float>(e4m3_e5m2_f32, 128, 24, 256);
  check_floats<e5m2, e4m3, float>(e5m2_e4m3_f32, 64, 8, 96);
  check_floats<e5m2, e5m2, float>(e5m2_e5m2_f32, 64, 104, 64);
}

TEST(HopperTypes, EightBitFloatsInF16) {
  check_floats<e4m3, e4m3, f16>(e4m3_e4m3_f16, 64, 40, 128);
  check_floats<e4m3, e5m2, f16>(e4m3_e5m2_f16, 64, 16, 32);
  check_floats<e5m2, e4m3, f16>(e5m2_e4m3_f16, 128, 96, 64);
  check_floats<e5m2, e5m2, f16>(e5m2_e5m2_f16, 64, 8, 32);
}

TEST(HopperTypes, Integers) {
  check_integers<std::int8_t, std::int8_t>(s8_s8, 64, 8, 64);
  check_integers<std::int8_t, std::uint8_t>(s8_u8, 128, 24, 32);
  check_integers<std::uint8_t, std::int8_t>(u8_s8, 64, 256, 128);
  check_integers<std::uint8_t, std::uint8_t>(u8_u8, 64, 48, 352);
}

TEST(HopperTypes, Tf32) {
  check_floats<float, float, float>(tf32_64_8_8, 64, 8, 8);
  check_floats<float, float, float>(tf32_128_104_64, 128, 104, 64);
  check_floats<float, float, float>(tf32_64_256_16, 64, 256, 16);
}

/// The unit does not read the lower 13 bits of a float, not even those of a NaN: whatever they are, sums are the same.
TEST(HopperTypes, Tf32ReadsTheUpperBits) {
  auto a = matrix<float>(64, 8), b = matrix<float>(8, 8);
  const auto c = matrix<float>(64, 8);
  const auto from_bits = [](std::uint32_t bits) { return tegula::detail::bit_cast<float>(bits); };
  a(1, 0) = from_bits(0x7f800001U); // NaN, and infinity without the lower bits
  a(2, 3) = from_bits(0x00001fffU); // subnormal, and zero
  a(3, 3) = std::numeric_limits<float>::quiet_NaN();
  a(4, 4) = std::numeric_limits<float>::infinity();
  b(5, 5) = from_bits(0xff801234U);
  const auto upper = [&](const buffer<float, 2> &x) {
    return make<float, 2>(x.dims(), [&](std::int64_t i) { return tegula::cpu::as_tf32(x.data()[i]); });
  };
  const auto cut_a = upper(a), cut_b = upper(b);
  everywhere([&](auto where) {
    auto whole = poisoned<float, 2>({64, 8}, where), cut = poisoned<float, 2>({64, 8}, where);
    tf32_64_8_8(a.to(where), b.to(where), c.to(where), whole);
    tf32_64_8_8(cut_a.to(where), cut_b.to(where), c.to(where), cut);
    const auto expected = cut.to_host();
    expect_same("sums", whole, [&](auto i) { return expected(i[0], i[1]); });
    EXPECT_TRUE(std::isinf(whole.to_host()(1, 2)));
    EXPECT_TRUE(std::isnan(whole.to_host()(3, 2)));
  });
}

TEST(HopperTypes, StepsOfS8) {
  for (const std::int64_t steps : {0, 1, 3}) {
    const auto a = matrix<std::int8_t>(64, 192);
    const auto b = matrix<std::uint8_t>(64, 192);
    everywhere([&](auto where) {
      auto o = poisoned<std::int32_t, 2>({64, 64}, where);
      steps_of_s8(a.to(where), b.to(where), o, steps);
      expect_same("2 a b - 1", o, [&](auto i) {
        std::int32_t sum = 0;
        for (std::int64_t l = 0; l < steps * 64; ++l)
          sum += a(i[0], l) * b(i[1], l);
        return 2 * sum - 1;
      });
    });
  }
}

namespace {

/// An entry with a left factor in registers gives its sum twice.
template <class A, class B, class Sum>
using held_entry = void (*)(const tegula::array<const A, 2> &, const tegula::array<const B, 2> &,
                            const tegula::array<const Sum, 2> &, const tegula::array<Sum, 2> &,
                            const tegula::array<Sum, 2> &, const tegula::stream &);

/// The same as of factors that are both in shared memory: bit by bit, on each device.
template <class A, class B, class Sum>
void check_held(held_entry<A, B, Sum> entry, std::int64_t m, std::int64_t n, std::int64_t k) {
  SCOPED_TRACE("product of " + to_string(tegula::shape<3>(m, n, k)));
  const auto a = matrix<A>(m, k);
  const auto b = matrix<B>(n, k);
  const auto c = matrix<Sum>(m, n);
  const auto read = [](auto value) {
    if constexpr (std::is_integral_v<decltype(value)>)
      return static_cast<double>(value);
    else if constexpr (sizeof(value) == 4)
      return static_cast<double>(tegula::cpu::as_tf32(value));
    else
      return static_cast<double>(static_cast<float>(value));
  };
  const auto ab = reference_of(make<double, 2>({m, k}, [&](std::int64_t i) { return read(a.data()[i]); }),
                               make<double, 2>({k, n}, [&](std::int64_t i) { return read(b(i % n, i / n)); }));
  everywhere([&](auto where) {
    auto o = poisoned<Sum, 2>({m, n}, where), p = poisoned<Sum, 2>({m, n}, where);
    entry(a.to(where), b.to(where), c.to(where), o, p, {});
    if constexpr (std::is_integral_v<Sum>) {
      const auto sum = [&](auto i) {
        return static_cast<std::int32_t>(c(i[0], i[1]) + static_cast<std::int64_t>(ab.values(i[0], i[1])));
      };
      expect_same("of shared memory", o, sum);
      expect_same("of the array", p, sum);
    } else {
      const auto sum = [&](auto i) { // c is one term more
        const double first = wide(c(i[0], i[1]));
        return Near<Sum>{first + ab.values(i[0], i[1]),
                         tensor_core_error<A, Sum>(k + 1, std::abs(first) + ab.largest(i[0], i[1]))};
      };
      expect_agrees("of shared memory", o, sum);
      expect_agrees("of the array", p, sum);
    }
  });
}

} // namespace

TEST(HopperTypes, LeftFactorsInRegisters) {
  check_held<e4m3, e5m2, float>(held_e4m3_e5m2, 128, 24, 64);
  check_held<e5m2, e4m3, f16>(held_e5m2_e4m3, 64, 40, 32);
  check_held<std::int8_t, std::uint8_t, std::int32_t>(held_s8_u8, 64, 32, 96);
  check_held<std::uint8_t, std::int8_t, std::int32_t>(held_u8_s8, 128, 64, 128);
  check_held<float, float, float>(held_tf32, 64, 72, 40);
}

TEST(HopperTypes, Requantized) {
  const auto a = matrix<e4m3>(64, 64), b = matrix<e4m3>(64, 64);
  const auto y = exact(b, /*is_transposed=*/true);
  const auto once = reference_of(exact(a), y);
  everywhere([&](auto where) {
    auto o = poisoned<float, 2>({64, 64}, where), p = poisoned<float, 2>({64, 64}, where);
    requantized(a.to(where), b.to(where), o, p);
    const auto rounded = o.to_host();
    // Half a unit of 3 bits, or of the smallest numbers, and the error of the sum.
    expect_agrees("rounded", rounded, [&](auto i) {
      const double value = once.values(i[0], i[1]) / 4;
      return Near<float>{std::min(std::max(value, -448.0), 448.0),
                         std::abs(value) / 16 + 0x1p-10 + tensor_core_error<e4m3, float>(64, once.largest(i[0], i[1]))};
    });
    const auto twice = reference_of(exact(rounded), y);
    expect_agrees("a product of it", p, [&](auto i) {
      return Near<float>{twice.values(i[0], i[1]), tensor_core_error<e4m3, float>(64, twice.largest(i[0], i[1]))};
    });
  });
}
