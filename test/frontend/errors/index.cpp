// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Static extents are checked.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        const auto t = x[tg::all];
        // CHECK: index.cpp:[[@LINE+1]]:18: error: index 64 is out of bounds for an extent of 64 [tegula-index]
        o[0] = t[64];
        // CHECK: index.cpp:[[@LINE+1]]:11: error: index 64 is out of bounds for an extent of 64 [tegula-index]
        o[64] = t[63];
        // CHECK: index.cpp:[[@LINE+1]]:11: error: index 67 is out of bounds for an extent of 64 [tegula-index]
        o[tg::ds<8>(60)] = 1.0f;
        // A masked access leaves out what does not exist; what a window lacks, a load has no value of.
        tg::store(o.at(tg::ds<8>(60)), tg::load(x.at(tg::ds<8>(60)), true), tg::iota<int, 8>() < 4);
        // CHECK: index.cpp:[[@LINE+1]]:24: error: index 68 is out of bounds for an extent of 64 [tegula-index]
        tg::store(o.at(tg::ds<8>(61)), 1, true);
        // CHECK: index.cpp:[[@LINE+1]]:30: error: index 65 is out of bounds for an extent of 64 [tegula-index]
        o[1] = tg::load(x.at(65), true);
      },
      tg::in<64>(x, [] { return tg::index(0); }), tg::out<64>(o, [] { return tg::index(0); }));
}
