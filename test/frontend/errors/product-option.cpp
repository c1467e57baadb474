// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int stages) {
  tg::check(x.dim(0) == o.dim(0), "x and o differ");
  // CHECK: [[@LINE+1]]:19: error: .num_consumers is 4, but the number of consumer warpgroups is 1 to 3: leave it out to let the compiler choose [tegula-product-option]
  tg::pallas_call({.num_consumers = 4}, [](auto x, auto o) { o[tg::all] = x[tg::all]; }, tg::in(x), tg::out(o));
  // CHECK: [[@LINE+1]]:19: error: .tile_n is 100, but a sub-tile has a multiple of 64 columns, at most 256: leave
  tg::pallas_call({.tile_n = 100}, [](auto x, auto o) { o[tg::all] = x[tg::all]; }, tg::in(x), tg::out(o));
  // CHECK: [[@LINE+1]]:19: error: .tile_k is -16, but a step contracts a multiple of 16 elements, at most 256: leave
  tg::pallas_call({.tile_k = -16}, [](auto x, auto o) { o[tg::all] = x[tg::all]; }, tg::in(x), tg::out(o));
  // CHECK: [[@LINE+1]]:19: error: .num_stages is 1, but the ring in shared memory has 2 to 8 stages: leave
  tg::pallas_call({.num_stages = 1}, [](auto x, auto o) { o[tg::all] = x[tg::all]; }, tg::in(x), tg::out(o));
  // CHECK: [[@LINE+1]]:19: error: .cluster is 3, but a cluster has 1 or 2 CTAs: leave
  tg::pallas_call({.cluster = 3}, [](auto x, auto o) { o[tg::all] = x[tg::all]; }, tg::in(x), tg::out(o));
  // CHECK: [[@LINE+1]]:19: error: .num_stages must be a compile-time constant: write a literal
  tg::pallas_call({.num_stages = stages}, [](auto x, auto o) { o[tg::all] = x[tg::all]; }, tg::in(x), tg::out(o));
}
