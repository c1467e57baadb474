// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// What specs of pipelines say of their blocks.
#include <tegula/tegula.h>
namespace tg = tegula;

// A ring for each depth and delay: each is full by its own copies, and is filled and released at its own time.
TEGULA_KERNEL void rings(tg::array<const float, 2> x, tg::array<const tg::f16, 1> y, tg::array<float, 2> o,
                         tg::s64 n) {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    const auto map = [](auto i) { return tg::index(i, 0); };
    tg::emit_pipeline_warp_specialized(
        {.grid = {n}, .wg_axis = "wg", .max_concurrent_steps = 4, .delay_release = 1},
        [](auto pipeline) { pipeline([](auto, auto a, auto, auto, auto to) { to[tg::all] = a[tg::all]; }); },
        tg::in<8, 32>(x, map, {.oob_mode = tg::oob_fill::nan, .l2_eviction = tg::evict_first}),
        tg::in<64>(y, [](auto i) { return tg::index(i); },
                   {.delay_release = 0, .oob_mode = tg::oob_fill::promise_in_bounds, .buffers = 1}),
        tg::in<16, 32>(x, map),
        tg::out<8, 32>(o, map, {.l2_eviction = tg::evict_last, .buffers = 2}));
  });
}
// CHECK-LABEL: tile.entry @rings
// CHECK:       %[[FULL:.*]] = tile.alloc_barriers arrivals 2 : <4>
// CHECK:       %[[EMPTY:.*]] = tile.alloc_barriers frees arrivals 1 : <4>
// CHECK:       %[[FULL_Y:.*]] = tile.alloc_barriers arrivals 1 : <1>
// CHECK:       %[[EMPTY_Y:.*]] = tile.alloc_barriers frees arrivals 1 : <1>
// CHECK-NOT:   tile.alloc_barriers
// CHECK:       %[[A:.*]] = tile.alloc : <f32, [4, 8, 32], smem>
// CHECK:       tile.alloc : <f32, [4, 16, 32], smem>
// CHECK:       %[[Y:.*]] = tile.alloc : <f16, [1, 64], smem>
// CHECK:       tile.alloc : <f32, [2, 8, 32], smem>
// What has one buffer is copied two steps later than what has four, of which one stays.
// CHECK:       %[[LAST:.*]] = arith.addi %[[N:.*]], %c2_i64
// CHECK:       scf.for %[[I:.*]] = %c0_i64 to %[[LAST]]
// CHECK:         %[[IS_STEP:.*]] = arith.cmpi slt, %[[I]], %[[N]]
// CHECK:         scf.if %[[IS_STEP]]
// CHECK:           tile.barrier_wait %[[EMPTY]]
// CHECK:           tile.copy_to_shared {{.*}}, %[[FULL]][{{.*}}] outside nan evict first
// CHECK:           tile.copy_to_shared {{.*}}, %[[FULL]][%{{[0-9a-z_]+}}] :
// CHECK:         %[[LATE:.*]] = arith.subi %[[I]], %c2_i64
// CHECK:         %[[HAS_BEGUN:.*]] = arith.cmpi sge, %[[LATE]], %c0_i64
// CHECK:         scf.if %[[HAS_BEGUN]]
// CHECK:           tile.barrier_wait %[[EMPTY_Y]]
// CHECK:           tile.bulk_load {{.*}}, %[[FULL_Y]][
// CHECK:       } else {
// CHECK:         tile.barrier_wait %[[FULL]]
// CHECK:         tile.barrier_wait %[[FULL_Y]]
// CHECK:         tile.wait_group 1 read
// CHECK:         tile.copy_to_global {{.*}} evict last
// CHECK:         scf.if
// CHECK:           tile.barrier_arrive %[[EMPTY]]
// CHECK:         tile.barrier_arrive %[[EMPTY_Y]]
// CHECK:         tile.wgmma_wait 0
// CHECK:         scf.if
// CHECK:           tile.barrier_arrive %[[EMPTY]]
// CHECK-NOT:       tile.barrier_arrive

// The same block in all steps is copied once, into one buffer.
TEGULA_KERNEL void once(tg::array<const float, 2> x, tg::array<const float, 2> y, tg::s64 n, tg::s64 j) {
  tg::kernel([=] {
    tg::emit_pipeline(
        {.grid = {n}, .max_concurrent_steps = 4}, [](auto, auto, auto) {},
        tg::in<8, 32>(x, [](auto i) { return tg::index(i, 0); }), tg::in<8, 32>(y, [=](auto) { return tg::index(j, 0); }));
  });
}
// CHECK-LABEL: tile.entry @once
// CHECK:       %[[FULL:.*]] = tile.alloc_barriers arrivals 1 : <4>
// CHECK:       %[[FULL_Y:.*]] = tile.alloc_barriers arrivals 1 : <1>
// CHECK:       %[[ANY:.*]] = arith.cmpi sgt, %[[N:.*]], %c0_i64
// CHECK:       scf.if %[[ANY]]
// CHECK:         tile.copy_to_shared {{.*}}, %[[FULL_Y]][
// CHECK:       scf.for
// CHECK:         tile.copy_to_shared {{.*}}, %[[FULL]][
// CHECK:       scf.if
// CHECK:         tile.barrier_wait %[[FULL_Y]]
// CHECK:       scf.for
// CHECK-NOT:     %[[FULL_Y]]
// CHECK:         tile.barrier_wait %[[FULL]]
// CHECK-NOT:     %[[FULL_Y]]
// CHECK:       tile.yield

// Several threads store a block. The first one sees to it that the next stage is free before all synchronize, and
// copies after.
TEGULA_KERNEL void together(tg::array<const float, 2> x, tg::array<float, 2> o, tg::s64 n) {
  tg::kernel({.threads = {"wg", 3}}, [=] {
    const auto map = [](auto i) { return tg::index(i, 0); };
    tg::emit_pipeline_warp_specialized(
        {.grid = {n}, .wg_axis = "wg", .num_compute_wgs = 2},
        [](auto pipeline) {
          pipeline([](auto, auto a, auto to) {
            const auto part = tg::ds<8>(tg::axis_index("wg") * 8);
            to.at(part)[tg::all] = a[part];
          });
        },
        tg::in<16, 32>(x, map), tg::out<16, 32>(o, map));
  });
}
// CHECK-LABEL: tile.entry @together
// CHECK:       %[[STORED:.*]] = tile.alloc_named_barriers threads 2 first 3
// CHECK:       %[[IS_FIRST:.*]] = arith.cmpi eq, %{{.*}}, %c0_i64
// CHECK:       scf.for
// CHECK:         tile.store
// CHECK:         tile.fence_shared
// CHECK:         scf.if %[[IS_FIRST]] {
// CHECK-NEXT:      tile.wait_group 0 read
// CHECK-NEXT:    }
// CHECK-NEXT:    tile.named_barrier wait %[[STORED]]
// CHECK-NEXT:    scf.if %[[IS_FIRST]] {
// CHECK:           tile.copy_to_global
// CHECK:           tile.commit_group
// CHECK:       scf.if %[[IS_FIRST]] {
// CHECK-NEXT:    tile.wait_group 0{{$}}
// CHECK-NEXT:  }
// CHECK-NEXT:  tile.named_barrier wait %[[STORED]]

// A block that stays for steps in a row has one stage for them: it goes on when the block does.
TEGULA_KERNEL void sums(tg::array<const float, 2> x, tg::array<float, 2> o, tg::s64 m, tg::s64 n) {
  tg::kernel([=] {
    tg::emit_pipeline(
        {.grid = {m, n}, .max_concurrent_steps = 3}, [](auto, auto, auto a, auto to) { to[tg::all] += a[tg::all]; },
        tg::in<8, 32>(x, [](auto i, auto j) { return tg::index(i, j); }),
        tg::out<8, 32>(o, [](auto i, auto) { return tg::index(i, 0); }));
  });
}
// CHECK-LABEL: tile.entry @sums
// CHECK:       %[[OUT:.*]] = tile.alloc : <f32, [3, 8, 32], smem>
// CHECK:       %[[OUT:.*]] = tile.alloc : <f32, [3, 8, 32], smem>
// CHECK:       scf.for
// CHECK:       scf.for {{.*}} %[[STAGE:[a-z0-9]+]] = %c0_i64
// CHECK:         %to = tile.slice %[[OUT]][element %[[OWN:.*]], whole, whole]
// CHECK:         %[[ENDS:.*]] = arith.ori
// CHECK:         %[[NEXT:.*]] = arith.addi %[[OWN]], %c1_i64
// CHECK:         %[[WRAPPED:.*]] = arith.select %{{.*}}, %c0_i64, %[[NEXT]]
// CHECK:         %[[FOLLOWING:.*]] = arith.select %[[ENDS]], %[[WRAPPED]], %[[OWN]]
// CHECK:         scf.if %[[ENDS]] {
// CHECK-NEXT:      tile.copy_to_global %to
// CHECK:         scf.yield {{.*}}%[[FOLLOWING]]

// The body waits for its blocks, with the parity of the pass, and releases them.
TEGULA_KERNEL void manual(tg::array<const float, 2> x, tg::array<const float, 2> y, tg::s64 n) {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    const auto map = [](auto i) { return tg::index(i, 0); };
    tg::emit_pipeline_warp_specialized(
        {.grid = {n}, .wg_axis = "wg", .manual_ready_barriers = true, .manual_consumed_barriers = true},
        [](auto pipeline) {
          pipeline([](auto, auto a, auto b) {
            tg::barrier_wait(b.ready());
            tg::barrier_arrive(b.consumed());
            if (tg::barrier_test(a.ready()))
              tg::barrier_wait(a.ready());
            tg::barrier_arrive(a.consumed());
          });
        },
        tg::in<8, 32>(x, map), tg::in<8, 32>(y, map));
  });
}
// CHECK-LABEL: tile.entry @manual
// CHECK:       %[[FULL_A:.*]] = tile.alloc_barriers arrivals 1 : <2>
// CHECK:       %[[EMPTY_A:.*]] = tile.alloc_barriers frees arrivals 1 : <2>
// CHECK:       %[[FULL_B:.*]] = tile.alloc_barriers arrivals 1 : <2>
// CHECK:       %[[EMPTY_B:.*]] = tile.alloc_barriers frees arrivals 1 : <2>
// CHECK:       } else {
// CHECK:         scf.for {{.*}} iter_args(%[[SA:.*]] = %c0_i64, %[[PA:.*]] = %false, %[[SB:.*]] = %c0_i64, %[[PB:.*]] = %false)
// CHECK-NEXT:      tile.barrier_wait %[[FULL_B]][%[[SB]]] parity %[[PB]]
// CHECK-NEXT:      tile.barrier_arrive %[[EMPTY_B]][%[[SB]]]
// CHECK-NEXT:      %[[ENDED:.*]] = tile.barrier_test %[[FULL_A]][%[[SA]]] parity %[[PA]]
// CHECK-NEXT:      scf.if %[[ENDED]] {
// CHECK-NEXT:        tile.barrier_wait %[[FULL_A]][%[[SA]]] parity %[[PA]]
// CHECK-NEXT:      }
// CHECK-NEXT:      tile.barrier_arrive %[[EMPTY_A]][%[[SA]]]
// CHECK-NOT:       tile.barrier
// CHECK:       tile.yield
