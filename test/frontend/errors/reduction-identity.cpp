// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// What a reduction begins with is known when the kernel is compiled.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 0> o, float start) {
  tg::pallas_call(
      [=](auto x, auto o) {
        const auto t = x[tg::all];
        const auto add = [](auto a, auto b) { return a + b; };
        // CHECK: reduction-identity.cpp:[[@LINE+1]]:29: error: the initial value of tg::reduce must be a compile-time identity of the function, one for each tile: 0.0f for a sum, tg::tuple(-tg::inf, 0) for a maximum and its index; combine a run-time value with the result [tegula-reduction-identity]
        o[] = tg::reduce(t, start, add);
        const auto first = [](auto a, auto) { return a; };
        // CHECK: reduction-identity.cpp:[[@LINE+1]]:43: error: the initial value of tg::reduce must be a compile-time identity
        o[] = tg::reduce(tg::tuple(t, t), 0.0f, first).first;
        // As the message says:
        o[] = start + tg::reduce(t, 0.0f, add);
      },
      tg::in(x), tg::out(o));
}
