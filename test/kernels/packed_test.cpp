// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "packed.h"

#include "support.h"

using namespace tegula::test;
using tegula::array;
using tegula::buffer;
using tegula::device;
using tegula::e2m1;
using tegula::s4;
using tegula::shape;
using tegula::u4;

namespace {

/// Rows and columns: none, one, odd and even ones, more than a block has.
const std::vector<shape<2>> shapes = {{0, 5},    {1, 1},    {3, 0},    {5, 7},   {17, 64},
                                      {16, 127}, {33, 129}, {2, 1030}, {65, 256}};

/// The number that an element of these bits stands for, by the definition of its type.
template <class T> double meaning(unsigned bits) {
  if constexpr (std::is_same_v<T, s4>)
    return static_cast<int>(bits) - (bits < 8 ? 0 : 16);
  else if constexpr (std::is_same_v<T, u4>)
    return bits;
  const unsigned exponent = bits >> 1 & 3, fraction = bits & 1;
  const double magnitude =
      exponent == 0 ? fraction * 0.5 : std::ldexp(1 + fraction * 0.5, static_cast<int>(exponent) - 1);
  return (bits & 8) != 0 ? -magnitude : magnitude;
}

/// What a float becomes: integers truncate and saturate, NaN gives 0; e2m1 rounds to nearest even and saturates, NaN
/// gives 6.
template <class T> unsigned converted(float x) {
  if constexpr (std::is_same_v<T, e2m1>) {
    if (std::isnan(x))
      return 7;
    const double magnitude = std::min(std::abs(static_cast<double>(x)), 6.0);
    unsigned best = 0;
    for (unsigned bits = 1; bits < 8; ++bits) {
      const double off = std::abs(meaning<T>(bits) - magnitude), known = std::abs(meaning<T>(best) - magnitude);
      if (off < known || (off == known && bits % 2 == 0))
        best = bits;
    }
    return best | (std::signbit(x) ? 8U : 0U);
  } else {
    const double least = std::is_same_v<T, s4> ? -8 : 0, most = std::is_same_v<T, s4> ? 7 : 15;
    const double number = std::isnan(x) ? 0 : std::min(std::max(std::trunc(static_cast<double>(x)), least), most);
    return static_cast<unsigned>(static_cast<int>(number)) & 15U;
  }
}

float interesting(std::int64_t i) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const float known[] = {0.0F, -0.0F, inf, -inf, nan, 1e30F, -1e30F, 1e-40F, 7.5F, 7.99F, -8.5F, 15.9F, 16.0F};
  if (i < 13)
    return known[i];
  const auto j = i - 13;
  if (j < 33 * 4) { // Every quarter from -4 to 4, where all ties are, and just beside it.
    const float at = static_cast<float>(j / 4) * 0.25F - 4;
    return j % 4 == 0 ? at : j % 4 == 1 ? std::nextafterf(at, 9) : j % 4 == 2 ? std::nextafterf(at, -9) : at * 2;
  }
  return random_value<float>();
}

/// An array with every pattern in every half of a byte.
template <class T> buffer<T, 2> patterned(const shape<2> &dims) {
  return make<T, 2>(dims, [&](std::int64_t i) {
    return i < 512 ? T::from_bits(static_cast<std::uint8_t>(i % 2 == 0 ? i / 2 : i / 32)) : random_value<T>();
  });
}

template <class T, int Rank> unsigned bits_at(const buffer<T, Rank> &of, const shape<Rank> &index) {
  return static_cast<T>(element_at(of, index)).bits;
}

/// Of rows with padding behind them: nothing there changes.
template <class T, class Copy> void check_padded(Copy copy) {
  const auto x = patterned<T>({9, 21});
  on_every_device([&](device where) {
    auto wide = poisoned<T, 2>({9, 40}, where);
    const auto source = x.to(where);
    copy(source, wide.view().slice(1, 4, 21));
    expect_all(
        "a part of rows", wide,
        [&](const shape<2> &i) {
          return i[1] >= 4 && i[1] < 25 ? static_cast<T>(x(i[0], i[1] - 4)) : T::from_bits(i[1] % 2 == 0 ? 5 : 10);
        },
        [](T a, T b) { return a.bits == b.bits; });
  });
}

template <class T, class Copy> void check_copy(Copy copy) {
  for (const auto &dims : shapes) {
    const auto x = patterned<T>(dims);
    on_every_device([&](device where) {
      auto o = poisoned<T, 2>(dims, where);
      copy(x.to(where), o, {});
      expect_all(
          "copy", o, [&](const shape<2> &i) { return static_cast<T>(element_at(x, i)); },
          [](T a, T b) { return a.bits == b.bits; });
    });
  }
  check_padded<T>([&](const buffer<T, 2> &x, const array<T, 2> &o) { copy(x, o, {}); });
}

template <class T, class Widen, class Narrow> void check_conversions(Widen to_float, Narrow from_float) {
  for (const auto &dims : shapes) {
    const auto x = patterned<T>(dims);
    const auto y = make<float, 2>(dims, interesting);
    on_every_device([&](device where) {
      auto o = poisoned<float, 2>(dims, where);
      to_float(x.to(where), o, {});
      expect_same("to float", o, [&](const shape<2> &i) { return meaning<T>(bits_at(x, i)); });
      auto p = poisoned<T, 2>(dims, where);
      from_float(y.to(where), p, {});
      expect_all(
          "from float", p,
          [&](const shape<2> &i) { return T::from_bits(static_cast<std::uint8_t>(converted<T>(element_at(y, i)))); },
          [](T a, T b) { return a.bits == b.bits; });
    });
  }
}

template <class T, class Entry> void check_masked(Entry entry) {
  for (const auto &dims : shapes) {
    const auto x = patterned<T>(dims);
    const auto mask = make<bool, 2>(dims, [](std::int64_t i) { return i < 64 ? i % 3 != 0 : random_value<bool>(); });
    on_every_device([&](device where) {
      auto o = poisoned<T, 2>(dims, where);
      const auto before = o.to_host();
      entry(x.to(where), mask.to(where), o, {});
      expect_all(
          "masked", o,
          [&](const shape<2> &i) { return static_cast<T>(element_at(element_at(mask, i) ? x : before, i)); },
          [](T a, T b) { return a.bits == b.bits; });
    });
  }
}

template <class T, class Entry> void check_sums(Entry entry) {
  for (const auto &dims : shapes) {
    const auto x = patterned<T>(dims);
    const auto sum = [&](std::int64_t row) {
      double result = 0;
      for (std::int64_t j = 0; j < dims[1]; ++j)
        result += meaning<T>(bits_at(x, shape<2>{row, j}));
      return result;
    };
    on_every_device([&](device where) {
      auto o = poisoned<float, 1>({dims[0]}, where);
      auto p = poisoned<T, 1>({dims[0]}, where);
      entry(x.to(where), o, p, {});
      expect_same("sums", o, [&](const shape<1> &i) { return sum(i[0]); });
      expect_all(
          "sums of 4 bits", p,
          [&](const shape<1> &i) {
            return T::from_bits(static_cast<std::uint8_t>(converted<T>(static_cast<float>(sum(i[0])))));
          },
          [](T a, T b) { return a.bits == b.bits; });
    });
  }
}

template <class T, class Entry> void check_transposed(Entry entry) {
  for (const auto &dims : shapes) {
    const auto x = patterned<T>(dims);
    on_every_device([&](device where) {
      auto o = poisoned<T, 2>({dims[1], dims[0]}, where);
      entry(x.to(where), o, {});
      expect_all(
          "transposed", o, [&](const shape<2> &i) { return static_cast<T>(x(i[1], i[0])); },
          [](T a, T b) { return a.bits == b.bits; });
    });
  }
}

template <class T, class Entry> void check_rows(Entry entry) {
  for (const auto &dims : shapes) {
    const auto x = patterned<T>(dims);
    const std::int64_t count =
        dims[0]; // Odd steps of a power of two would do, and this is a permutation of any number.
    const auto index = make<int, 1>({count}, [&](std::int64_t i) { return static_cast<int>(count - 1 - i); });
    on_every_device([&](device where) {
      auto taken = poisoned<T, 2>(dims, where), put = poisoned<T, 2>(dims, where);
      entry(x.to(where), index.to(where), taken, put, {});
      for (const auto *result : {&taken, &put})
        expect_all(
            "rows", *result, [&](const shape<2> &i) { return static_cast<T>(x(count - 1 - i[0], i[1])); },
            [](T a, T b) { return a.bits == b.bits; });
    });
  }
}

template <class T, class Entry> void check_parts(Entry entry) {
  const auto x = patterned<T>({5, 64});
  on_every_device([&](device where) {
    auto reversed = poisoned<T, 2>({5, 64}, where);
    auto odd = poisoned<float, 2>({5, 16}, where);
    entry(x.to(where), reversed, odd, {});
    expect_all(
        "reversed", reversed, [&](const shape<2> &i) { return static_cast<T>(x(i[0], 63 - i[1])); },
        [](T a, T b) { return a.bits == b.bits; });
    expect_same("from an odd one on", odd,
                [&](const shape<2> &i) { return meaning<T>(static_cast<T>(x(i[0], 7 + i[1])).bits); });
  });
}

template <class T, class Entry> void check_made(Entry entry) {
  const auto is_same = [](T a, T b) { return a.bits == b.bits; };
  for (const auto &dims : shapes) {
    if (dims[0] == 0) // What is padded is not empty.
      continue;
    const auto x = patterned<T>(dims);
    on_every_device([&](device where) {
      auto counts = poisoned<T, 1>({dims[1]}, where);
      auto numbers = poisoned<T, 2>(dims, where), o = poisoned<T, 2>({dims[0] + 3, dims[1]}, where);
      entry(x.to(where), counts, numbers, o, {});
      expect_all("counts", counts, [&](const shape<1> &i) { return T(static_cast<int>(i[0])); }, is_same);
      expect_all("numbers", numbers, [&](const shape<2> &) { return T(-3); }, is_same);
      expect_all(
          "padded", o,
          [&](const shape<2> &i) { return i[0] == 0 || i[0] > dims[0] ? T(3) : static_cast<T>(x(i[0] - 1, i[1])); },
          is_same);
    });
  }
}

} // namespace

#define TEST_EACH(WHAT, CHECK)                                                                                         \
  TEST(Packed, WHAT) {                                                                                                 \
    CHECK(s4);                                                                                                         \
    CHECK(u4);                                                                                                         \
    CHECK(e2m1);                                                                                                       \
  }
#define COPY(T) check_copy<T>(copy_##T)
#define CONVERSIONS(T) check_conversions<T>(widen_##T, narrow_##T)
#define MASKED(T) check_masked<T>(masked_##T)
#define SUMS(T) check_sums<T>(sums_##T)
#define TRANSPOSED(T) check_transposed<T>(transposed_##T)
#define ROWS(T) check_rows<T>(rows_##T)
#define PARTS(T) check_parts<T>(parts_##T)
#define MADE(T) check_made<T>(made_##T)
TEST_EACH(Copies, COPY)
TEST_EACH(Conversions, CONVERSIONS)
TEST_EACH(Masks, MASKED)
TEST_EACH(Sums, SUMS)
TEST_EACH(Transposes, TRANSPOSED)
TEST_EACH(Rows, ROWS)
TEST_EACH(Parts, PARTS)
TEST_EACH(Made, MADE)

TEST(Packed, Patterns) {
  for (const auto &dims : shapes) {
    const auto x = patterned<s4>(dims);
    on_every_device([&](device where) {
      auto o = poisoned<u4, 2>(dims, where);
      auto p = poisoned<e2m1, 2>(dims, where);
      auto q = poisoned<s4, 2>(dims, where);
      patterns(x.to(where), o, p, q, {});
      expect_all(
          "as u4", o, [&](const shape<2> &i) { return u4::from_bits(static_cast<std::uint8_t>(bits_at(x, i))); },
          [](u4 a, u4 b) { return a.bits == b.bits; });
      expect_all(
          "as e2m1", p, [&](const shape<2> &i) { return e2m1::from_bits(static_cast<std::uint8_t>(bits_at(x, i))); },
          [](e2m1 a, e2m1 b) { return a.bits == b.bits; });
      expect_all(
          "chosen, or one more, which wraps", q,
          [&](const shape<2> &i) {
            const unsigned bits = bits_at(x, i);
            return s4::from_bits(static_cast<std::uint8_t>(bits < 4 ? bits : bits + 1));
          },
          [](s4 a, s4 b) { return a.bits == b.bits; });
    });
  }
}

TEST(Packed, Rank3) {
  for (const auto &dims : {shape<3>{3, 5, 7}, shape<3>{2, 1, 33}, shape<3>{4, 3, 64}, shape<3>{1, 129, 2}}) {
    const auto x = random<s4, 3>(dims);
    on_every_device([&](device where) {
      auto o = poisoned<s4, 3>(dims, where);
      copy_of_rank_3(x.to(where), o, {});
      expect_same("copy", o, [&](const shape<3> &i) { return static_cast<s4>(element_at(x, i)); });
      auto part = poisoned<s4, 3>(dims, where); // Planes and rows with others between them.
      const std::int64_t rows = dims[1] / 2, columns = dims[2] - dims[2] % 2;
      copy_of_rank_3(x.to(where).view().slice(1, 0, rows, 2).slice(2, 0, columns),
                     part.view().slice(1, 0, rows, 2).slice(2, 0, columns), {});
      const auto before = poisoned<s4, 3>(dims, device::cpu());
      expect_same("part", part, [&](const shape<3> &i) {
        const bool isCopied = i[1] % 2 == 0 && i[1] / 2 < rows && i[2] < columns;
        return static_cast<s4>(element_at(isCopied ? x : before, i));
      });
    });
  }
}

TEST(Packed, LongRowsAndColumns) {
  for (const auto &dims : {shape<2>{5, 7}, shape<2>{64, 1024}, shape<2>{300, 4099}, shape<2>{1, 12000}}) {
    const auto x = random<s4, 2>(dims);
    const auto y = random<e2m1, 2>(dims);
    double of_all = 0;
    std::vector<double> of_columns(static_cast<std::size_t>(dims[1])), largest(static_cast<std::size_t>(dims[0]), -6);
    for (std::int64_t i = 0; i < dims[0]; ++i)
      for (std::int64_t j = 0; j < dims[1]; ++j) {
        const int number = static_cast<int>(x(i, j));
        of_all += number;
        of_columns[static_cast<std::size_t>(j)] += number;
        double &most = largest[static_cast<std::size_t>(i)];
        most = std::max(most, static_cast<double>(y(i, j)));
      }
    on_every_device([&](device where) {
      auto all = poisoned<float, 1>({1}, where), columns = poisoned<float, 1>({dims[1]}, where);
      divided(x.to(where), all, columns, {});
      expect_same("all", all, [&](const shape<1> &) { return of_all; });
      expect_same("columns", columns, [&](const shape<1> &i) { return of_columns[static_cast<std::size_t>(i[0])]; });
      auto o = poisoned<e2m1, 2>(dims, where);
      below_largest(y.to(where), o, {});
      expect_same("rows", o, [&](const shape<2> &i) {
        return static_cast<double>(element_at(y, i)) - largest[static_cast<std::size_t>(i[0])];
      });
    });
  }
}

TEST(Packed, QuantisesRows) {
  for (const auto &dims : {shape<2>{5, 7}, shape<2>{64, 256}, shape<2>{3, 129}}) {
    const auto x = random<float, 2>(dims);
    on_every_device([&](device where) {
      auto scales = poisoned<tegula::e8m0, 1>({dims[0]}, where);
      const auto o = quantise(x.to(where), scales, {});
      const auto scale = [&](std::int64_t row) {
        float largest = 0;
        for (std::int64_t j = 0; j < dims[1]; ++j)
          largest = std::max(largest, std::abs(x(row, j)));
        return static_cast<float>(tegula::e8m0(largest / 4));
      };
      expect_same("scales", scales, [&](const shape<1> &i) { return scale(i[0]); });
      expect_same("numbers", o, [&](const shape<2> &i) {
        return std::clamp(std::nearbyint(static_cast<double>(element_at(x, i) / scale(i[0]))), -8.0, 7.0);
      });
    });
  }
}

TEST(Packed, RefusesRowsThatBeginWithinBytes) {
  const auto x = patterned<s4>({6, 8});
  auto o = buffer<s4, 2>::empty({6, 4});
  const std::string why = " packs two elements per byte, but its rows do not begin at whole bytes: the last stride "
                          "must be 1, the others even, and a slice of the last dimension must begin at an even index";
  EXPECT_EQ(message_of([&] { copy_s4(x.view().slice(1, 1, 4), o); }),
            "copy_s4: 'x' of shape (6, 4) and strides (8, 1)" + why);
  EXPECT_EQ(message_of([&] { copy_s4(x.view().slice(1, 0, 4, 2), o); }),
            "copy_s4: 'x' of shape (6, 4) and strides (8, 2)" + why);
  EXPECT_EQ(message_of([&] { copy_s4(x.view().slice(0, 0, 4).transpose(), o.view().slice(0, 0, 6)); }),
            "copy_s4: 'x' of shape (8, 4) and strides (1, 8)" + why);
  EXPECT_EQ(message_of([&] { copy_s4(array<const s4, 2>(x.data(), {6, 4}, {5, 1}), o); }),
            "copy_s4: 'x' of shape (6, 4) and strides (5, 1)" + why);
  EXPECT_EQ(message_of([&] { to(x.view().slice(1, 1, 4), device::cpu()); }),
            "to: the array of shape (6, 4) and strides (8, 1)" + why);
  EXPECT_EQ(message_of([&] { copy_s4(x.view().slice(1, 2, 4), o); }), "(nothing)");
}
