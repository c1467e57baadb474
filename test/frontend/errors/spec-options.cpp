// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// The portable level decides when to copy.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 1> x, tg::s64 n) {
  tg::pallas_call(
      {.grid = {n}}, [](auto x) { x[tg::all] = 1.0f; },
      // CHECK: spec-options.cpp:[[@LINE+1]]:7: error: the options of a spec are for the pipelines of tg::kernel: leave them out, tg::pallas_call schedules its copies itself [tegula-spec-options]
      tg::out<64>(x, [](auto i) { return tg::index(i); }, {.delay_release = 1}));
  tg::pallas_call(
      {.grid = {n}}, [](auto x) { x[tg::all] = 1.0f; },
      // CHECK: spec-options.cpp:[[@LINE+1]]:7: error: the options of a spec are for the pipelines of tg::kernel: leave
      tg::out<64>(x, [](auto i) { return tg::index(i); }, {.l2_eviction = tg::evict_first}));
  tg::pallas_call(
      {.grid = {n}}, [](auto x) { x[tg::all] = 1.0f; },
      // CHECK: spec-options.cpp:[[@LINE+1]]:7: error: the options of a spec are for the pipelines of tg::kernel: leave
      tg::out<64>(x, [](auto i) { return tg::index(i); }, {.buffers = 2}));
}
