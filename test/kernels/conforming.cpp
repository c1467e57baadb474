// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles that are made, and conform to boundary blocks: scanned from the end, assigned to variables, repeated in
// run-time extents.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto block_of = [](auto i) { return tg::index(i); };

/// What is made like a block at the end of an array, scanned from its last element.
TEGULA_KERNEL void scan_made_from_end(tg::array<const int, 1> x, tg::array<int, 1> count, tg::array<int, 1> most,
                                      tg::array<int, 1> both) {
  tg::check(count.dim(0) == x.dim(0) && most.dim(0) == x.dim(0) && both.dim(0) == x.dim(0), "one for each of x");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 100)}},
      [](auto x, auto count, auto most, auto both) {
        const auto t = x[tg::all];
        count[tg::all] = tg::cumsum<0>(tg::full_like(t, 1), tg::reverse);
        most[tg::all] = tg::cummax<0>(tg::zeros_like(t) + 3 * tg::iota_like<int, 0>(t), tg::reverse);
        const auto add = [](int a, int b) { return a + b; };
        both[tg::all] = tg::associative_scan<0>(tg::full_like(t, 2) - tg::zeros_like(t), 0, add, tg::reverse);
      },
      tg::in<100>(x, block_of), tg::out<100>(count, block_of), tg::out<100>(most, block_of),
      tg::out<100>(both, block_of));
}

/// A variable that begins as a block keeps its extent, whatever it is assigned.
TEGULA_KERNEL void assign_made(tg::array<const int, 1> x, tg::array<int, 1> o, tg::array<int, 1> reversed,
                               tg::array<int, 2> found) {
  tg::check(o.dim(0) == x.dim(0) && reversed.dim(0) == x.dim(0), "one for each of x");
  tg::check(found.dim(0) == tg::cdiv(x.dim(0), 100) && found.dim(1) == 4, "four for each block");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 100)}},
      [](auto x, auto o, auto reversed, auto found) {
        auto m = x[tg::all];
        m = tg::full<int, 100>(7); // Once more than is used.
        m = tg::iota<int, 100>();
        o[tg::all] = x[tg::all] + tg::sum(m);
        reversed[tg::all] = tg::flip<0>(m);
        found[0] = tg::max(m);
        found[1] = tg::argmax(m);
        found[2] = static_cast<int>(m.dim(0));
        m = 3; // A scalar, too.
        found[3] = tg::sum(m);
      },
      tg::in<100>(x, block_of), tg::out<100>(o, block_of), tg::out<100>(reversed, block_of),
      tg::out<tg::squeezed, 4>(found, [](auto i) { return tg::index(i, 0); }));
}

/// So it does in branches and loops.
TEGULA_KERNEL void assign_in_branches(tg::array<const int, 1> x, tg::array<int, 1> o, tg::array<int, 1> moved,
                                      int which, int steps) {
  tg::check(o.dim(0) == x.dim(0) && moved.dim(0) == x.dim(0), "one for each of x");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 100)}},
      [=](auto x, auto o, auto moved) {
        auto m = x[tg::all];
        if (which > 0)
          m = tg::iota<int, 100>();
        else
          m = tg::full<int, 100>(2);
        auto n = x[tg::all];
        for (int i = 0; i < steps; ++i)
          n = 5 * tg::iota<int, 100>() + i;
        o[tg::all] = x[tg::all] + tg::sum(m) + 1000 * tg::sum(n);
        moved[tg::all] = tg::roll<0>(m, 1) + tg::sort<0>(n);
      },
      tg::in<100>(x, block_of), tg::out<100>(o, block_of), tg::out<100>(moved, block_of));
}

/// Of whole arrays: an element that is repeated.
TEGULA_KERNEL void assign_repeated(tg::array<const int, 1> x, tg::array<int, 1> o, int which) {
  tg::check(o.dim(0) == x.dim(0), "one for each of x");
  tg::pallas_call(
      [=](auto x, auto o) {
        auto m = x[tg::all];
        m = tg::full<int, 1>(5);
        if (which > 0) {
          m = tg::full<int, 1>(2);
          m = tg::full<int, 1>(3);
        } else {
          m = tg::full<int, 1>(4);
        }
        o[tg::all] = x[tg::all] + tg::sum(m);
      },
      tg::in(x), tg::out(o));
}

/// What is repeated along new dimensions is as large as it is asked to be.
TEGULA_KERNEL void repeat_at_run_time(tg::array<const int, 1> x, tg::array<int, 1> sums, tg::array<int, 1> scanned,
                                      tg::array<int, 1> assigned, tg::s64 n) {
  tg::check(sums.dim(0) == 3, "three sums");
  tg::check(scanned.dim(0) == x.dim(0) && assigned.dim(0) == x.dim(0), "one for each of x");
  tg::pallas_call(
      [=](auto x, auto sums, auto scanned, auto assigned) {
        const auto t = tg::broadcast_to(x[tg::all], n, x.dim(0));
        sums[0] = tg::sum(t);
        sums[1] = tg::sum(tg::broadcast_to(tg::full<int, 1>(7), n));
        sums[2] = static_cast<int>(t.dim(0));
        scanned[tg::all] = tg::max<0>(tg::cumsum<0>(t));
        auto m = tg::broadcast_to(tg::full<int, 1, 1>(2), n, x.dim(0));
        m = tg::broadcast_to(x[tg::all], n, x.dim(0));
        m = m + 1;
        assigned[tg::all] = tg::sum<0>(m);
      },
      tg::in(x), tg::out(sums), tg::out(scanned), tg::out(assigned));
}

/// A loop that moves a block of three dimensions, of which one element is wanted: the host runs it, on scratch memory.
TEGULA_KERNEL void roll_steps(tg::array<const int, 3> x, tg::array<int, 1> first, tg::array<int, 3> o, int steps) {
  tg::check(first.dim(0) == tg::cdiv(x.dim(1), 16), "one for each block");
  tg::check(o.dim(0) == x.dim(0) && o.dim(1) == x.dim(1) && o.dim(2) == x.dim(2), "o is as large as x");
  const auto planes = [](auto i) { return tg::index(0, i, 0); };
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(1), 16)}},
      [=](auto x, auto first, auto o) {
        auto t = x[tg::all];
        for (int i = 0; i < steps; ++i)
          t = tg::roll<0>(t, 1);
        first[] = t[0, 0, 0];
        o[tg::all] = t;
      },
      tg::in<100, 16, tg::whole>(x, planes), tg::out<tg::squeezed>(first, block_of),
      tg::out<100, 16, tg::whole>(o, planes));
}

/// What is the same at all indices is taken as often as there are indices.
TEGULA_KERNEL void take_made(tg::array<const int, 1> x, tg::array<int, 2> o) {
  tg::check(o.dim(0) == tg::cdiv(x.dim(0), 16) && o.dim(1) == 8, "eight for each block");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 16)}},
      [](auto x, auto o) {
        const auto places = tg::clamp(x[tg::all], 0, 12);
        const auto along = tg::take_along_axis<0>(tg::full<int, 16>(3)[tg::ds<13>(0)], places);
        o[0] = tg::sum(along);
        o[1] = static_cast<int>(tg::tiled<2>(along).dim(0));
        o[2] = tg::sum(tg::full<int, 16>(5)[places] * 1);
        o[3] = tg::sum(tg::transpose<1, 0>(tg::full<int, 16, 4>(2))[tg::all, places]);
        o[4] = tg::sum(tg::take<0>(tg::broadcasted_iota<int, 1, 13, 4>(), places));
        o[5] = tg::sum(tg::take<0>(tg::full<int, 13>(1), tg::clamp(tg::iota<int, 100>(), 0, 12)));
        o[6] = tg::sum(tg::take<0>(tg::broadcasted_iota<int, 1, 16, 16>()[tg::all, tg::ds<4>(2)], places));
        o[7] = tg::sum(tg::full<int, 8, 16>(2)[tg::iota<int, 16>() % 4, places]);
      },
      tg::in<16>(x, block_of), tg::out<tg::squeezed, tg::whole>(o, [](auto i) { return tg::index(i, 0); }));
}

/// What conforms, and of which elements and a part are taken; repeated to the extents of what conforms.
TEGULA_KERNEL void take_and_cut(tg::array<const int, 1> x, tg::array<int, 1> o, tg::s64 n) {
  tg::check(o.dim(0) == 7, "seven numbers");
  tg::pallas_call(
      [=](auto x, auto o) {
        const auto t = tg::roll<1>(tg::cumsum<1>(tg::full<int, 7, 7>(1)), 3);
        o[0] = tg::min(tg::roll<0>(t, 2));
        o[1] = t[tg::all, tg::ds<5>(0)][0, 0];
        o[2] = tg::sum(t[tg::all, tg::ds<5>(0)]);
        const auto repeated = tg::broadcast_to(tg::iota<int, 1>() + 4, n, tg::flip<0>(tg::load(x, true, 1)).dim(0));
        o[3] = static_cast<int>(repeated.dim(0));
        o[4] = static_cast<int>(repeated.dim(1));
        o[5] = tg::sum(repeated);
        const auto padded = tg::pad<0, 3, 0>(x[tg::all], 2);
        o[6] = tg::sum(tg::broadcast_to(padded, n, padded.dim(0)));
      },
      tg::in<16>(x, [] { return tg::index(0); }), tg::out(o));
}

/// A variable that keeps its extent where a loop that is known to run assigns it, and where a branch does.
TEGULA_KERNEL void assign_in_loops(tg::array<const int, 1> x, tg::array<int, 2> o) {
  tg::check(o.dim(0) == tg::cdiv(x.dim(0), 100) && o.dim(1) == 3, "three for each block");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 100)}},
      [](auto x, auto o) {
        auto t = x[tg::all];
        for (int i = 0; i < 2; ++i)
          t = tg::iota<int, 100>();
        o[0] = tg::sum(t);
        o[1] = tg::sum(tg::iota<int, 100>());
        if (tg::program_id(0) >= 1)
          t = x[tg::all] - x[tg::all];
        else
          t = tg::full<int, 100>(2);
        o[2] = tg::sum(t);
      },
      tg::in<100>(x, block_of), tg::out<tg::squeezed, tg::whole>(o, [](auto i) { return tg::index(i, 0); }));
}

/// Lengths that the author clamps, of programs that lie beyond the end of whole blocks, too; a tile that conforms at
/// first, and is asked how long it is.
TEGULA_KERNEL void clamp_lengths(tg::array<const int, 1> x, tg::array<const int, 1> y, tg::array<int, 2> o) {
  tg::check(x.dim(0) % 16 == 0, "x is of whole blocks");
  tg::check(o.dim(0) == tg::cdiv(y.dim(0), 16) && o.dim(1) == 3, "three for each block of y");
  tg::pallas_call(
      {.grid = {tg::cdiv(y.dim(0), 16)}},
      [=](auto x, auto y, auto o) {
        const tg::s64 start = tg::program_id(0) * 16, none = 0, most = 16;
        o[0] = tg::sum(tg::iota<int>(tg::minimum(tg::maximum(x.dim(0) - start, none), most)));
        o[1] = tg::sum(tg::iota<int>(tg::maximum(tg::minimum(x.dim(0) - start, most), none)));
        auto t = tg::zeros<int, 16>();
        for (int i = 0; i < 3; ++i)
          t = t + y[tg::all] * tg::iota<int>(t.dim(0));
        o[2] = tg::sum(t);
      },
      tg::in(x), tg::in<16>(y, block_of), tg::out<tg::squeezed, tg::whole>(o, [](auto i) { return tg::index(i, 0); }));
}

/// A slice of a tile, which may lie wholly beyond what the tile has.
TEGULA_KERNEL void slice_beyond_end(tg::array<const int, 1> x, tg::array<int, 2> o) {
  tg::check(o.dim(0) == tg::cdiv(x.dim(0), 7) && o.dim(1) == 4, "four for each block");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 7)}},
      [](auto x, auto o) {
        const auto slice = tg::tiled<2>(x[tg::all])[tg::ds<2>(8)];
        o[0] = tg::sum(slice);
        o[1] = static_cast<int>(slice.dim(0));
        int sum = 0;
        for (int i = 0; i < 7; ++i)
          sum += tg::sum(tg::tiled<2>(x[tg::all])[tg::ds<2>(2 * i)]);
        o[2] = sum;
        o[3] = static_cast<int>(tg::argmax(slice) < 2);
      },
      tg::in<7>(x, block_of), tg::out<tg::squeezed, tg::whole>(o, [](auto i) { return tg::index(i, 0); }));
}

/// A made tile that a loop flips as a whole, and that the product with a block then shortens.
TEGULA_KERNEL void shorten_moved(tg::array<const int, 2> x, tg::array<int, 3> o) {
  tg::check(o.dim(0) == tg::cdiv(x.dim(0), 16) && o.dim(1) == tg::cdiv(x.dim(1), 128) && o.dim(2) == 4,
            "four for each block");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 16), tg::cdiv(x.dim(1), 128)}},
      [](auto x, auto o) {
        auto t = tg::broadcasted_iota<int, 0, 16, 128>();
        for (int i = 0; i < 3; ++i)
          t = tg::flip<0>(t);
        t *= x[tg::all];
        o[0] = t[0, 0];
        o[1] = tg::sum(t);
        o[2] = static_cast<int>(t.dim(0));
        o[3] = static_cast<int>(t.dim(1));
      },
      tg::in<16, 128>(x, [](auto i, auto j) { return tg::index(i, j); }),
      tg::out<tg::squeezed, tg::squeezed, tg::whole>(o, [](auto i, auto j) { return tg::index(i, j, 0); }));
}
