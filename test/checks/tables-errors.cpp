// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists of arrays: what takes several arrays at once, each with its remedy.
// RUN: not tegulac --emit=tile -o - %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void at_once(tg::arrays<const float, 1> xs, tg::arrays<float, 1> os, tg::array<const int, 1> index, int n) {
  tg::pallas_call(
      [=](auto x, auto o, auto index) {
        // CHECK: tables-errors.cpp:[[@LINE+2]]:{{.*}}: error: xs is a list of separately allocated arrays, and this takes several of them at once: take one, xs[i, tg::all] or xs.at(i), or blocks of one, tg::in<tg::squeezed, ...>(xs, map) [tegula-check-tables]
        // CHECK: tables-errors.cpp:[[@LINE+1]]:{{.*}}: error: os is a list of separately allocated arrays
        o[tg::all] = x[tg::all];
        // CHECK: tables-errors.cpp:[[@LINE+1]]:{{.*}}: error: xs is a list of separately allocated arrays
        o[0] = tg::sum<0>(x[tg::ds(0, n), tg::ds<4>(0)]);
        // CHECK: tables-errors.cpp:[[@LINE+1]]:{{.*}}: error: xs is a list of separately allocated arrays
        o[1] = x[index[tg::all], 0];
        // CHECK: tables-errors.cpp:[[@LINE+1]]:{{.*}}: error: xs is a list of separately allocated arrays
        o[2] = tg::transpose_ref(x)[tg::all, 0];
        // CHECK: tables-errors.cpp:[[@LINE+1]]:{{.*}}: error: xs is a list of separately allocated arrays
        o[3] = tg::sum<0>(x[tg::ds<2>(0, 2), tg::ds<4>(0)]);
        // One at a time.
        o[4] = x[n, tg::all];
        o[tg::ds<1>(5)] = x[tg::ds<1>(n)];
        o[6, tg::ds<2>(0, 3)] = x[n, tg::ds<2>(0, 2)];
      },
      tg::in(xs), tg::out(os), tg::in(index));
}

TEGULA_KERNEL void blocks(tg::arrays<const float, 1> xs, tg::array<float, 2> o) {
  tg::pallas_call(
      {.grid = {2}},
      [](auto x, auto o) {
        // CHECK: tables-errors.cpp:[[@LINE+1]]:{{.*}}: error: xs is a list of separately allocated arrays
        o[tg::all] = x[tg::all];
      },
      tg::in<2, 64>(xs, [](auto i) { return tg::index(i, 0); }),
      tg::out<2, 64>(o, [](auto i) { return tg::index(i, 0); }));
}

TEGULA_KERNEL void captured(tg::arrays<const float, 1> xs, tg::array<float, 2> o) {
  // CHECK: tables-errors.cpp:[[@LINE+1]]:{{.*}}: error: xs is a list of separately allocated arrays
  tg::pallas_call([=](auto o) { o[tg::all] = xs[tg::all]; }, tg::out(o));
}

TEGULA_KERNEL void threads(tg::arrays<const float, 1> xs) {
  // CHECK: tables-errors.cpp:[[@LINE+1]]:{{.*}}: error: xs is a list of arrays, which TMA cannot copy and a tg::kernel cannot take: use tg::pallas_call, or pass the kernel one array at a time [tegula-check-tables]
  tg::kernel({.grid = {{"n", xs.size()}}}, [=] { tg::debug_print("{}", xs[tg::axis_index("n"), 0]); });
}
