// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of a grid run at the same time: one that reads what another stores gets a warning.
// RUN: tegulac --emit=tile -o /dev/null %s 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: tegulac --emit=tile -DALLOWED -o /dev/null %s 2>&1 | count 0
#include <tegula/tegula.h>
namespace tg = tegula;

#ifndef ALLOWED
TEGULA_KERNEL void shifted(tg::array<float, 1> x) {
  tg::pallas_call(
      {.grid = {x.dim(0) - 1}},
      [](auto x) {
        const auto i = tg::program_id(0);
        // CHECK: reads.cpp:[[@LINE+2]]:[[#]]: warning: this reads elements of x that the program 1 after it along grid axis 0 stores to, and programs run at the same time: it may read the old values or the new ones
        // CHECK: note: read from one array and store to another: tg::in(x) and tg::out(result)
        x[i] = x[i + 1];
      },
      tg::inout(x));
}

/// A neighbour's column, of another row of blocks; a part of one.
TEGULA_KERNEL void neighbours(tg::array<float, 2> x, tg::array<float, 2> y) {
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 8), tg::cdiv(x.dim(1), 64) - 2}},
      [](auto x, auto y) {
        const auto rows = tg::ds<8>(tg::program_id(0) * 8);
        const auto column = tg::program_id(1) * 64;
        // CHECK: reads.cpp:[[@LINE+1]]:[[#]]: warning: this reads elements of x that the program 2 after it along grid axis 1 stores to
        x[rows, tg::ds<64>(column)] = tg::sum(x[rows, tg::ds<64>(column + 128)]);
        // CHECK: reads.cpp:[[@LINE+1]]:[[#]]: warning: this reads elements of y that the program 1 before it along grid axis 1 stores to
        y[rows, tg::ds<64>(column + 64)] = tg::sum(y[rows, tg::ds<64>(column + 63)]);
      },
      tg::inout(x), tg::inout(y));
}
#else
/// Its own window; the other colour; what another array, row or condition keeps apart; and what cannot be known.
TEGULA_KERNEL void allowed(tg::array<float, 1> x, tg::array<float, 2> y, tg::array<const float, 1> z,
                           tg::array<float, 1> o, tg::s64 n) {
  tg::pallas_call(
      {.grid = {x.dim(0) / 64 - 1}},
      [=](auto x, auto y, auto z, auto o) {
        const auto i = tg::program_id(0);
        x[2 * i] = x[2 * i] + x[2 * i + 1];
        o[i] = z[i + 1];
        y[i, 0] = y[i + 1, 1];
        y[i, tg::ds<64>(64)] = tg::sum(y[i, tg::ds<64>(65)]);
        y[i, tg::ds<64>(128)] = tg::sum(y[i + n, tg::ds<64>(128)]);
        if (i % 2 == 0)
          y[i, tg::ds<64>(192)] = tg::sum(y[i + 1, tg::ds<64>(192)]);
      },
      tg::inout(x), tg::inout(y), tg::in(z), tg::inout(o));
}
/// Windows that run into the next program's, but for those that they lie in.
TEGULA_KERNEL void windows_of_windows(tg::array<float, 1> x, tg::s64 n) {
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 8)}},
      [=](auto x) {
        const auto own = x.at(tg::ds<8>(8 * tg::program_id(0)));
        own[tg::ds<8>(n)] = tg::sum(own[tg::ds<8>(n + 1)]);
      },
      tg::inout(x));
}
TEGULA_KERNEL void blocks(tg::array<float, 1> x) {
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 64)}},
      [](auto x) {
        x[0] = x[1];
        x[tg::ds<32>(32)] = tg::sum(x[tg::ds<32>(0)]);
      },
      tg::inout<64>(x, [](auto i) { return tg::index(i); }));
  tg::pallas_call([](auto x) { x[0] = x[1]; }, tg::inout(x));
}
#endif
