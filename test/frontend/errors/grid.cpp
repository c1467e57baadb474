// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A grid has no gaps and no negative sizes.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  // CHECK: grid.cpp:[[@LINE+1]]:19: error: a grid has up to 6 sizes of 0 or more, without gaps, {.grid = {rows, columns}}: size 0 is -2 [tegula-grid]
  tg::pallas_call({.grid = {-2}}, [](auto o) { o[0] = 1.0f; }, tg::out(o));
  // CHECK: grid.cpp:[[@LINE+1]]:19: error: a grid has up to 6 sizes of 0 or more, without gaps, {.grid = {rows, columns}}: size 1 is a run-time value, and a size before it is missing [tegula-grid]
  tg::pallas_call({.grid = {.second = n}}, [](auto o) { o[0] = 1.0f; }, tg::out(o));
  tg::kernel([=] {
    const auto map = [](auto, auto) { return tg::index(0); };
    // CHECK: grid.cpp:[[@LINE+1]]:5: error: a grid has up to 6 sizes of 0 or more, without gaps, {.grid = {rows, columns}}: size 0 is -1 [tegula-grid]
    tg::emit_pipeline({.grid = {-1, 4}}, [](auto, auto, auto) {}, tg::in<32>(x, map));
    // CHECK: grid.cpp:[[@LINE+1]]:5: error: a grid has up to 6 sizes of 0 or more, without gaps, {.grid = {rows, columns}}: size 1 is a run-time value, and a size before it is missing [tegula-grid]
    tg::emit_pipeline({.grid = {.second = n}}, [](auto, auto, auto) {}, tg::in<32>(x, map));
  });
}
