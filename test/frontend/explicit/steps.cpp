// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// RUN: tegulac --arch=sm_90a %s -o %t && FileCheck %s --check-prefix=STUB --input-file=%t.cpp
// tg::dynamic_scheduling_loop: clusters take the points of the grid as steps.
#include <tegula/tegula.h>
namespace tg = tegula;

// The last thread takes a step ahead. It does not tell itself when it has read one.
TEGULA_KERNEL void steps(tg::array<float, 2> x) {
  tg::kernel({.grid = {{"m", x.dim(0)}, {"n", x.dim(1)}}, .threads = {"wg", 2}}, [=] {
    tg::dynamic_scheduling_loop({"n", "m"}, {}, [&](auto step) {
      const auto [j, i] = step.index;
      x[i, j] = tg::astype<float>(step.local_index);
    });
  });
}
// CHECK-LABEL: tile.entry @steps
// The counter is the launch's own.
// CHECK:       %[[COUNTER:.*]] = tile.empty zeroed(%c1_i64)
// CHECK:       tile.launch "steps_0" {{.*}}inout %[[STEPS:.*]] = %[[COUNTER]]
// CHECK-SAME:  tile.takes_steps
// CHECK:       %[[FULL:.*]] = tile.alloc_barriers arrivals 1 : <2>
// CHECK:       %[[EMPTY:.*]] = tile.alloc_barriers frees arrivals 1 : <2>
// CHECK:       %[[SLOTS:.*]] = tile.alloc : <i64, [2], smem>
// CHECK:       %[[TAKES:.*]] = arith.cmpi eq, %{{.*}}, %c1_i64
// CHECK:       scf.if %[[TAKES]] {
// CHECK-NEXT:    %[[FIRST:.*]] = tile.take_step %[[STEPS]]
// CHECK-NEXT:    tile.announce_step %[[FIRST]], %[[SLOTS]], %[[FULL]][%c0_i64]
// CHECK:       scf.while
// CHECK:         tile.barrier_wait %[[FULL]][%[[STAGE:.*]]] parity %[[PARITY:.*]] :
// CHECK-NEXT:    %[[STEP:.*]] = tile.read_step %[[SLOTS]][%[[STAGE]]]
// CHECK:         %[[IS_STEP:.*]] = arith.cmpi slt, %[[STEP]], %{{.*}}
// CHECK:         scf.condition(%[[IS_STEP]])
// CHECK:       } do {
// CHECK:         scf.if %[[TAKES]]
// CHECK:           tile.take_step %[[STEPS]]
// CHECK:         } else {
// CHECK:           tile.barrier_arrive %[[EMPTY]]
// The first axis that is named runs slowest.
// CHECK:         arith.remsi
// CHECK:         arith.divsi
// CHECK:         tile.store
// CHECK:         scf.if %[[TAKES]] {
// CHECK:           tile.barrier_wait %[[EMPTY]]
// CHECK-NEXT:      tile.announce_step %{{.*}}, %[[SLOTS]], %[[FULL]]

// No more blocks than run at once: 2048 / 256 for each multiprocessor.
// STUB:        cpu::launch{"steps"
// STUB:        self.take_step(
// STUB:        self.announce_step(
// STUB:        self.read_step(
// STUB:        .multiprocessors() * 8

// A thread that is alone needs no barrier to know that a step was read; blocks of a cluster get one step.
TEGULA_KERNEL void alone(tg::array<float, 1> x) {
  tg::kernel({.grid = {{"p", x.dim(0)}}},
             [=] { tg::dynamic_scheduling_loop({"p"}, {}, [&](auto step) { x[step.index[0]] = 1.0f; }); });
}
// CHECK-LABEL: tile.entry @alone
// CHECK:       tile.alloc_barriers arrivals 1 : <2>
// CHECK-NOT:   tile.alloc_barriers
// CHECK-NOT:   tile.barrier_arrive
// CHECK:       tile.return

TEGULA_KERNEL void cluster(tg::array<float, 1> x) {
  tg::kernel({.grid = {{"p", x.dim(0)}}, .cluster = {{"a", 2}, {"b", 1}, {"c", 2}}, .threads = {"wg", 2}},
             [=] { tg::dynamic_scheduling_loop({"p"}, {}, [&](auto step) { x[step.index[0]] = 1.0f; }); });
}
// CHECK-LABEL: tile.entry @cluster
// CHECK:       tile.alloc_barriers arrivals 1 cluster [0, 2] everywhere : <2>
// CHECK:       tile.alloc_barriers frees arrivals 8 cluster [0, 2] everywhere : <2>
// CHECK:       tile.cluster_rank
