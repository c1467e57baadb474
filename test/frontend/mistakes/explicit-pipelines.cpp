// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// What a pipeline takes.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::s64 n) {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    const auto map = [](auto i) { return tg::index(i, 0); };
    const auto body = [](auto, auto) {};
    // CHECK: explicit-pipelines.cpp:[[@LINE+1]]:5: error: tg::emit_pipeline has no option .grids: did you mean .grid?
    tg::emit_pipeline({.grids = {n}}, body, tg::in<8, 32>(x, map));
    // CHECK: explicit-pipelines.cpp:[[@LINE+1]]:9: error: a block of a pipeline has run-time extents, but is buffered in shared memory: give static ones, tg::in<64, 64>(x, map)
    tg::emit_pipeline({.grid = {n}}, body, tg::in(x));
    // CHECK: explicit-pipelines.cpp:[[@LINE+1]]:9: error: an argument of a pipeline is not a block spec: wrap each array in tg::in, tg::out or tg::inout
    tg::emit_pipeline({.grid = {n}}, body, x);
    // CHECK: explicit-pipelines.cpp:[[@LINE+1]]:65: error: this place is read-only: a block of tg::in, or an array of const elements
    tg::emit_pipeline({.grid = {n}}, [](auto, auto x) { x[0, 0] = 1.0f; }, tg::in<8, 32>(x, map));
    // CHECK: explicit-pipelines.cpp:[[@LINE+1]]:9: error: the compute function takes one parameter, and calls it once: [&](auto pipeline) { ... pipeline(body); ... }
    tg::emit_pipeline_warp_specialized({.grid = {n}, .wg_axis = "wg"}, [] {}, tg::in<8, 32>(x, map));
  });
}
