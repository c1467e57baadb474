// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// An output's block that comes back, or is fetched before it was stored.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 2> x, tg::array<float, 2> o, tg::s64 m, tg::s64 k) {
  const auto rows = [](auto i, auto) { return tg::index(i, 0); };
  const auto body = [](auto, auto, auto to) { to[tg::all] += 1.0f; };
  tg::kernel([=] {
    // CHECK: pipeline-stays.cpp:[[@LINE+2]]:23: error: the block of this tg::out is the same in several steps along axis 0 of the pipeline's grid, but recurs after others, when its buffer holds another block: accumulate in a variable, a tg::acc or a tile, and store once after the pipeline [tegula-pipeline-stays]
    tg::emit_pipeline({.grid = {m, k}}, body,
                      tg::out<8, 32>(o, [](auto, auto j) { return tg::index(j, 0); }));
  });
  tg::kernel([=] {
    // CHECK: pipeline-stays.cpp:[[@LINE+1]]:47: error: the block of this tg::inout is the same in several steps along axis 1 of the pipeline's grid, but each step gets a buffer that was filled before the last step stored to the array: accumulate in a variable, a tg::acc or a tile, and store once after the pipeline [tegula-pipeline-stays]
    tg::emit_pipeline({.grid = {m, k}}, body, tg::inout<8, 32>(o, rows));
  });
  // It comes back along the middle axis.
  tg::kernel({.threads = {"wg", 2}}, [=] {
    tg::emit_pipeline_warp_specialized(
        {.grid = {m, k, m}, .wg_axis = "wg"}, [](auto pipeline) { pipeline([](auto, auto, auto, auto, auto) {}); },
        tg::in<8, 32>(x, [](auto i, auto, auto) { return tg::index(i, 0); }),
        // CHECK: pipeline-stays.cpp:[[@LINE+1]]:9: error: the block of this tg::out is the same in several steps along axis 1
        tg::out<8, 32>(o, [](auto i, auto, auto j) { return tg::index(i, j); }));
  });
}

/// Another block in every step; one step; a block that stays for steps in a row.
TEGULA_KERNEL void allowed(tg::array<const tg::s32, 1> table, tg::array<float, 2> o, tg::s64 m, tg::s64 n) {
  tg::kernel([=] {
    tg::emit_pipeline(
        {.grid = {m, n, 1}, .max_concurrent_steps = 2},
        [](auto, auto, auto, auto a, auto b, auto c) {
          a[tg::all] = tg::zeros<float, 8, 32>();
          b[tg::all] = tg::zeros<float, 8, 32>();
          c[tg::all] = tg::zeros<float, 8, 32>();
        },
        tg::out<8, 32>(o, [=](auto i, auto j, auto) { return tg::index(m - 1 - i, j); }),
        tg::out<8, 32>(o, [=](auto i, auto j, auto) { return tg::index(i * n + j, 0); }),
        tg::out<8, 32>(o, [=](auto i, auto j, auto) { return tg::index(table[i], j % n); }));
    tg::emit_pipeline(
        {.grid = {m, n}, .max_concurrent_steps = 3}, [](auto, auto, auto b, auto c) {
          b[tg::all] = tg::zeros<float, 8, 32>();
          c[tg::all] = tg::zeros<float, 8, 32>();
        },
        tg::out<8, 32>(o, [](auto i, auto) { return tg::index(i, 0); }),
        tg::out<8, 32>(o, [](auto i, auto) { return tg::index(i / 2, 1); }));
    tg::emit_pipeline(
        {.max_concurrent_steps = 2}, [](auto b) { b[tg::all] = tg::zeros<float, 8, 32>(); },
        tg::inout<8, 32>(o, [] { return tg::index(0, 0); }));
  });
}
