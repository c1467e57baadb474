// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// Options have names: the one that does not exist is named, with the nearest that does.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::array<float, 2> o) {
  const auto map = [](auto i, auto j) { return tg::index(i, j); };
  // CHECK: options.cpp:[[@LINE+1]]:3: error: tg::pallas_call has no option .grids: did you mean .grid?
  tg::pallas_call({.grids = {4, 2}}, [](auto o) { o[tg::all] = 1.0f; }, tg::out<64, 64>(o, map));
  // CHECK: options.cpp:[[@LINE+1]]:3: error: tg::pallas_call has no option .threads: it has .grid
  tg::pallas_call({.grid = {4, 2}, .threads = 3}, [](auto o) { o[tg::all] = 1.0f; }, tg::out<64, 64>(o, map));
  // CHECK: options.cpp:[[@LINE+1]]:3: error: tg::vmap has no option .out_axes: did you mean .out_axis?
  tg::vmap({.out_axes = 0}, [](auto x) { return tg::empty_like(x); }, tg::over(x, 0));
  // Options of calls inside are none of this call's.
  // CHECK: options.cpp:[[@LINE+1]]:3: error: tg::kernel has no option .thread: did you mean .threads?
  tg::kernel({.grid = {{"m", x.dim(0)}}, .thread = {"wg", 2}}, [=] { tg::barrier<> b{.num_arrivals = 2}; });
  tg::kernel({.grid = {{"m", x.dim(0)}}, .threads = {"wg", 2}}, [=] {
    // CHECK: options.cpp:[[@LINE+1]]:23: error: tg::barrier has no option .num_arrival: did you mean .num_arrivals?
    tg::barrier<2> b{.num_arrival = 2};
    // CHECK: options.cpp:[[@LINE+1]]:23: error: tg::barrier has no option .phases: it has .num_arrivals
    tg::barrier<2> c{.phases = 2};
    tg::barrier<> done;
    // CHECK: options.cpp:[[@LINE+1]]:32: error: tg::smem has no option .transform: did you mean .transforms?
    tg::smem<float, 64, 64> s{.transform = {tg::swizzle(64)}};
    tg::smem<tg::bf16, 64, 64> a;
    // CHECK: options.cpp:[[@LINE+1]]:5: error: tg::copy_gmem_to_smem has no option .collective_axis: did you mean .collective_axes?
    tg::copy_gmem_to_smem(x, s, done, {.collective_axis = {"m"}});
    // CHECK: options.cpp:[[@LINE+1]]:5: error: tg::copy_smem_to_gmem has no option .predicat: did you mean .predicate?
    tg::copy_smem_to_gmem(s, o, {.predicat = x.dim(0) > 3});
    // CHECK: options.cpp:[[@LINE+1]]:5: error: tg::nd_loop has no option .axes: it has .collective_axes, .tiling
    tg::nd_loop({3, 4}, {.axes = {"m"}}, [&](auto step) {});
    tg::acc<float, 64, 64> acc;
    // CHECK: options.cpp:[[@LINE+1]]:5: error: tg::wgmma has no option .accumulates: did you mean .accumulate?
    tg::wgmma(acc, a, a, {.accumulates = true});
    // CHECK: options.cpp:[[@LINE+1]]:5: error: tg::emit_pipeline has no option .max_concurent_steps: did you mean .max_concurrent_steps?
    tg::emit_pipeline({.grid = {3, 3}, .max_concurent_steps = 3}, [](auto, auto, auto) {}, tg::in<64, 64>(x, map));
    // CHECK: options.cpp:[[@LINE+1]]:5: error: tg::emit_pipeline_warp_specialized has no option .depth: it has .grid, .wg_axis, .num_compute_wgs, .memory_registers, .max_concurrent_steps, .delay_release, .manual_ready_barriers, .manual_consumed_barriers, .allocations
    tg::emit_pipeline_warp_specialized({.grid = {3, 3}, .depth = 3}, [](auto) {}, tg::in<64, 64>(x, map));
    // CHECK: options.cpp:[[@LINE+1]]:66: error: tg::in has no option .delay_relase: did you mean .delay_release?
    tg::emit_pipeline({.grid = {3, 3}}, [](auto, auto, auto) {}, tg::in<64, 64>(x, map, {.delay_relase = 1}));
  });
}
