// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Scratch is taken by reference.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o) {
  const auto block = [](auto i) { return tg::index(i); };
  // CHECK: scratch-by-value.cpp:[[@LINE+1]]:3: error: the body takes this scratch by value, so its changes are lost: take it by reference, auto &sum [tegula-scratch-by-value]
  tg::pallas_call({.grid = {x.dim(0)}, .dimension_semantics = {tg::sequential}},
                  [](auto x, auto sum) { sum += x[]; },
                  tg::in<tg::squeezed>(x, block), tg::scratch<float, 1>());
  // As the message says:
  tg::pallas_call({.grid = {x.dim(0)}, .dimension_semantics = {tg::sequential}},
                  [](auto x, auto o, auto &sum) {
                    sum += x[];
                    o[] = sum[0];
                  },
                  tg::in<tg::squeezed>(x, block), tg::out<tg::squeezed>(o, block), tg::scratch<float, 1>());
}
