// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Indices do not count from the end.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: negative-index.cpp:[[@LINE+1]]:18: error: index -1 is out of bounds, before the array: indices do not count from the end; x.dim(axis) - 1 is the last [tegula-negative-index]
        o[0] = x[-1];
        // CHECK: negative-index.cpp:[[@LINE+1]]:11: error: index -2 is out of bounds, before the array: indices do not count from the end; x.dim(axis) - 1 is the last [tegula-negative-index]
        o[tg::ds<2>(-2)] = 1.0f;
        // A masked access leaves out what does not exist, another one of the same place does not.
        const auto there = tg::iota<int, 4>() >= 2;
        tg::store(o.at(tg::ds<4>(-2)), tg::load(x.at(tg::ds<4>(-2)), there), there);
        tg::atomic_add(o.at(-1), 1, o.dim(0) < 0);
        // CHECK: negative-index.cpp:[[@LINE+1]]:34: error: index -3 is out of bounds, before the array: indices do not count from the end; x.dim(axis) - 1 is the last [tegula-negative-index]
        const auto before = o.at(tg::ds<4>(-3));
        tg::store(before.at(tg::ds<3>(0)), tg::load(before, there)[0] + tg::sum(tg::load(before)), there[0]);
        // CHECK: negative-index.cpp:[[@LINE+1]]:24: error: index -4 is out of bounds, before the array: indices do not count from the end; x.dim(axis) - 1 is the last [tegula-negative-index]
        tg::store(o.at(tg::ds<4>(-4)), 1, true);
        // CHECK: negative-index.cpp:[[@LINE+1]]:29: error: index -5 is out of bounds, before the array: indices do not count from the end; x.dim(axis) - 1 is the last [tegula-negative-index]
        tg::atomic_add(o.at(tg::ds<4>(-5)), 1);
      },
      tg::in(x), tg::out(o));
}
