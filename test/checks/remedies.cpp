// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile-split %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=note:
// RUN: tegulac --emit=tile-split -DREMEDY %s -o -
// Refusals of extents, and that what they say works: each program is compiled as it was refused, and with the remedy.
#include <tegula/tegula.h>
namespace tg = tegula;

#ifdef REMEDY
#define IS(wrong, right) right
#else
#define IS(wrong, right) wrong
#endif
// With a comma inside, and for remedies that are added.
#define CHECKED(...) IS((void)0, tg::check(__VA_ARGS__, "..."))

using row = tg::array<const float, 1>;
using matrix = tg::array<const float, 2>;
using result = tg::array<float, 1>;

TEGULA_KERNEL void constants(result o) {
  auto made = tg::empty<float>(64);
  // CHECK: remedies.cpp:[[@LINE+1]]:3: error: this check fails in every call, because its condition is a compile-time constant: a block has 32 elements [tegula-check-extents]
  tg::check(made.dim(0) == IS(32, 64), "a block has 32 elements");
  if (o.dim(0) == 7)
    tg::check(false, "7 is not for us"); // In a branch it is one way to say so.
  tg::pallas_call([](auto made) { made[tg::all] = 0.0f; }, tg::out(made));
}

TEGULA_KERNEL void dims(row x, row y, result o) {
  CHECKED(o.dim(0) == x.dim(0));
  CHECKED(x.dim(0) == y.dim(0));
  // CHECK: remedies.cpp:[[@LINE+4]]:72: error: these tiles may differ in extent along dimension 0: x.dim(0) and y.dim(0)
  // CHECK: note: refuse other calls before the launch: tg::check(x.dim(0) == y.dim(0), "...")
  // CHECK: remedies.cpp:[[@LINE+2]]:59: error: the tile and the ref that it is stored to may differ in extent along dimension 0: o.dim(0) and x.dim(0)
  // CHECK: note: refuse other calls before the launch: tg::check(o.dim(0) == x.dim(0), "...")
  tg::pallas_call([](auto x, auto y, auto o) { o[tg::all] = x[tg::all] + y[tg::all]; }, tg::in(x), tg::in(y), tg::out(o));
}

TEGULA_KERNEL result static_with_run_time(row x) {
  CHECKED(x.dim(0) == 64);
  auto o = tg::empty<float>(64);
  // CHECK: remedies.cpp:[[@LINE+2]]:{{[0-9]+}}: error: these tiles may differ in extent along dimension 0: x.dim(0) and 64
  // CHECK: note: refuse other calls before the launch: tg::check(x.dim(0) == 64, "...")
  tg::pallas_call([](auto x, auto o) { o[tg::all] = x[tg::all] + tg::iota<float, 64>(); }, tg::in(x), tg::out(o));
  return o;
}

TEGULA_KERNEL void static_into_run_time(result o) {
  CHECKED(o.dim(0) == 64);
  // CHECK: remedies.cpp:[[@LINE+2]]:{{[0-9]+}}: error: the tile and the ref that it is stored to may differ in extent along dimension 0: o.dim(0) and 64
  // CHECK: note: refuse other calls before the launch: tg::check(o.dim(0) == 64, "...")
  tg::pallas_call([](auto o) { o[tg::all] = tg::iota<float, 64>(); }, tg::out(o));
}

TEGULA_KERNEL result window_at_the_edge(row x) {
  auto o = tg::empty<float>(64);
  tg::pallas_call(
      [](auto x, auto o) {
        // CHECK: remedies.cpp:[[@LINE+2]]:20: error: the tile and the ref that it is stored to may differ in extent along dimension 0: 64 and at most 64 of x.dim(0) from 0
        // CHECK: note: refuse other calls before the launch: tg::check(x.dim(0) == 64, "..."); or, if the block may be partial, load all of its elements, tg::load(block, true, other)
        o[tg::all] = IS(x[tg::ds<64>(0)], tg::load(x.at(tg::ds<64>(0)), true, 0.0f)) * 2.0f;
      },
      tg::in(x), tg::out(o));
  return o;
}

TEGULA_KERNEL result block_of_the_array(row x) {
  CHECKED(x.dim(0) == 128);
  auto o = tg::empty<float>(128);
  // CHECK: remedies.cpp:[[@LINE+2]]:{{[0-9]+}}: error: the tile and the ref that it is stored to may differ in extent along dimension 0: 128 and at most 128 of x.dim(0) from 0
  // CHECK: note: refuse other calls before the launch: tg::check(x.dim(0) == 128, "...");
  tg::pallas_call([](auto x, auto o) { o[tg::all] = 2.0f * x[tg::all]; }, tg::in<128>(x, [] { return tg::index(0); }), tg::out(o));
  return o;
}

TEGULA_KERNEL void block_into_an_array(row x, result o) {
  CHECKED(x.dim(0) == 128 && o.dim(0) == 128);
  // CHECK: remedies.cpp:[[@LINE+2]]:{{[0-9]+}}: error: the tile and the ref that it is stored to may differ in extent along dimension 0: o.dim(0) and at most 128 of x.dim(0) from 0
  // CHECK: note: refuse other calls before the launch: tg::check(x.dim(0) == 128 && o.dim(0) == 128, "...")
  tg::pallas_call([](auto x, auto o) { o[tg::all] = 2.0f * x[tg::all]; }, tg::in<128>(x, [] { return tg::index(0); }), tg::out(o));
}

TEGULA_KERNEL result block_with_an_array(row x, row y) {
  CHECKED(y.dim(0) == 128);
  CHECKED(x.dim(0) == 128 && y.dim(0) == 128);
  auto o = tg::empty_like(y);
  // CHECK: remedies.cpp:[[@LINE+4]]:{{[0-9]+}}: error: these tiles may differ in extent along dimension 0: y.dim(0) and 128
  // CHECK: note: refuse other calls before the launch: tg::check(y.dim(0) == 128, "...")
  // CHECK: remedies.cpp:[[@LINE+2]]:{{[0-9]+}}: error: these tiles may differ in extent along dimension 0: at most 128 of x.dim(0) from 0 and y.dim(0)
  // CHECK: note: refuse other calls before the launch: tg::check(x.dim(0) == 128 && y.dim(0) == 128, "...")
  tg::pallas_call([](auto x, auto y, auto o) { o[tg::all] = x[tg::all] * y[tg::all]; }, tg::in<128>(x, [] { return tg::index(0); }), tg::in(y), tg::out(o));
  return o;
}

TEGULA_KERNEL void window_further_on(row x, result o) {
  tg::check(o.dim(0) == 64, "o has 64 elements");
  CHECKED(x.dim(0) >= 192);
  // CHECK: remedies.cpp:[[@LINE+2]]:{{[0-9]+}}: error: the tile and the ref that it is stored to may differ in extent along dimension 0: 64 and at most 64 of x.dim(0) from 128
  // CHECK: note: refuse other calls before the launch: tg::check(x.dim(0) >= 192, "...");
  tg::pallas_call([](auto x, auto o) { o[tg::all] = x[tg::ds<64>(128)]; }, tg::in(x), tg::out(o));
}

TEGULA_KERNEL tg::array<float, 2> rows_of_blocks(row x) {
  CHECKED(x.dim(0) % 64 == 0);
  auto o = tg::empty<float>(tg::cdiv(x.dim(0), 64), 64);
  tg::pallas_call(
      {.grid = {o.dim(0)}},
      // CHECK: remedies.cpp:[[@LINE+2]]:{{[0-9]+}}: error: the tile and the ref that it is stored to may differ in extent along dimension 0: 64 and at most 64 of x.dim(0) from (64 * program_id(0))
      // CHECK: note: refuse other calls before the launch: tg::check(x.dim(0) % 64 == 0, "...");
      [](auto x, auto o) { o[tg::all] = x[tg::all]; }, tg::in<64>(x, [](auto i) { return tg::index(i); }),
      tg::out<tg::squeezed, 64>(o, [](auto i) { return tg::index(i, 0); }));
  return o;
}

// Sums of what the caller gives may be more than 64 bits hold: the check has none.
TEGULA_KERNEL result slice_of_the_array(row x, tg::s64 start, tg::s64 n) {
  CHECKED(start >= 0 && n <= x.dim(0) - start);
  auto o = tg::empty<float>(n);
  // CHECK: remedies.cpp:[[@LINE+2]]:{{[0-9]+}}: error: the tile and the ref that it is stored to may differ in extent along dimension 0: n and at most n of x.dim(0) from start
  // CHECK: note: refuse other calls before the launch: tg::check(start >= 0 && n <= x.dim(0) - start, "...")
  tg::pallas_call([=](auto x, auto o) { o[tg::all] = x[tg::ds(start, n)]; }, tg::in(x), tg::out(o));
  return o;
}

// The same mistake of several instances is one.
template <int N> TEGULA_KERNEL void instances(row x, result o) {
  CHECKED(o.dim(0) == x.dim(0));
  // CHECK: remedies.cpp:[[@LINE+2]]:{{[0-9]+}}: error: the tile and the ref that it is stored to may differ in extent along dimension 0: o.dim(0) and x.dim(0)
  // CHECK: note: refuse other calls before the launch: tg::check(o.dim(0) == x.dim(0), "...")
  tg::pallas_call([](auto x, auto o) { o[tg::all] = x[tg::all] * N; }, tg::in(x), tg::out(o));
}
TEGULA_INSTANTIATE("of_1", instances<1>);
TEGULA_INSTANTIATE("of_2", instances<2>);
TEGULA_INSTANTIATE("of_3", instances<3>);

TEGULA_KERNEL void moved_windows(row x, result o) {
  tg::check(o.dim(0) == x.dim(0), "x and o differ in length");
  const auto of_64 = [](auto i) { return tg::index(i); };
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 64)}},
      [](auto x, auto o) {
        const auto i = 64 * tg::program_id(0);
        const auto now = IS(x[tg::ds<64>(i)], tg::load(x.at(tg::ds<64>(i)), true, 0.0f));
        const auto next = IS(x[tg::ds<64>(i + 1)], tg::load(x.at(tg::ds<64>(i + 1)), true, 0.0f));
        // CHECK: remedies.cpp:[[@LINE+2]]:27: error: these tiles may differ in extent along dimension 0: at most 64 of x.dim(0) from ((64 * program_id(0)) + 1) and at most 64 of x.dim(0) from (64 * program_id(0))
        // CHECK: note: blocks that begin at different indices have different extents at the end of an array: load all elements of each, tg::load(block, true, other), or of a window tg::load(x.at(tg::ds<64>(i)), true, other)
        o[tg::all] = next - now;
      },
      tg::in(x), tg::out<64>(o, of_64));
}

TEGULA_KERNEL result halves(row x, tg::s64 n) {
  CHECKED(n <= x.dim(0) && (x.dim(0) - n) + n <= x.dim(0));
  auto o = tg::empty<float>(n);
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: remedies.cpp:[[@LINE+2]]:{{[0-9]+}}: error: these tiles may differ in extent along dimension 0: at most n of x.dim(0) from 0 and n
        // CHECK: note: refuse other calls before the launch: tg::check(n <= x.dim(0), "...")
        o[tg::all] = x[tg::ds(0, n)] * tg::iota<float>(n);
      },
      tg::in(x), tg::out(o));
  return o;
}

TEGULA_KERNEL void ragged(matrix x, tg::array<const int, 1> n, result o) {
  tg::check(x.dim(0) == n.dim(0) && o.dim(0) == n.dim(0), "x has a row for each of n");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto n, auto o) {
        const tg::s64 size = n[];
        const auto t = x[tg::ds(0, size)];
        // CHECK: remedies.cpp:[[@LINE+2]]:{{[0-9]+}}: error: these tiles may differ in extent along dimension 0: at most a run-time value of x.dim(1) from 0 and a run-time value
        // CHECK: note: a slice of run-time size is clipped at the end of its array: take the extent from the slice itself, t.dim(0), or limit the size to the rest of the array, tg::minimum(size, x.dim(0) - start)
        o[] = tg::sum(t * tg::iota<float>(IS(size, t.dim(0))));
      },
      tg::in<tg::squeezed, tg::whole>(x, [](auto i) { return tg::index(i, 0); }),
      tg::in<tg::squeezed>(n, [](auto i) { return tg::index(i); }),
      tg::out<tg::squeezed>(o, [](auto i) { return tg::index(i); }));
}

TEGULA_KERNEL void minimum(matrix x, tg::array<const int, 1> n, result o) {
  tg::check(x.dim(0) == n.dim(0) && o.dim(0) == n.dim(0), "x has a row for each of n");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto n, auto o) {
        const tg::s64 size = IS(n[], tg::minimum(tg::s64(n[]), x.dim(0) - 1));
        // CHECK: remedies.cpp:[[@LINE+2]]:{{[0-9]+}}: error: these tiles may differ in extent along dimension 0: at most a run-time value of x.dim(1) from 1 and a run-time value
        // CHECK: note: a slice of run-time size is clipped at the end of its array: take the extent from the slice itself, t.dim(0), or limit the size to the rest of the array, tg::minimum(size, x.dim(0) - start)
        o[] = tg::sum(x[tg::ds(1, size)] * tg::iota<float>(size));
      },
      tg::in<tg::squeezed, tg::whole>(x, [](auto i) { return tg::index(i, 0); }),
      tg::in<tg::squeezed>(n, [](auto i) { return tg::index(i); }),
      tg::out<tg::squeezed>(o, [](auto i) { return tg::index(i); }));
}

TEGULA_KERNEL result masked(row x, tg::s64 n) {
  auto o = tg::empty<float>(64);
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: remedies.cpp:[[@LINE+2]]:20: error: the tile and the ref that it is stored to may differ in extent along dimension 0: 64 and at most n of x.dim(0) from 0
        // CHECK: note: a slice of run-time size is clipped at the end of its array: take a static one with a mask, as in tg::load(x.at(tg::ds<64>(start)), tg::iota<tg::s64, 64>() < size, other)
        o[tg::all] = IS(x[tg::ds(0, n)], tg::load(x.at(tg::ds<64>(0)), tg::iota<tg::s64, 64>() < n, 0.0f));
      },
      tg::in(x), tg::out(o));
  return o;
}

TEGULA_KERNEL result folded(row x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      [](auto x, auto o) {
        auto t = x[tg::all];
        const auto i = tg::iota<tg::s64>(x.dim(0));
        for (tg::s64 n = x.dim(0) / 2; n > 0; n /= 2)
          // CHECK: remedies.cpp:[[@LINE+2]]:13: error: these tiles may differ in extent along dimension 0: x.dim(0) and at most n of x.dim(0) from n
          // CHECK: note: a slice of run-time size is clipped at the end of its array: take a static one with a mask, as in tg::load(x.at(tg::ds<64>(start)), tg::iota<tg::s64, 64>() < size, other), or for any extent n, with i = tg::iota<tg::s64>(n), tg::load(x.at(start + i), i < size, other)
          t += IS(x[tg::ds(n, n)], tg::load(x.at(n + i), i < n, 0.0f));
        o[tg::all] = t;
      },
      tg::in(x), tg::out(o));
  return o;
}

TEGULA_KERNEL void halves(row x, result o) {
  tg::check(o.dim(0) == x.dim(0) / 2, "o is half as long as x");
  CHECKED((x.dim(0) / 2) == (x.dim(0) - (x.dim(0) / 2)));
  tg::pallas_call(
      [](auto x, auto o) {
        const auto h = x.dim(0) / 2;
        // CHECK: remedies.cpp:[[@LINE+2]]:38: error: these tiles may differ in extent along dimension 0: (x.dim(0) / 2) and (x.dim(0) - (x.dim(0) / 2))
        // CHECK: note: refuse other calls before the launch: tg::check((x.dim(0) / 2) == (x.dim(0) - (x.dim(0) / 2)), "...")
        o[tg::all] = x[tg::ds(0, h)] + x[tg::ds(h, x.dim(0) - h)];
      },
      tg::in(x), tg::out(o));
}

TEGULA_KERNEL void longer_by_a_negative_half(row x, result o, tg::s64 n) {
  tg::check(n % 2 == 0 && n >= IS(-8, 0), "n is even");
  tg::check(o.dim(0) == x.dim(0) - n / 2, "o is as long as what is left");
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: remedies.cpp:[[@LINE+2]]:20: error: the tile and the ref that it is stored to may differ in extent along dimension 0: (x.dim(0) - (n / 2)) and at most (x.dim(0) - (n / 2)) of x.dim(0) from 0
        // CHECK: note: refuse other calls before the launch: tg::check((x.dim(0) - (n / 2)) <= x.dim(0), "...")
        o[tg::all] = x[tg::ds(0, x.dim(0) - n / 2)];
      },
      tg::in(x), tg::out(o));
}

TEGULA_KERNEL void moved_to_the_front(row x, result o, int start, int size) {
  CHECKED(x.dim(0) <= o.dim(0));
  tg::pallas_call(
      [=](auto x, auto o) {
        const auto t = x[tg::ds(start, size)];
        // CHECK: remedies.cpp:[[@LINE+2]]:32: error: the tile and the ref that it is stored to may differ in extent along dimension 0: at most (at most size of x.dim(0) from start) of o.dim(0) from 0 and at most size of x.dim(0) from start
        // CHECK: note: refuse other calls before the launch: tg::check(x.dim(0) <= o.dim(0), "...")
        o[tg::ds(0, t.dim(0))] = t;
      },
      tg::in(x), tg::partial_out(o));
}

TEGULA_KERNEL void moved_by_seven(row x, result o, int start, int size) {
  tg::pallas_call(
      [=](auto x, auto o) {
        const auto both = tg::minimum(tg::minimum(size, x.dim(0) - start), o.dim(0) - 7);
        const auto t = x[tg::ds(start, IS(size, both))];
        // CHECK: remedies.cpp:[[@LINE+2]]:{{[0-9]+}}: error: the tile and the ref that it is stored to may differ in extent along dimension 0: at most (at most size of x.dim(0) from start) of o.dim(0) from 7 and at most size of x.dim(0) from start
        // CHECK: note: a slice of run-time size is clipped at the end of its array: limit both sizes to what each of the arrays has, tg::minimum(tg::minimum(size, x.dim(0) - start), y.dim(0) - first)
        o[tg::ds(7, IS(t.dim(0), both))] = t;
      },
      tg::in(x), tg::partial_out(o));
}

TEGULA_KERNEL void one_row(matrix x, matrix y, tg::array<float, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "x and o differ in shape");
  tg::check(y.dim(0) == 1 && y.dim(1) == x.dim(1), "y is one row as wide as x");
  tg::pallas_call(
      [](auto x, auto y, auto o) {
        // CHECK: remedies.cpp:[[@LINE+2]]:{{[0-9]+}}: error: these tiles may differ in extent along dimension 0: o.dim(0) and 1
        // CHECK: note: an extent of 1 broadcasts only if it is static: a block tg::in<1, ...>, a slice tg::ds<1>(i), tg::full<float, 1>(value)
        o[tg::all] = x[tg::all] + IS(y[tg::all], y[tg::ds<1>(0)]);
      },
      tg::in(x), tg::in(y), tg::out(o));
}

TEGULA_KERNEL tg::array<float, 2> softmax(matrix x) {
  auto o = tg::empty_like(x);
  const auto map = [](auto i) { return tg::index(i, 0); };
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 4)}},
      [](auto x, auto o) {
        const auto t = x[tg::all];
        // CHECK: remedies.cpp:[[@LINE+2]]:{{[0-9]+}}: error: a reduction drops the axis that it reduces, so its result is aligned with dimension 1 of the other operand, and may differ in extent along dimension 1: at most 4 of x.dim(0) from (4 * program_id(0)) and x.dim(1)
        // CHECK: note: keep the axis, as in tg::max<1>(x, tg::keepdims): it then has extent 1 and broadcasts
        const auto e = tg::exp(t - IS(tg::max<1>(t), tg::max<1>(t, tg::keepdims)));
        o[tg::all] = e;
      },
      tg::in<4, tg::whole>(x, map), tg::out<4, tg::whole>(o, map));
  return o;
}

TEGULA_KERNEL void rolling(row x, result o) {
  CHECKED(x.dim(0) % 64 == 0);
  tg::pallas_call(
      [](auto x, auto o) {
        auto t = tg::zeros<float, 64>();
        // CHECK: remedies.cpp:[[@LINE+2]]:9: error: a tile that this loop carries has an extent along dimension 0 that is known only inside: at most 64 of x.dim(0) from (64 * k)
        // CHECK: note: carry full blocks: tg::load(block, true, other) has all elements of one at the edge, too; or refuse partial blocks before the launch: tg::check(x.dim(0) % 64 == 0, "...")
        for (tg::s64 k = 0; k < tg::cdiv(x.dim(0), 64); ++k)
          t += x[tg::ds<64>(64 * k)];
        o[0] = tg::sum(t);
      },
      tg::in(x), tg::out(o));
}

TEGULA_KERNEL void product(matrix x, matrix y, tg::array<float, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && y.dim(1) == o.dim(1), "o is not of the product's shape");
  CHECKED(x.dim(1) == y.dim(0));
  // CHECK: remedies.cpp:[[@LINE+2]]:{{[0-9]+}}: error: the operands of this product may differ in extent along dimension 0: x.dim(1) and y.dim(0)
  // CHECK: note: refuse other calls before the launch: tg::check(x.dim(1) == y.dim(0), "...")
  tg::pallas_call([](auto x, auto y, auto o) { o[tg::all] = tg::dot(x[tg::all], y[tg::all]); }, tg::in(x), tg::in(y),
                  tg::out(o));
}

TEGULA_KERNEL void parts_with_a_step(row x, result o) {
  CHECKED(x.dim(0) == 2 * o.dim(0));
  tg::pallas_call(
      [](auto x, auto o) {
        // CHECK: remedies.cpp:[[@LINE+4]]:48: error: these tiles may differ in extent along dimension 0: at most o.dim(0) of x.dim(0) from 0 by 2 and at most o.dim(0) of x.dim(0) from 1 by 2
        // CHECK: note: a slice with a step may be clipped at the end of its array: check in host code that it is not, tg::check(x.dim(0) == 2 * n, "...") or tg::check(x.dim(0) % 2 == 0, "..."), or load all elements of a static one, tg::load(x.at(tg::ds<64>(start, 2)), true, other)
        // CHECK: remedies.cpp:[[@LINE+2]]:20: error: the tile and the ref that it is stored to may differ in extent along dimension 0: o.dim(0) and at most o.dim(0) of x.dim(0) from 0 by 2
        // CHECK: note: a slice with a step may be clipped at the end of its array
        o[tg::all] = x[tg::ds(0, o.dim(0), 2)] + x[tg::ds(1, o.dim(0), 2)];
      },
      tg::in(x), tg::inout(o));
}

TEGULA_KERNEL void static_parts_with_a_step(row x, result o) {
  tg::check(o.dim(0) >= 64, "o has 64 elements");
  tg::pallas_call(
      [](auto x, auto o) {
        // CHECK: remedies.cpp:[[@LINE+2]]:26: error: the tile and the ref that it is stored to may differ in extent along dimension 0: 64 and at most 64 of x.dim(0) from 0 by 3
        // CHECK: note: a slice with a step may be clipped at the end of its array
        o[tg::ds<64>(0)] = IS(x[tg::ds<64>(0, 3)], tg::load(x.at(tg::ds<64>(0, 3)), true, 0));
      },
      tg::in(x), tg::inout(o));
}

TEGULA_KERNEL void top_of_an_edge_block(row x, result o) {
  tg::check(o.dim(0) == 8, "o has 8 elements");
  tg::pallas_call(
      [](auto x, auto o) {
        // CHECK: remedies.cpp:[[@LINE+2]]:20: error: the tile and the ref that it is stored to may differ in extent along dimension 0
        // CHECK: note: a block at the edge of its array may have fewer elements than are taken of the sorted ones: pad it with values that sort last, tg::load(x, true, -tg::inf), or for integers the least
        o[tg::all] = tg::top_k<8>(IS(x[tg::all], tg::load(x, true, -tg::inf))).first;
      },
      tg::in<64>(x, [] { return tg::index(0); }), tg::out(o));
}

TEGULA_KERNEL void top_of_rows(matrix x, tg::array<float, 2> o) {
  tg::check(o.dim(0) == x.dim(0) && o.dim(1) == 8, "o has 8 elements for each row of x");
  CHECKED(8 <= x.dim(1));
  const auto of_row = [](auto i) { return tg::index(i, 0); };
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o) {
        // CHECK: remedies.cpp:[[@LINE+2]]:20: error: the tile and the ref that it is stored to may differ in extent along dimension 0: 8 and at most 8 of x.dim(1) from 0
        // CHECK: note: refuse other calls before the launch: tg::check(8 <= x.dim(1), "...")
        o[tg::all] = tg::top_k<8>(x[tg::all]).first;
      },
      tg::in<tg::squeezed, tg::whole>(x, of_row), tg::out<tg::squeezed, 8>(o, of_row));
}
