// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile-split %s -o /dev/null
// Blocks beside blocks of so many times as many elements, whose arrays end together: what is made of one has the extent
// of the other.
#include <tegula/tegula.h>
namespace tg = tegula;
using row = tg::array<const float, 1>;
using result = tg::array<float, 1>;
constexpr auto block = [](auto i) { return tg::index(i); };
constexpr auto block2 = [](auto i, auto j) { return tg::index(i, j); };

TEGULA_KERNEL void scales(row q, row s, result o) {
  tg::check(q.dim(0) == 32 * s.dim(0) && q.dim(0) == o.dim(0), "a scale for 32 elements");
  tg::pallas_call(
      {.grid = {tg::cdiv(q.dim(0), 128)}},
      [](auto q, auto s, auto o) { o[tg::all] = q[tg::all] * tg::repeat<0, 32>(s[tg::all]); }, tg::in<128>(q, block),
      tg::in<4>(s, block), tg::out<128>(o, block));
}

TEGULA_KERNEL void twice(row q, result o) {
  tg::check(o.dim(0) == 2 * q.dim(0), "each element twice");
  tg::pallas_call(
      {.grid = {tg::cdiv(q.dim(0), 32)}}, [](auto q, auto o) { o[tg::all] = tg::repeat<0, 2>(q[tg::all]); },
      tg::in<32>(q, block), tg::out<64>(o, block));
}

TEGULA_KERNEL void joined(row q, result o) {
  tg::check(o.dim(0) == q.dim(0) + q.dim(0), "both signs");
  tg::pallas_call([](auto q, auto o) { o[tg::all] = tg::concatenate<0>(q[tg::all], -q[tg::all]); },
                  tg::in<64>(q, [] { return tg::index(0); }), tg::out<128>(o, [] { return tg::index(0); }));
}

TEGULA_KERNEL void pairs(row q, result even, result odd) {
  tg::check(q.dim(0) == 2 * even.dim(0) && even.dim(0) == odd.dim(0), "pairs");
  tg::pallas_call(
      {.grid = {tg::cdiv(q.dim(0), 64)}},
      [](auto q, auto even, auto odd) {
        const auto t = q[tg::all];
        even[tg::all] = t[tg::ds<32>(0, 2)];
        odd[tg::all] = t[tg::ds<32>(1, 2)];
      },
      tg::in<64>(q, block), tg::out<32>(even, block), tg::out<32>(odd, block));
}

TEGULA_KERNEL void every_second(row q, result o) {
  tg::check(tg::cdiv(q.dim(0), 2) == o.dim(0), "the even ones");
  tg::pallas_call(
      {.grid = {tg::cdiv(q.dim(0), 64)}}, [](auto q, auto o) { o[tg::all] = q[tg::all][tg::ds<32>(0, 2)]; },
      tg::in<64>(q, block), tg::out<32>(o, block));
}

TEGULA_KERNEL void pooled(tg::array<const float, 2> q, tg::array<float, 2> o) {
  tg::check(2 * o.dim(0) == q.dim(0) && 2 * o.dim(1) == q.dim(1), "squares of 2 x 2");
  tg::pallas_call(
      {.grid = {tg::cdiv(q.dim(0), 8), tg::cdiv(q.dim(1), 16)}},
      [](auto q, auto o) {
        const auto t = q[tg::all];
        const auto rows = tg::maximum(t[tg::ds<4>(0, 2)], t[tg::ds<4>(1, 2)]);
        o[tg::all] = tg::maximum(rows[tg::all, tg::ds<8>(0, 2)], rows[tg::all, tg::ds<8>(1, 2)]);
      },
      tg::in<8, 16>(q, block2), tg::out<4, 8>(o, block2));
}

// As many as a block has, in a place that has room for all of one.
TEGULA_KERNEL void front(tg::array<const int, 1> x, tg::array<int, 2> o) {
  tg::check(o.dim(0) == tg::cdiv(x.dim(0), 16) && o.dim(1) == 16, "a row for each block");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 16)}},
      [](auto x, auto o) {
        const auto t = x[tg::all];
        o[tg::all] = tg::zeros<int, 16>();
        o[tg::ds(0, t.dim(0))] = t;
      },
      tg::in<16>(x, [](auto i) { return tg::index(i); }),
      tg::out<tg::squeezed, 16>(o, [](auto i) { return tg::index(i, 0); }));
}
