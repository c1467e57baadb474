// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long rows that are not sorted, each for its reason and with what to write instead.
// RUN: not tegulac --arch sm_90a --emit=tile-split %s -o - 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto row = [](auto i) { return tg::index(i, 0); };

TEGULA_KERNEL void in_loop(tg::array<float, 1> o, tg::array<const float, 2> x) {
  tg::check(o.dim(0) == x.dim(1), "shapes");
  tg::pallas_call(
      [=](auto o) {
        // Data says how often: the host cannot launch each.
        for (tg::s64 i = 0; x[i, 0] > 0; ++i)
          // CHECK: errors.cpp:[[@LINE+2]]:{{[0-9]+}}: error: all of dimension 0 is sorted together, and may be more than a thread group can hold; all of the GPU sorts such rows, but not in loops and branches: store them to an array, and sort that in a launch of its own
          // CHECK: note: use static blocks of at most 8192 elements along it, of which those out of bounds are not sorted
          o[tg::all] = tg::sort(x[i, tg::all]);
      },
      tg::inout(o));
}

TEGULA_KERNEL void two_keys(tg::array<float, 1> o, tg::array<const float, 1> x, tg::array<const int, 1> y) {
  tg::check(o.dim(0) == x.dim(0) && y.dim(0) == x.dim(0), "shapes");
  tg::pallas_call(
      [](auto o, auto x, auto y) {
        // CHECK: errors.cpp:[[@LINE+1]]:{{[0-9]+}}: error: all of dimension 0 is sorted together, {{.*}}, but not by several keys: sort by the last one first, each in a launch of its own
        o[tg::all] = tg::sort<0, 2>(tg::tuple(x[tg::all], y[tg::all])).first;
      },
      tg::out(o), tg::in(x), tg::in(y));
}

TEGULA_KERNEL void three(tg::array<float, 1> o, tg::array<const float, 1> x, tg::array<const int, 1> y) {
  tg::check(o.dim(0) == x.dim(0) && y.dim(0) == x.dim(0), "shapes");
  tg::pallas_call(
      [](auto o, auto x, auto y) {
        // CHECK: errors.cpp:[[@LINE+1]]:{{[0-9]+}}: error: all of dimension 0 is sorted together, {{.*}}, but not several tiles with a key: sort the places, tg::argsort, and gather the others in a launch behind
        o[tg::all] = tg::sort(tg::tuple(x[tg::all], y[tg::all], x[tg::all])).third;
      },
      tg::out(o), tg::in(x), tg::in(y));
}

TEGULA_KERNEL void ragged(tg::array<float, 2> o, tg::array<const float, 2> x) {
  tg::check(o.dim(0) == x.dim(0) && o.dim(1) == x.dim(1) && x.dim(1) <= 10000, "shapes");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto o, auto x) {
        // CHECK: errors.cpp:[[@LINE+1]]:{{[0-9]+}}: error: all of dimension 0 is sorted together, {{.*}}, but not rows that end elsewhere in each program: take whole dimensions of arrays, tg::whole, or fill what is missing by a masked load
        o[tg::all] = tg::sort(x[tg::all]);
      },
      tg::out<tg::squeezed, 10000>(o, row), tg::in<tg::squeezed, 10000>(x, row));
}
