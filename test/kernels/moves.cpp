// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps that each take elements of what the step before made, of tiles at run-time extents and of static blocks.
#include <tegula/tegula.h>
namespace tg = tegula;

template <int Steps, class T> constexpr auto smoothed(T t) {
  tg::static_for<Steps>([&](auto) { t = 2 * t + (tg::roll<0>(t, 1) - 3 * tg::roll<0>(t, -1)); });
  return t;
}
template <int Steps, class T> constexpr auto smoothed_planes(T t) {
  tg::static_for<Steps>([&](auto) {
    t = 2 * t + (tg::roll<0>(t, 1) + 3 * tg::roll<0>(t, -1) - tg::roll<1>(t, 1) + 5 * tg::roll<1>(t, -1));
  });
  return t;
}

/// Eight steps of a stencil of a row, which goes round.
TEGULA_KERNEL tg::array<int, 1> smooth_8(tg::array<const int, 1> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = smoothed<8>(x[tg::all]); }, tg::in(x), tg::out(o));
  return o;
}

/// The same of each row, and of 100 steps.
TEGULA_KERNEL tg::array<int, 2> smooth_rows(tg::array<const int, 2> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {x.dim(0)}}, [](auto x, auto o) { o[tg::all] = smoothed<100>(x[tg::all]); },
      tg::in<tg::squeezed, tg::whole>(x, [](auto i) { return tg::index(i, 0); }),
      tg::out<tg::squeezed, tg::whole>(o, [](auto i) { return tg::index(i, 0); }));
  return o;
}

/// Five steps of a stencil of five points.
TEGULA_KERNEL tg::array<int, 2> smooth_planes(tg::array<const int, 2> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = smoothed_planes<5>(x[tg::all]); }, tg::in(x), tg::out(o));
  return o;
}

/// Blocks of 1000: they are exchanged; of 96 x 112, they are not.
TEGULA_KERNEL tg::array<int, 1> smooth_blocks(tg::array<const int, 1> x) {
  tg::check(x.dim(0) % 1000 == 0, "blocks of 1000");
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 1000)}}, [](auto x, auto o) { o[tg::all] = smoothed<6>(x[tg::all]); },
      tg::in<1000>(x, [](auto i) { return tg::index(i); }), tg::out<1000>(o, [](auto i) { return tg::index(i); }));
  return o;
}
TEGULA_KERNEL tg::array<int, 2> smooth_large_blocks(tg::array<const int, 2> x) {
  tg::check(x.dim(0) == 96 && x.dim(1) == 112, "a block of 96 x 112");
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = smoothed_planes<5>(x[tg::all]); },
                  tg::in<96, 112>(x, [] { return tg::index(0, 0); }),
                  tg::out<96, 112>(o, [] { return tg::index(0, 0); }));
  return o;
}

/// Who is 2^16 steps further on, if everybody points to the next one.
TEGULA_KERNEL tg::array<int, 1> jump_16(tg::array<const int, 1> next) {
  auto o = tg::empty_like(next);
  tg::pallas_call(
      [](auto next, auto o) {
        auto t = next[tg::all];
        tg::static_for<16>([&](auto) { t = tg::take<0>(t, t); });
        o[tg::all] = t;
      },
      tg::in(next), tg::out(o));
  return o;
}
TEGULA_KERNEL tg::array<int, 1> jump_block(tg::array<const int, 1> next) {
  tg::check(next.dim(0) == 500, "a block of 500");
  auto o = tg::empty_like(next);
  tg::pallas_call(
      [](auto next, auto o) {
        auto t = next[tg::all];
        tg::static_for<16>([&](auto) { t = tg::take<0>(t, t); });
        o[tg::all] = t;
      },
      tg::in<500>(next, [] { return tg::index(0); }), tg::out<500>(o, [] { return tg::index(0); }));
  return o;
}

/// Sums of 2^12 elements, round the end, by doubling.
TEGULA_KERNEL tg::array<int, 1> double_up(tg::array<const int, 1> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      [](auto x, auto o) {
        auto t = x[tg::all];
        tg::static_for<12>([&](auto k) { t = t + tg::roll<0>(t, 1 << k); });
        o[tg::all] = t;
      },
      tg::in(x), tg::out(o));
  return o;
}

/// A loop of such steps, as many as the caller wants, and what is moved of sums.
TEGULA_KERNEL tg::array<int, 1> smooth_in_loop(tg::array<const int, 1> x, tg::s64 times) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      [=](auto x, auto o) {
        auto t = x[tg::all];
        for (tg::s64 i = 0; i < times; ++i)
          t = smoothed<4>(t);
        o[tg::all] = t;
      },
      tg::in(x), tg::out(o));
  return o;
}

/// What is only moved, again and again.
TEGULA_KERNEL tg::array<int, 1> move_100(tg::array<const int, 1> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      [](auto x, auto o) {
        auto t = x[tg::all];
        tg::static_for<50>([&](auto i) { t = 3 * tg::flip<0>(tg::roll<0>(t, i)) + 1; });
        o[tg::all] = t;
      },
      tg::in(x), tg::out(o));
  return o;
}
