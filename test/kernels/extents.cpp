// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Extents: tiles of run-time extents out of nothing, static ones that meet run-time ones, halves, ragged rows, batches.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto row_of = [](auto i) { return tg::index(i, 0); };
constexpr auto number_of = [](auto i) { return tg::index(i); };

/// 10 i + j + value, from nothing but extents.
TEGULA_KERNEL tg::array<int, 2> numbered(tg::s64 rows, int columns, int value) {
  auto o = tg::empty<int>(rows, columns);
  tg::pallas_call(
      [=](auto o) {
        const auto i = tg::broadcasted_iota<int, 0>(rows, columns);
        o[tg::all] = 10 * i + tg::iota<int>(o.dim(1)) + tg::full<int>(value, rows, columns);
      },
      tg::out(o));
  return o;
}

/// The halves of each row (x1, x2) become (x1 - x2, x1 + x2).
TEGULA_KERNEL tg::array<float, 2> rotate_halves(tg::array<const float, 2> x) {
  tg::check(x.dim(1) % 2 == 0, "rows have two halves");
  auto o = tg::empty_like(x);
  const auto half = x.dim(1) / 2;
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [=](auto x, auto o) {
        const auto first = x[tg::ds(0, half)], second = x[tg::ds(half, half)];
        o[tg::ds(0, half)] = first - second;
        o[tg::ds(half, half)] = first + second;
      },
      tg::in<tg::squeezed, tg::whole>(x, row_of), tg::out<tg::squeezed, tg::whole>(o, row_of));
  return o;
}

/// The halves of a row, the second by what the first leaves.
TEGULA_KERNEL void add_halves(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::check(x.dim(0) % 4 == 0, "x has four quarters");
  tg::check(o.dim(0) == x.dim(0) / 2, "o is half as long");
  tg::pallas_call(
      [](auto x, auto o) {
        const auto half = x.dim(0) / 2, quarter = x.dim(0) / 4;
        o[tg::ds(0, quarter)] = x[tg::ds(0, quarter)] + x[tg::ds(half, half - quarter)];
        o[tg::ds(quarter, quarter)] = x[tg::ds(quarter, quarter)] + x[tg::ds(x.dim(0) - quarter, quarter)];
      },
      tg::in(x), tg::out(o));
}

/// Halves and thirds of one array.
TEGULA_KERNEL void add_halves_and_thirds(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::check(x.dim(0) % 6 == 0, "x has halves and thirds");
  tg::check(o.dim(0) == x.dim(0) / 2, "o is half as long");
  tg::pallas_call(
      [](auto x, auto o) {
        const auto half = x.dim(0) / 2, third = x.dim(0) / 3;
        const float most = tg::max(x[tg::ds(0, third)] - x[tg::ds(2 * third, x.dim(0) - 2 * third)]);
        o[tg::all] = x[tg::ds(0, half)] + x[tg::ds(half, x.dim(0) - half)] + most;
      },
      tg::in(x), tg::out(o));
}

/// What lies from `start` on comes to the front.
TEGULA_KERNEL void move_to_front(tg::array<const float, 1> x, tg::array<float, 1> o, int start, int size) {
  tg::check(x.dim(0) <= o.dim(0), "o is as long as x at least");
  tg::pallas_call(
      [=](auto x, auto o) {
        const auto t = x[tg::ds(start, size)];
        o[tg::ds(0, t.dim(0))] = t;
      },
      tg::in(x), tg::partial_out(o));
}

/// The first third and the last of a row of any length, by the extent of the output.
TEGULA_KERNEL tg::array<float, 1> add_thirds(tg::array<const float, 1> x) {
  auto o = tg::empty<float>(x.dim(0) / 3);
  tg::pallas_call(
      [](auto x, auto o) {
        const auto n = o.dim(0);
        o[tg::all] = x[tg::ds(0, n)] + x[tg::ds(x.dim(0) - n, n)];
      },
      tg::in(x), tg::out(o));
  return o;
}

/// x is twice as long as y, as a check says.
TEGULA_KERNEL tg::array<float, 1> gate(tg::array<const float, 1> x, tg::array<const float, 1> y) {
  tg::check(x.dim(0) == 2 * y.dim(0), "x has two values for each of y");
  auto o = tg::empty_like(y);
  tg::pallas_call(
      [](auto x, auto y, auto o) {
        const auto n = y.dim(0);
        o[tg::all] = x[tg::ds(0, n)] * x[tg::ds(n, n)] + y[tg::all];
      },
      tg::in(x), tg::in(y), tg::out(o));
  return o;
}

/// Rows of n[i] elements, weighed by their index: as long as the slice is, and as long as data says.
TEGULA_KERNEL tg::array<float, 2> ragged(tg::array<const float, 2> x, tg::array<const int, 1> n) {
  tg::check(x.dim(0) == n.dim(0), "x has a row for each of n");
  auto o = tg::empty<float>(x.dim(0), 2);
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto n, auto o) {
        const auto t = x[tg::ds(0, n[])];
        o[0] = tg::sum(t * tg::iota<float>(t.dim(0)));
        const tg::s64 most = tg::minimum(tg::s64(n[]), x.dim(0));
        o[1] = tg::sum(x[tg::ds(0, most)] * tg::full<float>(2.0f, most));
      },
      tg::in<tg::squeezed, tg::whole>(x, row_of), tg::in<tg::squeezed>(n, number_of),
      tg::out<tg::squeezed, tg::whole>(o, row_of));
  return o;
}

/// A run-time extent that a check makes 48 meets static ones, on either side.
TEGULA_KERNEL tg::array<float, 2> fixed(tg::array<const float, 2> x, tg::array<const float, 1> bias) {
  tg::check(x.dim(0) == 48 && x.dim(1) == 48 && bias.dim(0) == 48, "x is 48 x 48, bias 48");
  auto o = tg::empty<float>(48, 48);
  tg::pallas_call(
      [](auto x, auto bias, auto o) {
        auto t = tg::zeros<float, 48, 48>();
        t = x[tg::all] + bias[tg::all];
        t += tg::broadcasted_iota<float, 0, 48, 48>();
        o[tg::all] = t;
      },
      tg::in(x), tg::in(bias), tg::out(o));
  return o;
}

/// A static window of an array of any size, in an output of that size: a shorter array is filled up with -1.
TEGULA_KERNEL tg::array<float, 1> head(tg::array<const float, 1> x) {
  auto o = tg::empty<float>(40);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = tg::load(x.at(tg::ds<40>(0)), true, -1.0f); }, tg::in(x),
                  tg::out(o));
  return o;
}

/// A sum over windows that begin at the variable of a loop.
TEGULA_KERNEL tg::array<float, 1> fold(tg::array<const float, 1> x) {
  auto o = tg::empty<float>(32);
  tg::pallas_call(
      [](auto x, auto o) {
        auto sum = tg::zeros<float, 32>();
        for (tg::s64 start = 0; start < x.dim(0); start += 32)
          sum += tg::load(x.at(tg::ds<32>(start)), true, 0.0f);
        o[tg::all] = sum;
      },
      tg::in(x), tg::out(o));
  return o;
}

/// Batches of a product broadcast: one matrix for all, on either side, and batches of 1.
TEGULA_KERNEL tg::array<float, 3> product_of_one_right(tg::array<const float, 3> x, tg::array<const float, 2> y) {
  tg::check(x.dim(2) == y.dim(0), "x and y differ in depth");
  auto o = tg::empty<float>(x.dim(0), x.dim(1), y.dim(1));
  tg::pallas_call([](auto x, auto y, auto o) { o[tg::all] = tg::dot(x[tg::all], y[tg::all]); }, tg::in(x), tg::in(y),
                  tg::out(o));
  return o;
}
TEGULA_KERNEL tg::array<float, 3> product_of_one_left(tg::array<const float, 2> x, tg::array<const float, 3> y) {
  tg::check(x.dim(1) == y.dim(1), "x and y differ in depth");
  auto o = tg::empty<float>(y.dim(0), x.dim(0), y.dim(2));
  tg::pallas_call([](auto x, auto y, auto o) { o[tg::all] = tg::dot(x[tg::all], y[tg::all]); }, tg::in(x), tg::in(y),
                  tg::out(o));
  return o;
}
TEGULA_KERNEL tg::array<float, 4> product_of_both(tg::array<const float, 3> x, tg::array<const float, 3> y) {
  tg::check(x.dim(2) == y.dim(1), "x and y differ in depth");
  auto o = tg::empty<float>(x.dim(0), y.dim(0), x.dim(1), y.dim(2));
  tg::pallas_call([](auto x, auto y, auto o) { o[tg::all] = tg::dot(x[tg::all, tg::newaxis], y[tg::newaxis]); },
                  tg::in(x), tg::in(y), tg::out(o));
  return o;
}

/// Each element less the one in front of it.
TEGULA_KERNEL void differences(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::check(x.dim(0) == o.dim(0) + 1, "x has an element more");
  tg::pallas_call(
      [](auto x, auto o) {
        const auto n = x.dim(0) - 1;
        o[tg::all] = x[tg::ds(1, n)] - x[tg::ds(0, n)];
      },
      tg::in(x), tg::out(o));
}

/// The first quarter and the last one, by halves of halves.
TEGULA_KERNEL void add_quarters(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::check(x.dim(0) == 4 * o.dim(0), "x has four elements for each of o");
  tg::pallas_call(
      [](auto x, auto o) {
        const auto half = x.dim(0) / 2, quarter = half / 2;
        o[tg::all] = x[tg::ds(0, quarter)] + x[tg::ds(half + quarter, quarter)];
      },
      tg::in(x), tg::out(o));
}

/// Where a filter lies within x.
TEGULA_KERNEL tg::array<float, 1> correlate(tg::array<const float, 1> x, tg::array<const float, 1> filter) {
  tg::check(filter.dim(0) <= x.dim(0), "the filter is longer than x");
  auto o = tg::empty<float>(x.dim(0) - filter.dim(0) + 1);
  tg::pallas_call(
      [](auto x, auto filter, auto o) {
        const auto n = x.dim(0) - (filter.dim(0) - 1);
        auto sum = tg::zeros<float>(n);
        for (tg::s64 k = 0; k < filter.dim(0); ++k)
          sum += filter[k] * x[tg::ds(k, n)];
        o[tg::all] = sum;
      },
      tg::in(x), tg::in(filter), tg::out(o));
  return o;
}

/// Sums of `width` neighbours, by a width and a counter that are ints.
TEGULA_KERNEL void moving_sums(tg::array<const float, 1> x, tg::array<float, 1> o, int width) {
  tg::check(x.dim(0) == o.dim(0) + width - 1, "a sum stands where all neighbours are");
  tg::pallas_call(
      [=](auto x, auto o) {
        const auto n = o.dim(0);
        auto sum = tg::zeros<float>(n);
        for (int k = 0; k < width; ++k)
          sum += x[tg::ds(k, n)];
        o[tg::all] = sum;
      },
      tg::in(x), tg::out(o));
}
