// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// tg::emit_pipeline_warp_specialized: one thread copies, the others compute.
#include <tegula/tegula.h>
namespace tg = tegula;

// A ring outlives the loop around its pipelines. A multicast block has one fetch per pair of blocks.
TEGULA_KERNEL void persistent(tg::array<const tg::f16, 2> a, tg::array<const tg::f16, 2> b, tg::array<float, 2> o,
                              tg::s64 steps) {
  tg::kernel({.grid = {{"g", 66}}, .cluster = {{"c", 2}}, .threads = {"wg", 3}}, [=] {
    tg::pipeline_allocations ring;
    tg::nd_loop({o.dim(0)}, {.collective_axes = {"g"}}, [&](auto step) {
      const auto n = step.index[0];
      tg::emit_pipeline_warp_specialized(
          {.grid = {steps},
           .wg_axis = "wg",
           .num_compute_wgs = 2,
           .memory_registers = 40,
           .max_concurrent_steps = 4,
           .delay_release = 2,
           .allocations = &ring},
          [&](auto pipeline) {
            tg::acc<float, 64, 64> acc;
            pipeline([&](auto, auto x, auto y) {
              tg::wgmma(acc, x, y);
              tg::wgmma_wait<2>();
            });
            o[tg::ds<64>(n), tg::ds<64>(tg::axis_index("wg") * 64)] = acc[tg::all];
          },
          tg::in<64, 32>(a, [=](auto k) { return tg::index(n, k); }, {.collective_axes = {"c"}}),
          tg::in<32, 64>(b, [=](auto k) { return tg::index(k, n); }));
    });
  });
}
// CHECK-LABEL: tile.entry @persistent
// CHECK:       tile.launch
// CHECK:       %[[FULL:.*]] = tile.alloc_barriers arrivals 2 : <4>
// Both compute threads of both blocks release.
// CHECK:       %[[EMPTY:.*]] = tile.alloc_barriers frees arrivals 4 cluster [0] : <4>
// CHECK:       %[[A:.*]] = tile.alloc : <f16, [4, 64, 32], smem>
// CHECK:       %[[B:.*]] = tile.alloc : <f16, [4, 32, 64], smem>
// CHECK:       %[[WG:.*]] = tile.thread_index
// CHECK:       %[[COPIES:.*]] = arith.cmpi eq, %[[WG]], %c2_i64
// (512 - 40) / 2, in eights.
// CHECK:       scf.if %[[COPIES]] {
// CHECK-NEXT:    tile.set_max_registers 40
// CHECK-NEXT:  } else {
// CHECK-NEXT:    tile.set_max_registers increase 232
// CHECK-NEXT:  }
// Where the threads stand in the ring goes on from tile to tile.
// CHECK:       scf.for {{.*}} iter_args(%[[S:.*]] = %c0_i64, %[[P:.*]] = %false)
// CHECK:         %[[ON:.*]]:2 = scf.if %[[COPIES]]
// CHECK:           scf.for %[[K:.*]] = %c0_i64 to %[[STEPS:.*]] step {{.*}} iter_args(%[[SLOT:.*]] = %[[S]], %[[PARITY:.*]] = %[[P]])
// CHECK-NEXT:        %[[BEFORE:.*]] = arith.xori %[[PARITY]], %true
// CHECK-NEXT:        tile.barrier_wait %[[EMPTY]][%[[SLOT]]] parity %[[BEFORE]]
// CHECK:             tile.copy_to_shared {{.*}} %[[FULL]][%[[SLOT]]] multicast [0] :
// CHECK:             tile.copy_to_shared {{.*}} %[[FULL]][%[[SLOT]]] :
// CHECK:           }
// CHECK:         } else {
// CHECK:           scf.for %[[K:.*]] = %c0_i64 to %[[STEPS]] step {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}, %[[SLOT:.*]] = %[[S]], %[[PARITY:.*]] = %[[P]])
// CHECK-NEXT:        tile.barrier_wait %[[FULL]][%[[SLOT]]] parity %[[PARITY]]
// CHECK:             tile.wgmma_wait 2
// CHECK:             %[[IS_LATE:.*]] = arith.cmpi sge, %[[K]], %c2_i64
// CHECK:             scf.if %[[IS_LATE]] {
// Two stages back are two ahead.
// CHECK:               %[[BACK:.*]] = arith.addi %[[SLOT]], %c2_i64
// CHECK:               tile.barrier_arrive %[[EMPTY]]
// CHECK:             }
// CHECK:           }
// The last steps are released when their products are there, if there were so many.
// CHECK:           tile.wgmma_wait 0
// CHECK:           arith.cmpi sge, %[[STEPS]], %c2_i64
// CHECK:           scf.if
// CHECK:             tile.barrier_arrive %[[EMPTY]]
// CHECK:           arith.cmpi sge, %[[STEPS]], %c1_i64
// CHECK:           scf.if
// CHECK:             tile.barrier_arrive %[[EMPTY]]
// CHECK:           tile.store
// CHECK:         }
// CHECK:         scf.yield %[[ON]]#0, %[[ON]]#1

// One compute thread may send blocks; what the body changes outside is the carry.
TEGULA_KERNEL void sends(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    const auto map = [](auto i) { return tg::index(i, 0); };
    tg::emit_pipeline_warp_specialized(
        {.grid = {7}, .wg_axis = "wg", .memory_registers = 24, .max_concurrent_steps = 3},
        [&](auto pipeline) {
          float sum = 0;
          pipeline([&](auto, auto from, auto to) {
            to[tg::all] = from[tg::all];
            sum += from[0, 0];
          });
          tg::debug_print("{}", sum);
        },
        tg::in<8, 32>(x, map), tg::out<8, 32>(o, map));
  });
}
// CHECK-LABEL: tile.entry @sends
// CHECK:       tile.alloc_barriers arrivals 1 : <3>
// CHECK:       %[[EMPTY:.*]] = tile.alloc_barriers frees arrivals 1 : <3>
// CHECK:         tile.set_max_registers 24
// CHECK:       } else {
// No lane has use for more.
// CHECK:         tile.set_max_registers increase 240
// CHECK:         %[[SUM:sum]], %{{.*}}, %{{.*}} = scf.for
// CHECK:           tile.wait_group 2 read
// CHECK:           arith.addf
// CHECK:           tile.copy_to_global
// CHECK:           tile.commit_group
// CHECK:           tile.barrier_arrive %[[EMPTY]]
// CHECK:         tile.wait_group 0{{$}}
// CHECK-NEXT:    tile.debug_print "{}", %[[SUM]]

// A block that the whole cluster shares comes from all its blocks: a stage is free when it is in all of them.
TEGULA_KERNEL void everywhere(tg::array<const float, 2> x, tg::s64 n) {
  tg::kernel({.cluster = {{"a", 2}, {"b", 4}}, .threads = {"wg", 3}}, [=] {
    const auto map = [](auto i) { return tg::index(i, 0); };
    const auto compute = [](auto pipeline) { pipeline([](auto, auto) {}); };
    tg::emit_pipeline_warp_specialized({.grid = {n}, .wg_axis = "wg", .num_compute_wgs = 2}, compute,
                                       tg::in<64, 32>(x, map, {.collective_axes = {"a", "b"}}));
  });
}
// CHECK-LABEL: tile.entry @everywhere
// CHECK:       tile.alloc_barriers arrivals 1 : <2>
// CHECK:       tile.alloc_barriers frees arrivals 16 cluster [0, 1] everywhere : <2>
// CHECK:       tile.copy_to_shared {{.*}} multicast [0, 1]
