// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "float8.h"

#include "hopper.h"

using namespace tegula::test;
using tegula::buffer;
using tegula::e4m3;
using tegula::e5m2;
using tegula::f16;

namespace {

/// All bits, NaN among them: what is moved keeps them.
template <class T> buffer<T, 2> any(std::int64_t rows, std::int64_t columns) {
  return make<T, 2>({rows, columns},
                    [](std::int64_t) { return T::from_bits(static_cast<std::uint8_t>(generator()() >> 17)); });
}

template <class T, class Reference> void expect_bits(const buffer<T, 2> &result, Reference reference) {
  const auto there = result.to_host();
  const auto bits = make<std::uint8_t, 2>(there.dims(), [&](std::int64_t i) { return there.data()[i].bits; });
  expect_same("bits", bits, [&](auto i) { return reference(i).bits; });
}

constexpr std::int64_t extents[] = {1, 7, 63, 127, 129, 1000};

template <class T, class Entry> void check_turned(Entry entry) {
  for (const std::int64_t m : {1, 63, 129})
    for (const std::int64_t n : extents) {
      const auto x = any<T>(m, n);
      on_every_device([&](auto where) { expect_bits(entry(x.to(where), {}), [&](auto i) { return x(i[1], i[0]); }); });
    }
}

template <class T, class Entry> void check_chosen(Entry entry) {
  for (const std::int64_t n : extents)
    for (const std::int64_t shift : {0, -1, 5}) {
      const auto x = any<T>(9, n), y = any<T>(9, n), before = any<T>(9, n);
      on_every_device([&](auto where) {
        auto o = before.to(where);
        entry(x.to(where), y.to(where), o, shift, {});
        expect_bits(o, [&](auto i) {
          const std::int64_t column = i[1] + shift;
          if (column % 3 == 0)
            return before(i[0], i[1]);
          if (column < 0 || column >= n)
            return T::from_bits(0);
          return column % 2 == 0 ? x(i[0], column) : y(i[0], column);
        });
      });
    }
}

template <class T, class Entry> void check_padded(Entry entry) {
  for (const std::int64_t n : extents) {
    const auto x = any<T>(9, n);
    on_every_device([&](auto where) {
      auto o = poisoned<T, 2>({10, n + 3}, where), zeros = poisoned<T, 2>({9, n}, where);
      auto counts = poisoned<T, 1>({n}, where);
      entry(x.to(where), o, zeros, counts, {});
      expect_bits(o, [&](auto i) {
        return i[0] == 9 ? T(-1.0F) : i[1] == 0 || i[1] > n ? T(0.3F) : x(i[0], i[1] - 1);
      });
      expect_bits(zeros, [&](auto) { return T::from_bits(0); });
      expect_same("counts", counts, [&](auto i) { return T(static_cast<float>(i[0])); });
    });
  }
}

} // namespace

TEST(Float8, Turned) {
  check_turned<e4m3>(turned_e4m3);
  check_turned<e5m2>(turned_e5m2);
}

TEST(Float8, Chosen) {
  check_chosen<e4m3>(chosen_e4m3);
  check_chosen<e5m2>(chosen_e5m2);
}

TEST(Float8, Padded) {
  check_padded<e4m3>(padded_e4m3);
  check_padded<e5m2>(padded_e5m2);
}

TEST(Float8, Replaced) {
  for (const std::int64_t n : extents) {
    const auto x = any<e4m3>(9, n);
    on_every_device([&](auto where) {
      auto o = poisoned<e4m3, 2>({9, n}, where);
      replaced(x.to(where), o, 64);
      expect_bits(o, [&](auto i) {
        const auto value = i[1] < 64 ? x(i[0], i[1]) : e4m3(0.3F);
        return static_cast<float>(value) < 0 ? e4m3(0.0F) : value;
      });
    });
  }
}

TEST(Float8, Made) {
  for (const std::int64_t n : extents) {
    const auto labels =
        make<std::int32_t, 1>({n}, [](std::int64_t) { return static_cast<std::int32_t>(generator()() % 12) - 1; });
    on_every_device([&](auto where) {
      auto zeros = poisoned<e4m3, 2>({n, 10}, where), numbers = poisoned<e4m3, 2>({n, 10}, where);
      auto ones = poisoned<e4m3, 2>({n, 10}, where);
      made(labels.to(where), zeros, numbers, ones);
      expect_bits(zeros, [&](auto) { return e4m3::from_bits(0); });
      expect_bits(numbers, [&](auto) { return e4m3(0.3F); });
      expect_bits(ones, [&](auto i) { return e4m3(labels(i[0]) == i[1] ? 1.0F : 0.0F); });
    });
  }
}

TEST(Float8, Quantized) {
  for (const std::int64_t n : extents) {
    const auto x = random<float, 2>({5, n});
    on_every_device([&](auto where) {
      auto o = poisoned<e4m3, 2>({5, n}, where);
      auto scales = poisoned<float, 1>({5}, where);
      quantized(x.to(where), o, scales);
      const auto scale_of = scales.to_host();
      expect_bits(o, [&](auto i) { return e4m3(x(i[0], i[1]) / scale_of(i[0])); });
    });
  }
}

TEST(Float8, InSharedMemory) {
  for (const std::int64_t m : {64, 192}) {
    const auto x = any<e5m2>(m, 64);
    everywhere([&](auto where) {
      auto o = poisoned<e5m2, 2>({64, 64}, where);
      auto p = poisoned<f16, 2>({64, 64}, where);
      shared_e5m2(x.to(where), o, p);
      expect_bits(o, [&](auto i) { return x(m - 64 + i[0], i[1]); });
      expect_same("as f16", p, [&](auto i) { return f16(static_cast<float>(x(i[0], i[1]))); });
    });
  }
}
