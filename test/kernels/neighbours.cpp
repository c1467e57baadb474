// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums over neighbours: windows of one array that overlap, in one to three dimensions, in loops and beside one another;
// and transpositions of any order, for which elements move between threads.
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T, int Rank> using input = tg::array<const T, Rank>;

/// Behind each element come those that it is added to, with factors 1, 2 and so on.
template <int Width, class T> TEGULA_KERNEL tg::array<T, 1> weighted(input<T, 1> x) {
  tg::check(x.dim(0) >= Width - 1, "x is shorter than the window");
  auto o = tg::empty<T>(x.dim(0) - (Width - 1));
  tg::pallas_call(
      [](auto x, auto o) {
        auto sum = x[tg::ds(0, o.dim(0))];
        for (int i = 1; i < Width; ++i)
          sum += tg::astype<T>(i + 1) * x[tg::ds(i, o.dim(0))];
        o[tg::all] = sum;
      },
      tg::in(x), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("weighted_3", weighted<3, tg::s32>);
TEGULA_INSTANTIATE("weighted_12", weighted<12, tg::s32>); // A loop in every kernel.
TEGULA_INSTANTIATE("weighted_u8", weighted<5, tg::u8>);
TEGULA_INSTANTIATE("weighted_f64", weighted<2, tg::f64>);

/// How much each element is greater than its neighbours together, in rows and columns, and the sum of all nine.
TEGULA_KERNEL void around(input<tg::s32, 2> x, tg::array<tg::s32, 2> cross, tg::array<tg::s32, 2> square) {
  tg::check(x.dim(0) >= 2 && x.dim(1) >= 2, "x has no inner elements");
  tg::check(cross.dim(0) == x.dim(0) - 2 && cross.dim(1) == x.dim(1) - 2, "cross has not the inner elements of x");
  tg::check(square.dim(0) == x.dim(0) - 2 && square.dim(1) == x.dim(1) - 2, "square has not the inner elements of x");
  tg::pallas_call(
      [](auto x, auto cross, auto square) {
        const auto rows = cross.dim(0), columns = cross.dim(1);
        const auto at = [&](int i, int j) { return x[tg::ds(i, rows), tg::ds(j, columns)]; };
        cross[tg::all] = 4 * at(1, 1) - at(0, 1) - at(2, 1) - at(1, 0) - at(1, 2);
        auto sum = at(0, 0);
        for (int i = 0; i < 9; ++i)
          if (i > 0)
            sum += at(i / 3, i % 3);
        square[tg::all] = sum;
      },
      tg::in(x), tg::out(cross), tg::out(square));
}

/// Of a cube's 27, with a factor for each plane.
template <class T> TEGULA_KERNEL tg::array<T, 3> cubes(input<T, 3> x, input<T, 1> factors) {
  tg::check(x.dim(0) >= 2 && x.dim(1) >= 2 && x.dim(2) >= 2, "x has no inner elements");
  tg::check(factors.dim(0) == 3, "there are three planes");
  auto o = tg::empty<T>(x.dim(0) - 2, x.dim(1) - 2, x.dim(2) - 2);
  tg::pallas_call(
      [](auto x, auto factors, auto o) {
        auto sum = tg::full<T>(0, o.dim(0), o.dim(1), o.dim(2));
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k)
              sum += factors[i] * x[tg::ds(i, o.dim(0)), tg::ds(j, o.dim(1)), tg::ds(k, o.dim(2))];
        o[tg::all] = sum;
      },
      tg::in(x), tg::in(factors), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("cubes", cubes<tg::s32>);

/// Neighbours in both arrays, of which one is transposed.
TEGULA_KERNEL tg::array<tg::s32, 2> both_ways(input<tg::s32, 2> x, input<tg::s32, 2> y) {
  tg::check(x.dim(0) >= 1 && x.dim(0) == y.dim(1) && x.dim(1) == y.dim(0), "y is not of the shape of x, transposed");
  auto o = tg::empty<tg::s32>(x.dim(0) - 1, x.dim(1));
  tg::pallas_call(
      [](auto x, auto y, auto o) {
        const auto rows = o.dim(0);
        o[tg::all] = x[tg::ds(0, rows)] - x[tg::ds(1, rows)] + tg::transpose(y[tg::all, tg::ds(0, rows)]) -
                     tg::transpose(y[tg::all, tg::ds(1, rows)]);
      },
      tg::in(x), tg::in(y), tg::out(o));
  return o;
}

/// The dimensions of x in another order.
template <class T, int... Order> TEGULA_KERNEL tg::array<T, 3> ordered(input<T, 3> x) {
  auto o = tg::empty<T>(x.dim(Order)...);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = tg::transpose<Order...>(x[tg::all]); }, tg::in(x), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("ordered_021", ordered<tg::u8, 0, 2, 1>);
TEGULA_INSTANTIATE("ordered_102", ordered<tg::bf16, 1, 0, 2>);
TEGULA_INSTANTIATE("ordered_120", ordered<tg::bf16, 1, 2, 0>);
TEGULA_INSTANTIATE("ordered_201", ordered<float, 2, 0, 1>);
TEGULA_INSTANTIATE("ordered_210", ordered<tg::f64, 2, 1, 0>);

/// In blocks, of which the last ones are smaller, and added to what is there.
TEGULA_KERNEL void added(input<float, 2> x, tg::array<float, 2> o) {
  tg::check(x.dim(0) == o.dim(1) && x.dim(1) == o.dim(0), "o is not of the shape of x, transposed");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 96), tg::cdiv(x.dim(1), 160)}},
      [](auto x, auto o) { o[tg::all] = o[tg::all] + tg::transpose(x[tg::all]); },
      tg::in<96, 160>(x, [](auto i, auto j) { return tg::index(i, j); }),
      tg::inout<160, 96>(o, [](auto i, auto j) { return tg::index(j, i); }));
}
