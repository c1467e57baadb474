// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// Shared memory, barriers, copies.
#include <tegula/tegula.h>
namespace tg = tegula;

// Extents of shared memory are exact; the window of the array may extend past its end.
TEGULA_KERNEL void copies(tg::array<const float, 2> x, tg::array<float, 2> o, tg::s64 m, bool b) {
  tg::kernel({.cluster = {{"c", 2}, {"one", 1}}}, [=] {
    tg::smem<float, 4, 64, 32> ring;
    tg::barrier done;
    const auto stage = ring.at(m);
    tg::copy_gmem_to_smem(x.at(tg::ds<64>(m), tg::ds<32>(-1)), stage, done);
    tg::copy_gmem_to_smem(x.at(tg::ds<1>(m), tg::ds<32>(0)), stage.at(3), done, {.predicate = b});
    tg::copy_gmem_to_smem(x.at(tg::ds<64>(m), tg::ds<32>(0)), stage, done, {.collective_axes = {"one", "c"}});
    stage[tg::ds<8>(8)] = stage[tg::ds<8>(0)] + 1.0f;
    tg::commit_smem();
    tg::copy_smem_to_gmem(stage, o.at(tg::ds<64>(m), tg::ds<32>(0)));
    tg::copy_smem_to_gmem(stage, o.at(tg::ds<64>(m), tg::ds<32>(32)), {.predicate = b, .commit_group = false});
    tg::copy_smem_to_gmem(stage, o.at(tg::ds<64>(m), tg::ds<32>(64)),
                          {.commit_group = false, .oob_mode = tg::oob_fill::promise_in_bounds});
    tg::commit_smem_to_gmem_group();
    tg::wait_smem_to_gmem<1>(true);
    tg::wait_smem_to_gmem<0>();
  });
}
// CHECK-LABEL: tile.entry @copies
// CHECK:       %[[DONE:.*]] = tile.alloc_barriers arrivals 1 : <1>
// CHECK:       %ring = tile.alloc : <f32, [4, 64, 32], smem>
// CHECK:       %[[SLOT:.*]] = tile.slice %ring[element %[[M:m_.*]], whole, whole] : <f32, [4, 64, 32], smem> -> <f32, [64, 32], smem>
// CHECK:       %[[W:.*]] = tile.slice %[[X:x_.*]][window %[[M]], window %c-1_i64] : <f32, [?, ?]> -> <f32, [64?, 32?]>
// CHECK:       tile.copy_to_shared %[[W]], %[[SLOT]], %[[DONE]][%c0_i64] : <f32, [64?, 32?]>, <f32, [64, 32], smem>, <1>
// CHECK:       %[[ROW:.*]] = tile.slice %[[SLOT]][element %c3_i64, whole]
// CHECK:       tile.copy_to_shared %{{.*}}, %[[ROW]], %[[DONE]][%c0_i64] if %[[B:b_.*]] : <f32, [1?, 32?]>, <f32, [32], smem>
// CHECK:       tile.copy_to_shared {{.*}} multicast [0] :
// CHECK:       %[[FROM:.*]] = tile.slice %[[SLOT]][window %c0_i64, whole] : <f32, [64, 32], smem> -> <f32, [8, 32], smem>
// CHECK:       tile.load %[[FROM]]
// CHECK:       %[[TO:.*]] = tile.slice %[[SLOT]][window %c8_i64, whole]
// CHECK:       tile.store %{{.*}}, %[[TO]]
// CHECK:       tile.fence_shared
// CHECK:       tile.copy_to_global commit %[[SLOT]],
// CHECK:       tile.copy_to_global %[[SLOT]], %{{.*}} if %[[B]]
// CHECK:       tile.copy_to_global %[[SLOT]], %{{.*}} inside :
// CHECK:       tile.commit_group
// CHECK-NEXT:  tile.wait_group 1 read
// CHECK-NEXT:  tile.wait_group 0{{$}}

// The program counts the phases: one bit per barrier, over loops and helpers.
void wait(tg::barrier_ref b) { tg::barrier_wait(b); }
TEGULA_KERNEL void barriers(tg::s64 n) {
  tg::kernel({.cluster = {{"a", 2}, {"b", 4}}, .threads = {"wg", 2}}, [=] {
    for (tg::s64 i = 0; i < n; ++i) {
      tg::barrier<2, 3> ring{.num_arrivals = 2};
      tg::barrier one;
      tg::barrier_arrive(ring.at(1, i % 3));
      wait(ring.at(1, i % 3));
      tg::barrier_arrive(one);
      wait(one);
    }
    // 2 * ((2 - 1) + (4 - 1) + 1) arrivals.
    tg::cluster_barrier<4> all{.collective_axes = {"b", "a"}, .num_arrivals = 2};
    const auto copy = all;
    tg::barrier_arrive(copy.at(2));
    tg::barrier_wait(copy.at(2));
    tg::barrier_wait(all.at(2));
  });
}
// CHECK-LABEL: tile.entry @barriers
// CHECK:       tile.launch
// A barrier is made once, also in a loop: its phases go on.
// CHECK:       %[[RING:.*]] = tile.alloc_barriers arrivals 2 : <6>
// CHECK:       %[[ONE:.*]] = tile.alloc_barriers arrivals 1 : <1>
// CHECK:       %[[ALL:.*]] = tile.alloc_barriers arrivals 10 cluster [0, 1] : <4>
// CHECK:       scf.for {{.*}} iter_args(%[[MASK:.*]] = %c0_i32, %[[PARITY:.*]] = %false)
// CHECK:         %[[I:.*]] = arith.remsi
// CHECK:         %[[AT:.*]] = arith.addi %[[I]], %c3_i64
// CHECK:         tile.barrier_arrive %[[RING]][%[[AT]]] : <6>
// CHECK:         %[[NUMBER:.*]] = arith.trunci %[[AT]] : i64 to i32
// CHECK:         %[[BITS:.*]] = arith.shrui %[[MASK]], %[[NUMBER]]
// CHECK:         %[[IS:.*]] = arith.trunci %[[BITS]] : i32 to i1
// CHECK:         %[[BIT:.*]] = arith.shli %c1_i32, %[[NUMBER]]
// CHECK:         tile.barrier_wait %[[RING]][%[[AT]]] parity %[[IS]]
// CHECK:         %[[NEXT:.*]] = arith.xori %[[MASK]], %[[BIT]]
// CHECK:         tile.barrier_arrive %[[ONE]][%c0_i64]
// CHECK:         tile.barrier_wait %[[ONE]][%c0_i64] parity %[[PARITY]]
// CHECK:         %[[FLIPPED:.*]] = arith.xori %[[PARITY]], %true
// CHECK:         scf.yield %[[NEXT]], %[[FLIPPED]]
// A copy is the same barriers.
// CHECK:       tile.barrier_wait %[[ALL]][%c2_i64] parity %false
// CHECK:       tile.barrier_wait %[[ALL]][%c2_i64] parity %true

// Scratch in structs and arrays; views.
template <class T> struct buffers {
  tg::smem<T, 16, 8> tiles;
  tg::barrier<> full;
};
TEGULA_KERNEL void scratch(tg::array<const tg::e4m3, 2> x) {
  tg::kernel([=] {
    buffers<tg::e4m3> two[2];
    auto &second = two[1];
    tg::copy_gmem_to_smem(tg::transpose_ref(x).at(tg::ds<16>(0), tg::ds<8>(0)), second.tiles, second.full);
    tg::copy_gmem_to_smem(x.at(tg::ds<8>(0), tg::ds<16>(0)), tg::transpose_ref<1, 0>(two[0].tiles), two[0].full);
  });
}
// CHECK-LABEL: tile.entry @scratch(%x: !tile.array<f8E4M3FN, 2, const>
// CHECK:       %[[FULL0:.*]] = tile.alloc_barriers
// CHECK:       %[[FULL1:.*]] = tile.alloc_barriers
// CHECK:       %[[S0:.*]] = tile.alloc : <f8E4M3FN, [16, 8], smem>
// CHECK:       %[[S1:.*]] = tile.alloc : <f8E4M3FN, [16, 8], smem>
// CHECK:       %[[XT:.*]] = tile.transpose %{{.*}} [1, 0]
// CHECK:       tile.slice %[[XT]]
// CHECK:       tile.copy_to_shared %{{.*}}, %[[S1]], %[[FULL1]]
// CHECK:       %[[ST:.*]] = tile.transpose %[[S0]] [1, 0] : <f8E4M3FN, [16, 8], smem> -> <f8E4M3FN, [8, 16], smem>
// CHECK:       tile.copy_to_shared %{{.*}}, %[[ST]], %[[FULL0]]

// Shared memory ends with its scope, also that of a ring: of the pipeline itself, or of the variable that it is in. What
// a branch allocates is there as long as the branch.
TEGULA_KERNEL void scopes(tg::array<const float, 2> x, tg::s64 n) {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    const auto map = [](auto i) { return tg::index(i, 0); };
    tg::smem<float, 16> outer;
    {
      tg::smem<float, 32> first, second;
      if (n > 3) {
        tg::smem<float, 48> inner;
        outer[0] = inner[0];
      }
      outer[1] = first[0] + second[0];
    }
    for (tg::s64 i = 0; i < n; ++i) {
      tg::pipeline_allocations ring;
      tg::emit_pipeline_warp_specialized(
          {.grid = {n}, .wg_axis = "wg", .allocations = &ring},
          [](auto pipeline) { pipeline([](auto, auto) {}); }, tg::in<8, 32>(x, map));
      tg::emit_pipeline_warp_specialized(
          {.grid = {n}, .wg_axis = "wg"}, [](auto pipeline) { pipeline([](auto, auto) {}); }, tg::in<16, 32>(x, map));
      outer[2] = 0.0f;
    }
    if (tg::axis_index("wg") == 0)
      tg::emit_pipeline({.grid = {n}}, [](auto, auto) {}, tg::in<24, 32>(x, map));
  });
}
// CHECK-LABEL: tile.entry @scopes
// CHECK:       %[[OUTER:.*]] = tile.alloc : <f32, [16], smem>
// CHECK:       %[[FIRST:.*]] = tile.alloc : <f32, [32], smem>
// CHECK:       %[[SECOND:.*]] = tile.alloc : <f32, [32], smem>
// CHECK:       scf.if
// CHECK:         %[[INNER:.*]] = tile.alloc : <f32, [48], smem>
// CHECK:         tile.store
// CHECK-NEXT:    tile.free %[[INNER]] :
// CHECK-NEXT:  }
// CHECK:       tile.store
// CHECK-NEXT:  tile.free %[[FIRST]], %[[SECOND]] :
// CHECK:       scf.for
// CHECK:         %[[SHARED:.*]] = tile.alloc : <f32, [2, 8, 32], smem>
// CHECK:         %[[OWN:.*]] = tile.alloc : <f32, [2, 16, 32], smem>
// CHECK:         scf.if
// CHECK:         } else {
// CHECK:         tile.free %[[OWN]] :
// CHECK:         tile.store
// CHECK:         tile.free %[[SHARED]] :
// CHECK:       scf.if
// CHECK:         %[[ALONE:.*]] = tile.alloc : <f32, [1, 24, 32], smem>
// CHECK:         tile.free %[[ALONE]] :
// The body's own is there to its end.
// CHECK-NOT:   tile.free
// CHECK:       tile.return

// An arrangement that is pinned goes with every view of it.
TEGULA_KERNEL void arranged(tg::array<const float, 2> x) {
  tg::kernel([=] {
    tg::smem<float, 2, 16, 32> s{.transforms = {tg::swizzle(64)}};
    tg::smem<float, 16, 32> plain{};
    s[1, tg::all, tg::ds<16>(0)] = tg::transpose_ref(s.at(0))[tg::ds<16>(8)];
    tg::emit_pipeline({.grid = {2}}, [](auto, auto) {},
                      tg::in<8, 32>(x, [](auto i) { return tg::index(i, 0); }, {.transforms = {tg::swizzle(16)}}));
  });
}
// CHECK-LABEL: tile.entry @arranged
// CHECK:       tile.alloc : <f32, [2, 16, 32], smem swizzle 64>
// CHECK:       tile.alloc : <f32, [16, 32], smem>
// CHECK:       tile.slice {{.*}} -> <f32, [16, 32], smem swizzle 64>
// CHECK:       tile.transpose {{.*}} -> <f32, [32, 16], smem swizzle 64>
// CHECK:       tile.alloc : <f32, [1, 8, 32], smem swizzle 16>
// CHECK:       tile.slice {{.*}} -> <f32, [8, 32], smem swizzle 16>
