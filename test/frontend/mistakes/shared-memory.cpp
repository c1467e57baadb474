// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=ptx --arch sm_90a %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: tegulac --emit=ptx --arch sm_90a -DDEPTH=64 %s -o /dev/null
// Threads of a team exchange what is summed over by shared memory, which has an end.
#include <tegula/tegula.h>
namespace tg = tegula;

#ifndef DEPTH
#define DEPTH 512
#endif

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::array<const float, 2> y, tg::array<float, 2> o) {
  tg::check(x.dim(1) == y.dim(0) && o.dim(0) == x.dim(0) && o.dim(1) == y.dim(1), "these shapes make no product");
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), 32)}},
      [](auto x, auto y, auto o) {
        const auto t = x[tg::all];
        const auto p = tg::exp(t - tg::max<1>(t)[tg::all, tg::newaxis]);
        // CHECK: shared-memory.cpp:[[@LINE+1]]:22: error: this takes 197120 bytes of shared memory for the exchange between threads, of 49152: use smaller blocks
        o[tg::all] = tg::dot(p, y[tg::all]);
      },
      tg::in<32, DEPTH>(x, [](auto i) { return tg::index(i, 0); }),
      tg::in<DEPTH, 64>(y, [](auto) { return tg::index(0, 0); }),
      tg::out<32, 64>(o, [](auto i) { return tg::index(i, 0); }));
}
