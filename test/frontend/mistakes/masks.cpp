// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// A masked access takes a place, values, and a mask of bools; each mistake is said at the user's line.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::pallas_call(
      [=](auto x, auto o) {
        const auto t = x[tg::all];
        // CHECK: masks.cpp:[[@LINE+1]]:15: error: tg::load takes a ref, not a loaded value: write tg::load(x, mask, 0), or for a part tg::load(x.at(i), mask, 0)
        (void)tg::load(x[tg::all], t > 0, 0);
        // CHECK: masks.cpp:[[@LINE+1]]:15: error: tg::load takes a ref, not a loaded value: write tg::load(x, mask, 0), or for a part tg::load(x.at(i), mask, 0)
        (void)tg::load(x[0, 0], true);
        // CHECK: masks.cpp:[[@LINE+1]]:9: error: tg::store takes a ref, not a loaded value: write tg::store(o, value, mask), or for a part tg::store(o.at(i), value, mask)
        tg::store(o[tg::all], t, t > 0);
        // CHECK: masks.cpp:[[@LINE+1]]:19: error: a mask must have bool elements: compare first, mask != 0
        (void)tg::load(x, t, 0);
        // CHECK: masks.cpp:[[@LINE+1]]:19: error: a mask must have bool elements: compare first, mask != 0
        (void)tg::load(x, 1.0f);
        // CHECK: masks.cpp:[[@LINE+1]]:13: error: a mask must have bool elements: compare first, mask != 0
        tg::store(o, 0, t);
        // CHECK: masks.cpp:[[@LINE+1]]:19: error: a ref is a place, not a value: load it, ref[tg::all]
        (void)tg::load(x, t > 0, x);
        // CHECK: masks.cpp:[[@LINE+1]]:13: error: a ref is a place, not a value: load it, ref[tg::all]
        tg::store(o, x);
        // Two mistakes of one call.
        // CHECK: masks.cpp:[[@LINE+2]]:19: error: a mask must have bool elements: compare first, mask != 0
        // CHECK: masks.cpp:[[@LINE+1]]:19: error: the element type of `other` differs from the array's, and a load does not convert: write tg::astype<...>(other)
        (void)tg::load(x, 0, t > 0);
      },
      tg::in<64, 128>(x, [] { return tg::index(0, 0); }), tg::out<64, 128>(o, [] { return tg::index(0, 0); }));
}

// A function of one's own may be called so.
float load(float x) { return x; }
TEGULA_KERNEL void g(tg::array<float, 1> o) {
  tg::pallas_call(
      [=](auto o) {
        // CHECK: masks.cpp:[[@LINE+1]]:{{[0-9]+}}: error: no matching function for call to 'load'
        o[tg::all] = load(1.0f, 2.0f);
      },
      tg::out(o));
}
