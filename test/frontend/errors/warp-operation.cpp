// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// What takes all lanes of a thread, or is counted for it.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::array<float, 1> o) {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    tg::smem<float, 8, 32> tile;
    tg::named_barrier both;
    tg::warp_map([&](auto warp) {
      // CHECK: warp-operation.cpp:[[@LINE+1]]:7: error: tg::named_barrier_sync needs the four warps of a warpgroup, but here each warp runs by itself: call it before tg::warp_map or after it; a warp copies, arrives, waits and signals, and reads and writes single elements [tegula-warp-operation]
      tg::named_barrier_sync(both);
      // CHECK: warp-operation.cpp:[[@LINE+1]]:7: error: tg::cp_async needs the four warps of
      tg::cp_async(x.at(tg::ds<8>(0), tg::ds<32>(0)), tile);
      // CHECK: warp-operation.cpp:[[@LINE+1]]:7: error: tg::set_max_registers needs the four warps of
      tg::set_max_registers<40>(tg::decrease);
      // CHECK: warp-operation.cpp:[[@LINE+1]]:7: error: tg::griddepcontrol_wait needs the four warps of
      tg::griddepcontrol_wait();
      // CHECK: warp-operation.cpp:[[@LINE+1]]:7: error: tg::grid_barrier needs the four warps of
      tg::grid_barrier();
      o[warp] = 1.0f;
    });
  });
}

// The copying thread of a pipeline counts the phases of its blocks, not each warp.
TEGULA_KERNEL void g(tg::array<const float, 2> x, tg::array<float, 1> o, tg::s64 n) {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    tg::emit_pipeline_warp_specialized(
        {.grid = {n}, .wg_axis = "wg", .manual_ready_barriers = true},
        [&](auto pipeline) {
          pipeline([&](auto i, auto a) {
            tg::warp_map([&](auto warp) {
              // CHECK: warp-operation.cpp:[[@LINE+1]]:15: error: ready() needs the four warps of a warpgroup
              tg::barrier_wait(a.ready());
              o[i] = a[warp, 0];
            });
          });
        },
        tg::in<8, 32>(x, [](auto i) { return tg::index(i, 0); }));
  });
}
