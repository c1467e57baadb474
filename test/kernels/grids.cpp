// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grids of rank 0 to 6: every program stores where it is, and of how many.
#include <tegula/tegula.h>
namespace tg = tegula;

/// The row-major number of this program in a grid of the rank.
template <int Rank> tg::s64 number() {
  tg::s64 n = 0;
#pragma unroll
  for (int axis = 0; axis < Rank; ++axis)
    n = n * tg::num_programs(axis) + tg::program_id(axis);
  return n;
}

TEGULA_KERNEL tg::array<tg::s64, 0> grid_0() {
  auto o = tg::empty<tg::s64>();
  tg::pallas_call([](auto o) { o[] = 7 + number<0>(); }, tg::out(o));
  return o;
}

TEGULA_KERNEL tg::array<tg::s64, 1> grid_1(tg::s64 a) {
  auto o = tg::empty<tg::s64>(a);
  tg::pallas_call({.grid = {a}}, [](auto o) { o[tg::program_id(0)] = number<1>(); }, tg::out(o));
  return o;
}

TEGULA_KERNEL tg::array<tg::s64, 2> grid_2(tg::s64 a, tg::s64 b) {
  auto o = tg::empty<tg::s64>(a, b);
  tg::pallas_call({.grid = {a, b}}, [](auto o) { o[tg::program_id(0), tg::program_id(1)] = number<2>(); }, tg::out(o));
  return o;
}

/// Through blocks: one element of each dimension.
TEGULA_KERNEL tg::array<tg::s64, 3> grid_3(tg::s64 a, tg::s64 b, tg::s64 c) {
  auto o = tg::empty<tg::s64>(a, b, c);
  tg::pallas_call(
      {.grid = {a, b, c}}, [](auto o) { o[] = number<3>(); },
      tg::out<tg::squeezed, tg::squeezed, tg::squeezed>(o, [](auto i, auto j, auto k) { return tg::index(i, j, k); }));
  return o;
}

/// The axes in another order than the dimensions.
TEGULA_KERNEL tg::array<tg::s64, 4> grid_4(tg::s64 a, tg::s64 b, tg::s64 c, tg::s64 d) {
  auto o = tg::empty<tg::s64>(a, b, c, d);
  tg::pallas_call(
      {.grid = {d, b, a, c}}, [](auto o) { o[0, 0, 0, 0] = number<4>(); },
      tg::out<1, 1, 1, 1>(o, [](auto l, auto j, auto i, auto k) { return tg::index(i, j, k, l); }));
  return o;
}

/// A vector per program.
TEGULA_KERNEL tg::array<tg::s64, 6> grid_5(tg::s64 a, tg::s64 b, tg::s64 c, tg::s64 d, tg::s64 e, tg::s64 n) {
  auto o = tg::empty<tg::s64>(a, b, c, d, e, n);
  tg::pallas_call(
      {.grid = {a, b, c, d, e}}, [](auto o) { o[tg::all] = 10 * number<5>(); },
      tg::out<tg::squeezed, tg::squeezed, tg::squeezed, tg::squeezed, tg::squeezed, tg::whole>(
          o, [](auto... i) { return tg::index(i..., 0); }));
  return o;
}

TEGULA_KERNEL tg::array<tg::s64, 6> grid_6(tg::s64 a, tg::s64 b, tg::s64 c, tg::s64 d, tg::s64 e, tg::s64 f) {
  auto o = tg::empty<tg::s64>(a, b, c, d, e, f);
  tg::pallas_call(
      {.grid = {a, b, c, d, e, f}},
      [](auto o) {
        o[tg::program_id(0), tg::program_id(1), tg::program_id(2), tg::program_id(3), tg::program_id(4),
          tg::program_id(5)] = number<6>();
      },
      tg::out(o));
  return o;
}

/// Whole arrays of every rank.
template <int Rank> TEGULA_KERNEL tg::array<float, Rank> doubled(tg::array<const float, Rank> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto o) { o[] = 2 * x[]; }, tg::in(x), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("doubled_0", doubled<0>);
TEGULA_INSTANTIATE("doubled_1", doubled<1>);
TEGULA_INSTANTIATE("doubled_2", doubled<2>);
TEGULA_INSTANTIATE("doubled_3", doubled<3>);
TEGULA_INSTANTIATE("doubled_4", doubled<4>);
TEGULA_INSTANTIATE("doubled_5", doubled<5>);
TEGULA_INSTANTIATE("doubled_6", doubled<6>);
