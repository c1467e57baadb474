// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "inline_ptx.h"

#include "support.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::f16;

namespace {

template <class T> T magnitude(T value) {
  if constexpr (std::is_integral_v<T>) // It wraps.
    return value < 0 ? static_cast<T>(std::make_unsigned_t<T>(0) - static_cast<std::make_unsigned_t<T>>(value)) : value;
  else
    return static_cast<T>(std::fabs(wide(value)));
}

template <class T, class Entry> void check_absolute(Entry entry) {
  for (const std::int64_t size : odd_sizes) {
    auto x = random<T, 1>({size});
    const auto special = special_values<T>();
    for (std::int64_t i = 0; i < std::min<std::int64_t>(size, static_cast<std::int64_t>(special.size())); ++i)
      x(i) = special[static_cast<std::size_t>(i)];
    on_every_device([&](auto where) {
      auto o = poisoned<T, 1>({size}, where);
      entry(x.to(where), o);
      expect_same("|x|", o, [&](auto i) { return magnitude(T(x(i[0]))); });
    });
  }
}
#define UNARY(entry) [](const auto &x, auto &o) { entry(x, o); }

} // namespace

TEST(InlinePtx, EveryKindOfRegister) {
  check_absolute<float>(UNARY(absolute_f32));
  check_absolute<double>(UNARY(absolute_f64));
  check_absolute<f16>(UNARY(absolute_f16));
  check_absolute<bf16>(UNARY(absolute_bf16));
  check_absolute<std::int64_t>(UNARY(absolute_s64));
  check_absolute<std::int32_t>(UNARY(absolute_s32));
  check_absolute<std::int16_t>(UNARY(absolute_s16));
}

TEST(InlinePtx, OperandsOfSeveralTypes) {
  for (const std::int64_t columns : odd_sizes) {
    const auto x = random<std::uint32_t, 2>({5, columns}), y = random<std::uint32_t, 2>({5, columns});
    for (const std::uint32_t selector : {0x3210U, 0x7160U, 0x4444U})
      on_every_device([&](auto where) {
        auto o = poisoned<std::uint64_t, 2>({5, columns}, where);
        permuted(x.to(where), y.to(where), o, selector);
        expect_same("words", o, [&](auto i) {
          const std::uint64_t a = x(i[0], i[1]), both = std::uint64_t{y(i[0], i[1])} << 32 | a;
          std::uint64_t low = 0;
          for (unsigned byte = 0; byte < 4; ++byte)
            low |= (both >> (8 * (selector >> (4 * byte) & 7)) & 255) << (8 * byte);
          return a << 32 | low;
        });
      });
  }
}

TEST(InlinePtx, ReducedAndOfScalars) {
  for (const std::int64_t columns : odd_sizes) {
    const auto x = random<std::uint32_t, 2>({3, columns});
    on_every_device([&](auto where) {
      auto o = poisoned<std::int32_t, 1>({3}, where);
      counted(x.to(where), o, -5);
      expect_same("bits", o, [&](auto i) {
        std::int32_t bits = 28;
        for (std::int64_t j = 0; j < columns; ++j)
          for (std::uint32_t word = x(i[0], j); word != 0; word &= word - 1)
            ++bits;
        return bits;
      });
    });
  }
}

TEST(InlinePtx, OnSharedMemory) {
  const auto x = random<std::uint32_t, 2>({64, 32});
  on_every_device([&](auto where) {
    auto o = poisoned<std::uint32_t, 2>({64, 32}, where);
    explicit_words(x.to(where), o);
    expect_same("words", o, [&](auto i) { return x(i[0], i[1]) ^ 7U ^ 255U; });
  });
}
