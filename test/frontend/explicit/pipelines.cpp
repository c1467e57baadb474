// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// tg::emit_pipeline: one thread copies ahead and computes.
#include <tegula/tegula.h>
namespace tg = tegula;

// Four stages; a stage is filled again one step after its own.
TEGULA_KERNEL void product(tg::array<const tg::bf16, 2> a, tg::array<const tg::bf16, 2> b, tg::array<float, 2> o) {
  tg::kernel({.grid = {{"m", tg::cdiv(a.dim(0), 64)}}}, [=] {
    const auto m = tg::axis_index("m");
    tg::acc<float, 64, 128> acc;
    tg::emit_pipeline(
        {.grid = {tg::cdiv(a.dim(1), 32)}, .max_concurrent_steps = 4, .delay_release = 1},
        [&](auto, auto x, auto y) {
          tg::wgmma(acc, x, y);
          tg::wgmma_wait<1>();
        },
        tg::in<64, 32>(a, [=](auto k) { return tg::index(m, k); }),
        tg::in<32, 128>(b, [=](auto k) { return tg::index(k, 0); }));
    o[tg::ds<64>(m * 64), tg::ds<128>(0)] = acc[tg::all];
  });
}
// CHECK-LABEL: tile.entry @product
// CHECK:       tile.launch
// The two copies of a step arrive.
// CHECK:       %[[FULL:.*]] = tile.alloc_barriers arrivals 2 : <4>
// CHECK:       %[[STEPS:.*]] = arith.divsi
// CHECK:       %[[A:.*]] = tile.alloc : <bf16, [4, 64, 32], smem>
// CHECK:       %[[B:.*]] = tile.alloc : <bf16, [4, 32, 128], smem>
// CHECK:       %[[FIRST:.*]] = arith.minsi %[[STEPS]], %c4_i64
// CHECK:       %[[FILLED:.*]] = scf.for %[[I:.*]] = %c0_i64 to %[[FIRST]] step %c1_i64 iter_args(%[[SLOT:.*]] = %c0_i64)
// CHECK:         %[[K:.*]] = arith.muli %[[I]], %c32_i64
// CHECK:         %[[WINDOW:.*]] = tile.slice %a_{{[0-9]+}}[window %{{.*}}, window %[[K]]] :
// CHECK:         %[[BUFFER:.*]] = tile.slice %[[A]][element %[[SLOT]], whole, whole]
// CHECK:         tile.copy_to_shared %[[WINDOW]], %[[BUFFER]], %[[FULL]][%[[SLOT]]]
// CHECK:         %[[WINDOW:.*]] = tile.slice %b_{{[0-9]+}}[window %[[K]], window %c0_i64] :
// CHECK:         %[[BUFFER:.*]] = tile.slice %[[B]][element %[[SLOT]], whole, whole]
// CHECK:         tile.copy_to_shared %[[WINDOW]], %[[BUFFER]], %[[FULL]][%[[SLOT]]]
// The stage wraps; nothing is divided.
// CHECK:         %[[NEXT:.*]] = arith.addi %[[SLOT]], %c1_i64
// CHECK:         %[[WRAPS:.*]] = arith.cmpi eq, %[[NEXT]], %c4_i64
// CHECK:         %[[WRAPPED:.*]] = arith.select %[[WRAPS]], %c0_i64, %[[NEXT]]
// CHECK:         scf.yield %[[WRAPPED]]
// CHECK:       scf.for %[[I:.*]] = %c0_i64 to %[[STEPS]] {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}, %[[REFILLED:.*]] = %[[FILLED]], %[[SLOT:.*]] = %c0_i64, %[[PARITY:.*]] = %false)
// CHECK-NOT:     {{div|rem}}
// CHECK:         tile.barrier_wait %[[FULL]][%[[SLOT]]] parity %[[PARITY]]
// CHECK:         %[[X:.*]] = tile.slice %[[A]][element %[[SLOT]], whole, whole]
// CHECK:         %[[Y:.*]] = tile.slice %[[B]][element %[[SLOT]], whole, whole]
// CHECK:         tile.wgmma %[[ACC]], %[[X]], %[[Y]]
// CHECK:         %[[AHEAD:.*]] = arith.addi %[[I]], %c3_i64
// CHECK:         %[[IS_STEP:.*]] = arith.cmpi slt, %[[AHEAD]], %[[STEPS]]
// CHECK:         %[[IS_LATE:.*]] = arith.cmpi sge, %[[I]], %c1_i64
// CHECK:         %[[BOTH:.*]] = arith.andi %[[IS_STEP]], %[[IS_LATE]]
// CHECK:         scf.if %[[BOTH]]
// CHECK:           arith.muli %[[AHEAD]], %c32_i64
// CHECK:           tile.copy_to_shared {{.*}}, %[[FULL]][%[[REFILLED]]]
// CHECK:           tile.copy_to_shared {{.*}}, %[[FULL]][%[[REFILLED]]]
// The parity flips with every pass.
// CHECK:         %[[NEXT:.*]] = arith.addi %[[SLOT]], %c1_i64
// CHECK:         %[[WRAPS:.*]] = arith.cmpi eq, %[[NEXT]], %c4_i64
// CHECK:         %[[WRAPPED:.*]] = arith.select %[[WRAPS]], %c0_i64, %[[NEXT]]
// CHECK:         %[[FLIPPED:.*]] = arith.xori %[[PARITY]], %[[WRAPS]]
// CHECK:         scf.yield {{.*}}, %[[WRAPPED]], %[[FLIPPED]]

// The last axis of the grid runs fastest, by counting; each step's copies to the array are a group.
TEGULA_KERNEL void outputs(tg::array<const float, 2> x, tg::array<float, 2> o, tg::s64 m, tg::s64 n) {
  tg::kernel([=] {
    tg::emit_pipeline(
        {.grid = {m, n}, .max_concurrent_steps = 2},
        [&](auto, auto, auto from, auto to) { to[tg::all] = from[tg::all]; },
        tg::in<tg::squeezed, 32>(x, [](auto i, auto) { return tg::index(i, 0); }),
        tg::out<tg::squeezed, 32>(o, [](auto i, auto j) { return tg::index(i, j); }));
  });
}
// CHECK-LABEL: tile.entry @outputs
// CHECK:       tile.launch
// CHECK:       tile.alloc : <f32, [2, 32], smem>
// CHECK:       %[[OUT:.*]] = tile.alloc : <f32, [2, 32], smem>
// CHECK:       scf.for
// CHECK:       scf.for %[[I:.*]] = %c0_i64 to %[[STEPS:.*]] step
// CHECK-NOT:     {{div|rem}}
// CHECK:         tile.barrier_wait
// The buffer is free when all copies but the last have read theirs.
// CHECK-NEXT:    tile.wait_group 1 read
// CHECK:         %to = tile.slice %[[OUT]]
// CHECK:         tile.store %{{.*}}, %to
// CHECK-NEXT:    tile.fence_shared
// CHECK:         %[[NEXT:.*]] = arith.addi %[[I]], %c1_i64
// CHECK:         %[[IS_LAST:.*]] = arith.cmpi eq, %[[NEXT]], %[[STEPS]]
// CHECK:         %[[J:.*]] = arith.addi %[[COLUMN:.*]], %c1_i64
// CHECK:         %[[WRAPS:.*]] = arith.cmpi eq, %[[J]], %[[N:n_.*]] : i64
// CHECK:         %[[THEN:.*]] = arith.select %[[WRAPS]], %c0_i64, %[[J]]
// CHECK:         %[[NOW_AT:.*]] = arith.muli %[[COLUMN]], %c32_i64
// CHECK:         %[[WINDOW:.*]] = tile.slice %{{.*}}[element %{{.*}}, window %[[NOW_AT]]]
// CHECK:         %[[THEN_AT:.*]] = arith.muli %[[THEN]], %c32_i64
// CHECK:         %[[OTHER:.*]] = arith.cmpi ne, %[[NOW_AT]], %[[THEN_AT]]
// CHECK:         %[[ENDS:.*]] = arith.ori %{{.*}}, %[[OTHER]]
// CHECK:         scf.if %[[ENDS]] {
// CHECK-NEXT:      tile.copy_to_global %to, %[[WINDOW]]
// CHECK-NEXT:    }
// CHECK-NEXT:    tile.commit_group
// CHECK:       tile.wait_group 0{{$}}

// A block that goes both ways leaves before its stage is filled again. More stages than steps are not made.
TEGULA_KERNEL void both_ways(tg::array<float, 2> x, tg::s64 n) {
  tg::kernel([=] {
    const auto map = [=](auto i) { return tg::index(i, 0); };
    const auto body = [](auto, auto b) { b[tg::all] += 1.0f; };
    tg::emit_pipeline({.grid = {n}, .max_concurrent_steps = 3, .delay_release = 1}, body, tg::inout<8, 32>(x, map));
    tg::emit_pipeline({.grid = {2}, .max_concurrent_steps = 4}, body, tg::inout<16, 32>(x, map));
    tg::emit_pipeline({}, [](auto b) { b[tg::all] = 1.0f; }, tg::out<8, 8>(x, [] { return tg::index(0, 0); }));
  });
}
// CHECK-LABEL: tile.entry @both_ways
// CHECK:       tile.launch
// CHECK:       tile.alloc : <f32, [3, 8, 32], smem>
// CHECK:       tile.wait_group 2 read
// CHECK:       tile.commit_group
// CHECK:       scf.if
// CHECK-NEXT:    tile.wait_group 1 read
// CHECK:         tile.copy_to_shared
// CHECK:       tile.alloc : <f32, [2, 16, 32], smem>
// CHECK:       tile.copy_to_shared
// CHECK-NOT:   tile.copy_to_shared
// CHECK:       tile.alloc : <f32, [1, 8, 8], smem>
// CHECK-NOT:   scf.for
// CHECK:       tile.copy_to_global

// A pipeline in a loop: the barriers' phases go on.
TEGULA_KERNEL void again(tg::array<const float, 2> x, tg::s64 n) {
  tg::kernel([=] {
    for (tg::s64 i = 0; i < n; ++i)
      tg::emit_pipeline(
          {.grid = {n}, .max_concurrent_steps = 2}, [](auto, auto) {},
          tg::in<8, 32>(x, [=](auto j) { return tg::index(j, i); }));
  });
}
// CHECK-LABEL: tile.entry @again
// CHECK:       tile.alloc_barriers
// CHECK:       scf.for {{.*}} iter_args(%[[S:.*]] = %c0_i64, %[[P:.*]] = %false)
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %[[S]])
// CHECK:         %[[LOOP:.*]]:3 = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %[[S]], %{{.*}} = %[[P]])
// CHECK:         scf.yield %[[LOOP]]#1, %[[LOOP]]#2
