// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// Shared memory of other blocks, views, unions, promises.
#include <tegula/tegula.h>
namespace tg = tegula;

// Windows of what another block has are windows of this block's place, seen there.
TEGULA_KERNEL void clusters(tg::array<float, 2> x, tg::s64 b) {
  tg::kernel({.cluster = {{"one", 1}, {"a", 2}, {"b", 4}}}, [=] {
    tg::smem<float, 4, 64> s;
    tg::barrier<2> arrived;
    const auto there = tg::cluster_ref(s.at(1), {"b", b});
    there[tg::ds<8>(8)] = there[tg::ds<8>(0)];
    tg::atomic_add(there, x[0, tg::ds<64>(0)]);
    tg::async_store_smem(x[0, tg::ds<64>(0)], s.at(2), arrived.at(1), {"a", 1});
    tg::async_store_smem(tg::iota<tg::u32, 64>(), tg::bitcast_ref<tg::u32>(s.at(3)), arrived.at(0), {"one", 0}, tg::reduction_op::inc);
  });
}
// CHECK-LABEL: tile.entry @clusters
// CHECK:       %s = tile.alloc : <f32, [4, 64], smem>
// CHECK:       %[[ROW:.*]] = tile.slice %s[element %c1_i64, whole]
// CHECK:       %[[THERE:.*]] = tile.cluster_ref %[[ROW]] axis 2 at %[[B:b_.*]] : <f32, [64], smem>
// CHECK:       %[[FROM:.*]] = tile.slice %[[THERE]][window %c0_i64]
// CHECK:       %[[VALUE:.*]] = tile.load %[[FROM]]
// CHECK:       %[[TO:.*]] = tile.slice %[[THERE]][window %c8_i64]
// CHECK:       tile.store %[[VALUE]], %[[TO]]
// CHECK:       tile.atomic add %{{.*}}, %[[THERE]] [] at 0 : tensor<64xf32>, <f32, [64], smem>
// CHECK:       %[[SECOND:.*]] = tile.slice %s[element %c2_i64, whole]
// CHECK:       %[[OTHER:.*]] = tile.cluster_ref %[[SECOND]] axis 1 at %c1_i64
// CHECK:       tile.async_store %{{.*}}, %[[OTHER]], %{{.*}}[%c1_i64] : tensor<64xf32>, <f32, [64], smem>, <2>
// CHECK:       tile.async_store reduce inc %{{.*}}[%c0_i64] : tensor<64xui32>, <ui32, [64], smem>, <2>

// A struct of a union is one group; unions within a group have groups of their own. What is outside has none.
struct pair {
  tg::smem<float, 8> first, second;
};
TEGULA_KERNEL void unions(tg::s64 n) {
  tg::kernel([=] {
    tg::smem<float, 4> outside;
    for (tg::s64 i = 0; i < n; ++i) {
      union {
        pair both;
        struct {
          tg::smem<float, 16> wide;
          union {
            tg::smem<tg::s32, 32> a;
            tg::smem<tg::u8, 64> b[2];
          } within;
        } rest;
      } shared;
      shared.both.first[0] = 1.0f;
      shared.both.second[0] = 1.0f;
      shared.rest.wide[0] = 1.0f;
      shared.rest.within.a[0] = 1;
      shared.rest.within.b[0][0] = tg::u8(1);
      shared.rest.within.b[1][0] = tg::u8(1);
      outside[0] = 1.0f;
    }
  });
}
// CHECK-LABEL: tile.entry @unions
// CHECK:       tile.alloc : <f32, [4], smem>
// CHECK:       %[[FIRST:.*]] = tile.alloc group [0, 0] : <f32, [8], smem>
// CHECK:       %[[SECOND:.*]] = tile.alloc group [0, 0] : <f32, [8], smem>
// CHECK:       %[[WIDE:.*]] = tile.alloc group [0, 1] : <f32, [16], smem>
// CHECK:       %[[A:.*]] = tile.alloc group [0, 1, 1, 0] : <i32, [32], smem>
// CHECK:       %[[B0:.*]] = tile.alloc group [0, 1, 1, 1] : <ui8, [64], smem>
// CHECK:       %[[B1:.*]] = tile.alloc group [0, 1, 1, 1] : <ui8, [64], smem>
// CHECK:       tile.free %[[FIRST]], %[[SECOND]], %[[WIDE]], %[[A]], %[[B0]], %[[B1]] :

TEGULA_KERNEL void views(tg::array<tg::f16, 2> x, tg::s64 n) {
  tg::kernel([=] {
    tg::smem<tg::f16, 4, 16, 64> s{.transforms = {tg::swizzle(64)}};
    const auto wide = tg::reshape_ref<64, 64>(s);
    const auto words = tg::bitcast_ref<tg::u32>(wide);
    words[tg::multiple_of<8>(n), 0] = 1u;
    const auto split = tg::reshape_ref<2, 8, 1, 64>(x.at(tg::ds<16>(0), tg::ds<64>(0)));
    split[1, 2, 0, 3] = tg::f16(1);
    const auto there = tg::bitcast_ref<tg::u16>(x.at(tg::ds<16>(0), tg::ds<64>(0)));
    there[tg::multiple_of<4>(12), 5] = tg::u16(n);
  });
}
// CHECK-LABEL: tile.entry @views
// CHECK:       %[[S:.*]] = tile.alloc : <f16, [4, 16, 64], smem swizzle 64>
// CHECK:       %[[WIDE:.*]] = tile.reshape_ref %[[S]] : <f16, [4, 16, 64], smem swizzle 64> -> <f16, [64, 64], smem swizzle 64>
// CHECK:       %[[WORDS:.*]] = tile.bitcast_ref %[[WIDE]] : <f16, [64, 64], smem swizzle 64> -> <ui32, [64, 32], smem swizzle 64>
// CHECK:       %[[N:.*]] = tile.multiple_of %{{.*}} of 8
// CHECK:       tile.slice %[[WORDS]][element %[[N]], element %c0_i64]
// CHECK:       tile.reshape_ref %{{.*}} : <f16, [16?, 64?]> -> <f16, [2, 8, 1, 64]>
// CHECK:       %[[THERE:.*]] = tile.bitcast_ref %{{.*}} : <f16, [16?, 64?]> -> <ui16, [16, 64]>
// CHECK:       tile.slice %[[THERE]][element %c12_i64, element %c5_i64]

// CHECK-LABEL: tile.entry @led
// CHECK:       tile.alloc_barriers arrivals 8 cluster [0] leader : <2>
// Without other blocks along the axis, it is a barrier like others.
// CHECK:       tile.alloc_barriers arrivals 3 : <1>
TEGULA_KERNEL void led() {
  tg::kernel({.cluster = {{"c", 4}, {"one", 1}}}, [=] {
    tg::cluster_barrier<2> done{.collective_axes = {"c"}, .num_arrivals = 2, .leader_tracked = true};
    tg::barrier_arrive(done.at(0));
    tg::cluster_barrier<> alone{.collective_axes = {"one"}, .num_arrivals = 3, .leader_tracked = true};
    tg::barrier_arrive(alone);
  });
}
