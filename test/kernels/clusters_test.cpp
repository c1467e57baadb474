// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clusters.h"

#include "support.h"

using namespace tegula::test;
using tegula::array;
using tegula::bf16;
using tegula::buffer;
using tegula::f16;

namespace {

/// What a block holds and an element more, whole blocks, a part of one at the end, the most that a cluster holds, and
/// an element more, over which one CTA loops.
const std::vector<std::int64_t> lengths = {8193, 9217, 40001, 65536, 81927, 131072, 131073};

/// Rows of `length` that begin at multiples of 16 bytes, as clusters want them. What lies between them would show in
/// every reduction.
template <class T, class Make> buffer<T, 2> padded(std::int64_t rows, std::int64_t length, Make value) {
  return make<T, 2>({rows, (length + 31) / 16 * 16}, [&, stride = (length + 31) / 16 * 16](std::int64_t i) {
    if (i % stride < length)
      return value(i / stride, i % stride);
    if constexpr (is_floating<T>)
      return static_cast<T>(std::numeric_limits<double>::quiet_NaN());
    else
      return i % 2 == 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
  });
}

template <class T> struct Reductions {
  std::conditional_t<is_floating<T>, double, std::uint64_t> sum, product;
  T greatest, least;
};

/// Of each row; the data are such that no order of additions and multiplications rounds.
template <class T> std::vector<Reductions<T>> reductions_of(const buffer<T, 2> &x, std::int64_t length) {
  std::vector<Reductions<T>> result;
  for (std::int64_t i = 0; i < x.dim(0); ++i) {
    Reductions<T> row{0, 1, x(i, 0), x(i, 0)};
    for (std::int64_t k = 0; k < length; ++k) {
      const T element = x(i, k);
      const auto number = wide(element);
      row.sum += static_cast<decltype(row.sum)>(number);
      row.product *= static_cast<decltype(row.product)>(number);
      const bool is_nan = std::isnan(static_cast<double>(number));
      row.greatest = is_nan || number > wide(row.greatest) ? element : row.greatest;
      row.least = is_nan || number < wide(row.least) ? element : row.least;
    }
    result.push_back(row);
  }
  return result;
}

template <class T> T difference(T a, T b) {
  if constexpr (is_floating<T>)
    return static_cast<T>(wide(a) - wide(b));
  else
    return static_cast<T>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

/// Calls with a poisoned array, of which the rows alone change.
template <class T, class Call, class Reference>
void expect_rows(std::int64_t rows, std::int64_t length, tegula::device where, Call call, Reference reference) {
  const auto poison = padded<T>(rows, length, [](auto, auto) { return T(77); });
  auto o = poison.to(where);
  call(array<T, 2>(o).slice(1, 0, length));
  expect_same("rows", o, [&](auto i) { return i[1] < length ? reference(i) : poison(i[0], i[1]); });
}

template <class T, class Entry> void check_sum_and_greatest(Entry entry, std::int64_t length, const buffer<T, 2> &x) {
  const auto expected = reductions_of(x, length);
  const auto of = [&](auto i) { return expected[static_cast<std::size_t>(i[0])]; };
  on_every_device([&](auto where) {
    auto there = x.to(where);
    auto sum = poisoned<T, 1>({x.dim(0)}, where), greatest = poisoned<T, 1>({x.dim(0)}, where);
    expect_rows<T>(
        x.dim(0), length, where, [&](auto o) { entry(array<T, 2>(there).slice(1, 0, length), o, sum, greatest, {}); },
        [&](auto i) { return difference(x(i[0], i[1]), of(i).greatest); });
    expect_same("sum", sum, [&](auto i) { return static_cast<T>(of(i).sum); });
    expect_same("max", greatest, [&](auto i) { return of(i).greatest; });
  });
}

template <class T, class Entry> void check_product_and_least(Entry entry, std::int64_t length, const buffer<T, 2> &x) {
  const auto expected = reductions_of(x, length);
  const auto of = [&](auto i) { return expected[static_cast<std::size_t>(i[0])]; };
  on_every_device([&](auto where) {
    auto there = x.to(where);
    auto product = poisoned<T, 1>({x.dim(0)}, where), least = poisoned<T, 1>({x.dim(0)}, where);
    expect_rows<T>(
        x.dim(0), length, where, [&](auto o) { entry(array<T, 2>(there).slice(1, 0, length), o, product, least, {}); },
        [&](auto i) { return difference(x(i[0], i[1]), of(i).least); });
    expect_same("product", product, [&](auto i) { return static_cast<T>(of(i).product); });
    expect_same("min", least, [&](auto i) { return of(i).least; });
  });
}

std::int64_t random_below(std::int64_t n) { return static_cast<std::int64_t>(generator()() >> 8) % n; }

/// Two rows of small integers, each with one element above and one below all others, anywhere.
template <class T> buffer<T, 2> small_integers(std::int64_t length) {
  auto x = padded<T>(2, length, [](auto, auto) {
    return static_cast<T>(static_cast<double>((1 + random_below(8)) * (random_below(2) == 0 ? -1 : 1)));
  });
  for (const int row : {0, 1}) {
    const std::int64_t place = random_below(length);
    x(row, place) = static_cast<T>(100.0 + row);
    x(row, (place + 1 + random_below(length - 1)) % length) = static_cast<T>(-100.0 - row);
  }
  return x;
}

/// Rows of small integers.
template <class T> buffer<T, 2> small_rows(std::int64_t rows, std::int64_t length) {
  return padded<T>(rows, length, [](auto, auto) { return static_cast<T>(static_cast<double>(random_below(17) - 8)); });
}

/// Numbers that all rows are multiplied by, or that are added to them.
template <class T> buffer<T, 1> small_weights(std::int64_t length) {
  return make<T, 1>({length}, [](auto) { return static_cast<T>(static_cast<double>(random_below(7) - 3)); });
}

/// The same, with a NaN in the second row.
template <class T> buffer<T, 2> with_nan(std::int64_t length) {
  auto x = small_integers<T>(length);
  x(1, random_below(length)) = static_cast<T>(std::numeric_limits<double>::quiet_NaN());
  return x;
}

/// Two rows whose products are numbers: signs, and a few powers of two.
template <class T> buffer<T, 2> factors(std::int64_t length) {
  auto x = padded<T>(2, length, [](auto, auto) { return static_cast<T>(random_below(2) == 0 ? -1.0 : 1.0); });
  for (int i = 0; i < 40; ++i)
    x(i % 2, random_below(length)) = static_cast<T>(random_below(3) == 0 ? 2.0 : -0.5);
  return x;
}

template <class T> buffer<T, 2> any_integers(std::int64_t length) {
  return padded<T>(2, length, [](auto, auto) { return random_value<T>(); });
}

template <class T, class W, class Entry> void check_weighted(Entry entry, std::int64_t rows, std::int64_t length) {
  const auto x = small_rows<T>(rows, length), z = small_rows<T>(rows, length);
  const auto w = small_weights<W>(length), b = small_weights<W>(length);
  std::vector<double> most;
  const auto sum = [&](std::int64_t row, std::int64_t k) {
    return static_cast<double>(x(row, k)) + static_cast<double>(z(row, k));
  };
  for (std::int64_t row = 0; row < rows; ++row) {
    double &greatest = most.emplace_back(sum(row, 0));
    for (std::int64_t k = 0; k < length; ++k)
      greatest = std::max(greatest, sum(row, k));
  }
  const auto of = [&](auto i) { return most[static_cast<std::size_t>(i[0])]; };
  on_every_device([&](auto where) {
    auto x_there = x.to(where), z_there = z.to(where);
    auto w_there = w.to(where), b_there = b.to(where);
    auto greatest = poisoned<T, 1>({rows}, where);
    expect_rows<T>(
        rows, length, where,
        [&](auto o) {
          entry(array<T, 2>(x_there).slice(1, 0, length), array<T, 2>(z_there).slice(1, 0, length), w_there, b_there, o,
                greatest, {});
        },
        [&](auto i) {
          return static_cast<T>((sum(i[0], i[1]) - of(i)) * static_cast<double>(w(i[1])) +
                                static_cast<double>(b(i[1])));
        });
    expect_same("max", greatest, [&](auto i) { return static_cast<T>(of(i)); });
  });
}

/// Rows of small integers of which two are the greatest: the first one counts. Sums of them are exact in double.
template <class T, class Entry> void check_combined(Entry entry, std::int64_t length) {
  auto x = padded<T>(3, length, [](auto, auto) { return static_cast<T>(static_cast<double>(random_below(17) - 5)); });
  for (int row = 0; row < 3; ++row)
    for (int i = 0; i < 2; ++i)
      x(row, random_below(length)) = static_cast<T>(20.0);
  std::vector<std::int64_t> places;
  std::vector<double> means, squares, middles;
  for (std::int64_t row = 0; row < 3; ++row) {
    std::int64_t place = 0;
    double sum = 0, of_squares = 0, least = 1000;
    for (std::int64_t k = 0; k < length; ++k) {
      const auto number = static_cast<double>(x(row, k));
      place = number > static_cast<double>(x(row, place)) ? k : place;
      least = std::min(least, number);
      sum += number;
      of_squares += number * number;
    }
    places.push_back(place);
    means.push_back(sum / static_cast<double>(length));
    squares.push_back(of_squares - sum * means.back());
    middles.push_back(least + static_cast<double>(x(row, place)));
  }
  const auto of = [](const auto &numbers, auto i) { return numbers[static_cast<std::size_t>(i[0])]; };
  on_every_device([&](auto where) {
    auto there = x.to(where);
    auto place = poisoned<std::int32_t, 1>({3}, where);
    auto moments = poisoned<double, 2>({3, 2}, where);
    expect_rows<T>(
        3, length, where, [&](auto o) { entry(array<T, 2>(there).slice(1, 0, length), o, place, moments, {}); },
        [&](auto i) { return static_cast<T>(static_cast<double>(x(i[0], i[1])) - of(middles, i)); });
    expect_same("place", place, [&](auto i) { return static_cast<std::int32_t>(of(places, i)); });
    expect_near("moments", moments, [&](auto i) { return i[1] == 0 ? of(means, i) : of(squares, i); }, 1e6);
  });
}

} // namespace

TEST(Clusters, Combined) {
  for (const auto length : lengths) {
    check_combined<f16>(combined_f16, length);
    check_combined<float>(combined_f32, length);
  }
}

TEST(Clusters, SumAndGreatest) {
  for (const auto length : lengths) {
    check_sum_and_greatest<f16>(sum_and_greatest_f16, length, small_integers<f16>(length));
    check_sum_and_greatest<f16>(sum_and_greatest_f16, length, with_nan<f16>(length));
    check_sum_and_greatest<std::uint64_t>(sum_and_greatest_u64, length, any_integers<std::uint64_t>(length));
  }
}

TEST(Clusters, ProductAndLeast) {
  for (const auto length : lengths) {
    check_product_and_least<bf16>(product_and_least_bf16, length, factors<bf16>(length));
    check_product_and_least<bf16>(product_and_least_bf16, length, with_nan<bf16>(length));
    // Odd, or the product would be 0.
    auto x = any_integers<std::int32_t>(length);
    for (std::int64_t i = 0; i < x.size(); ++i)
      x.data()[i] |= 1;
    check_product_and_least<std::int32_t>(product_and_least_s32, length, x);
  }
}

TEST(Clusters, InTurn) {
  for (const auto length : lengths)
    for (const double limit : {-200.5, -99.5, 0.5, 99.5, 200.5}) { // All, all but one, some, one, none are above.
      const auto x = small_integers<double>(length);
      const auto expected = reductions_of(x, length);
      std::vector<std::int64_t> counts;
      for (const int row : {0, 1}) {
        std::int64_t &count = counts.emplace_back(0);
        for (std::int64_t k = 0; k < length; ++k)
          count += x(row, k) > limit ? 1 : 0;
      }
      const auto count_of = [&](auto i) { return static_cast<double>(counts[static_cast<std::size_t>(i[0])]); };
      const auto of = [&](auto i) { return expected[static_cast<std::size_t>(i[0])]; };
      on_every_device([&](auto where) {
        auto there = x.to(where);
        auto numbers = poisoned<double, 2>({2, 3}, where);
        auto are_above = poisoned<bool, 2>({2, 2}, where);
        expect_rows<double>(
            2, length, where,
            [&](auto o) { in_turn(array<double, 2>(there).slice(1, 0, length), limit, o, numbers, are_above, {}); },
            [&](auto i) {
              const double below = x(i[0], i[1]) - of(i).greatest;
              return count_of(i) > 0 ? below : -below;
            });
        expect_same("numbers", numbers, [&](auto i) {
          return i[1] == 0 ? of(i).sum : i[1] == 1 ? count_of(i) : of(i).greatest - of(i).sum + count_of(i);
        });
        expect_same("are above", are_above,
                    [&](auto i) { return count_of(i) >= (i[1] == 0 ? 1 : static_cast<double>(length)); });
      });
    }
}

TEST(Clusters, InALoop) {
  constexpr std::int64_t times[] = {8, 0, 5};
  for (const auto length : lengths) {
    const auto x = padded<std::int64_t>(
        3, length, [&](auto row, auto k) { return k == 0 ? times[row] : random_value<std::int64_t>(); });
    std::vector<std::int64_t> states;
    for (std::int64_t row = 0; row < 3; ++row) {
      std::int64_t state = 0;
      for (std::int64_t step = 0; step < times[row]; ++step) {
        std::uint64_t sum = static_cast<std::uint64_t>(state);
        std::int64_t most = INT64_MIN;
        for (std::int64_t k = 0; k < length; ++k) {
          sum += static_cast<std::uint64_t>(x(row, k) ^ state);
          most = std::max(most, x(row, k) ^ state);
        }
        state = state % 2 == 0
                    ? static_cast<std::int64_t>(sum)
                    : static_cast<std::int64_t>(static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(step));
      }
      states.push_back(state);
    }
    on_every_device([&](auto where) {
      auto there = x.to(where);
      expect_rows<std::int64_t>(
          3, length, where, [&](auto o) { steps(array<std::int64_t, 2>(there).slice(1, 0, length), o, {}); },
          [&](auto i) { return x(i[0], i[1]) ^ states[static_cast<std::size_t>(i[0])]; });
    });
  }
}

/// One row, fewer rows than there are clusters at a time, and more, in clusters of two and of seven, with a part that
/// ends in the middle.
TEST(Clusters, ManyRows) {
  constexpr std::pair<std::int64_t, std::int64_t> shapes[] = {{1, 131072}, {7, 40008}, {130, 9224}};
  for (const auto &[rows, length] : shapes) {
    check_weighted<f16, float>(weighted_f16, rows, length);
    check_weighted<std::int32_t, std::int32_t>(weighted_s32, rows, length);
    check_weighted<double, double>(weighted_f64, rows, length);
  }
  check_weighted<f16, float>(weighted_f16, 40, 57352);
}
