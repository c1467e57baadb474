// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A block stays no longer than there are buffers.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::s64 n) {
  tg::kernel([=] {
    const auto map = [](auto i) { return tg::index(i, 0); };
    const auto body = [](auto, auto x) { (void)x; };
    // CHECK: pipeline-depth.cpp:[[@LINE+1]]:5: error: max_concurrent_steps and .buffers of a spec must be 1 or more, and delay_release from 0 to one less: not 2 and 2 [tegula-pipeline-depth]
    tg::emit_pipeline({.grid = {n}, .max_concurrent_steps = 2, .delay_release = 2}, body, tg::in<8, 32>(x, map));
    // CHECK: pipeline-depth.cpp:[[@LINE+1]]:5: error: max_concurrent_steps and .buffers of a spec must be 1 or more, and delay_release from 0 to one less: not 0 and 0 [tegula-pipeline-depth]
    tg::emit_pipeline({.grid = {n}, .max_concurrent_steps = 0}, body, tg::in<8, 32>(x, map));
    // CHECK: pipeline-depth.cpp:[[@LINE+1]]:44: error: max_concurrent_steps and .buffers of a spec must be 1 or more, and delay_release from 0 to one less: not 1 and 1 [tegula-pipeline-depth]
    tg::emit_pipeline({.grid = {n}}, body, tg::in<8, 32>(x, map, {.delay_release = 1}));
    tg::emit_pipeline({.grid = {n}, .max_concurrent_steps = 3, .delay_release = 1}, body,
                      // CHECK: pipeline-depth.cpp:[[@LINE+1]]:23: error: max_concurrent_steps and .buffers of a spec must be 1 or more, and delay_release from 0 to one less: not 1 and 1 [tegula-pipeline-depth]
                      tg::in<8, 32>(x, map, {.buffers = 1}));
    // CHECK: pipeline-depth.cpp:[[@LINE+1]]:44: error: max_concurrent_steps and .buffers of a spec must be 1 or more, and delay_release from 0 to one less: not -1 and 0 [tegula-pipeline-depth]
    tg::emit_pipeline({.grid = {n}}, body, tg::in<8, 32>(x, map, {.buffers = -1}));
  });
}
