// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles whose extents are no powers of two, and which threads exchange in shared memory: elements of scans and sorts
// that are moved.
#include <tegula/tegula.h>
namespace tg = tegula;

/// One block, of which nothing is masked where the array is as large.
template <class T, int M, int N, class Body> void run(tg::array<const T, 2> x, tg::array<T, 2> o, Body body) {
  constexpr auto first = [] { return tg::index(0, 0); };
  tg::pallas_call([=](auto x, auto o) { o[tg::all] = body(tg::load(x, true, 0)); }, tg::in<M, N>(x, first),
                  tg::out<M, N>(o, first));
}

/// Columns are summed up and rows turned by one.
template <class T, int M, int N> TEGULA_KERNEL void turn(tg::array<const T, 2> x, tg::array<T, 2> o) {
  run<T, M, N>(x, o, [](auto t) { return tg::roll<1>(tg::cumsum<0>(t), 1); });
}
TEGULA_INSTANTIATE("turn_65_65", turn<float, 65, 65>);
TEGULA_INSTANTIATE("turn_33_129", turn<int, 33, 129>);
TEGULA_INSTANTIATE("turn_66_100_u8", turn<tg::u8, 66, 100>);
TEGULA_INSTANTIATE("turn_3_200_s64", turn<tg::s64, 3, 200>);
TEGULA_INSTANTIATE("turn_1_65_f64", turn<double, 1, 65>);
TEGULA_INSTANTIATE("turn_97_5_s16", turn<tg::s16, 97, 5>);

/// Rows of a cube.
TEGULA_KERNEL void turn_cube(tg::array<const int, 3> x, tg::array<int, 3> o) {
  constexpr auto first = [] { return tg::index(0, 0, 0); };
  tg::pallas_call([](auto x, auto o) { o[tg::all] = tg::roll<1>(tg::cumsum<0>(tg::load(x, true, 0)), 1); },
                  tg::in<17, 17, 17>(x, first), tg::out<17, 17, 17>(o, first));
}

/// The transposed tile, row by row in another shape.
TEGULA_KERNEL void reshaped(tg::array<const int, 2> x, tg::array<int, 2> o) {
  constexpr auto first = [] { return tg::index(0, 0); };
  tg::pallas_call(
      [](auto x, auto o) { o[tg::all] = tg::reshape<45, 77>(tg::transpose(tg::cumsum<0>(tg::load(x, true, 0)))); },
      tg::in<63, 55>(x, first), tg::out<45, 77>(o, first));
}

/// Elements of running sums at indices that are data.
TEGULA_KERNEL void picked(tg::array<const int, 2> x, tg::array<const int, 2> rows, tg::array<int, 2> o) {
  constexpr auto first = [] { return tg::index(0, 0); };
  tg::pallas_call(
      [](auto x, auto rows, auto o) {
        o[tg::all] = tg::take_along_axis<0>(tg::cumsum<0>(tg::load(x, true, 0)), tg::load(rows, true, 0));
      },
      tg::in<65, 70>(x, first), tg::in<30, 70>(rows, first), tg::out<30, 70>(o, first));
}

/// Sorted rows change places: more of them than are sorted in shared memory at a time.
template <class T, int M, int N> TEGULA_KERNEL void sorted_rows(tg::array<const T, 2> x, tg::array<T, 2> o) {
  run<T, M, N>(x, o, [](auto t) { return tg::roll<0>(tg::sort<1>(t), 1); });
}
TEGULA_INSTANTIATE("sorted_rows_65_65", sorted_rows<float, 65, 65>);
TEGULA_INSTANTIATE("sorted_rows_33_129", sorted_rows<int, 33, 129>);
TEGULA_INSTANTIATE("sorted_rows_70_40_s64", sorted_rows<tg::s64, 70, 40>);
TEGULA_INSTANTIATE("sorted_rows_90_65_f16", sorted_rows<tg::f16, 90, 65>);

/// Columns that are sorted, and where their elements were.
TEGULA_KERNEL void sorted_columns(tg::array<const int, 2> x, tg::array<int, 2> o) {
  constexpr auto first = [] { return tg::index(0, 0); };
  tg::pallas_call(
      [](auto x, auto o) { o[tg::all] = tg::flip<1>(tg::astype<int>(tg::argsort<0>(tg::load(x, true, 0)))); },
      tg::in<65, 90>(x, first), tg::out<65, 90>(o, first));
}

/// A part of sums that are too many to be exchanged.
TEGULA_KERNEL void part(tg::array<const int, 2> x, tg::array<int, 2> o) {
  run<int, 65, 65>(
      x, o, [](auto t) { return tg::roll<1>(tg::cumsum<0>(tg::pad<1, 60, 65>(t, 1))[tg::all, tg::ds<65>(30)], 1); });
}
