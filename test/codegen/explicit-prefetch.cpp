// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s --check-prefix=TILE
// RUN: tegulac --emit=ptx --arch=sm_90a %s -o - | FileCheck %s
// RUN: tegulac --emit=resources --arch=sm_90a %s -o - | FileCheck %s --check-prefix=RESOURCES
// Blocks of a cluster share a prefetch: each fetches a part.
#include <tegula/tegula.h>
namespace tg = tegula;

// RESOURCES-COUNT-2: spills 0

// TILE:        tile.prefetch %{{.*}} evict last {tile.shared_along = array<i64: 0, 1>}
// TILE:        tile.prefetch %{{.*}} {tile.shared_along = array<i64: 1>}
// TILE:        tile.prefetch %{{[0-9]+}} :

// 64 rows for four blocks, 16 each; 512 columns are two boxes.
// CHECK-LABEL: .entry shared_0(
// CHECK-DAG:   mov.u32 %r[[RANK:[0-9]+]], %cluster_ctarank;
// CHECK-COUNT-2: cp.async.bulk.prefetch.tensor.2d.L2.global.tile.L2::cache_hint [
// CHECK:       cp.async.bulk.prefetch.tensor.2d.L2.global.tile [
// CHECK:       cp.async.bulk.prefetch.tensor.2d.L2.global.tile [
// CHECK-NOT:   prefetch.tensor
// CHECK:       ret;
TEGULA_KERNEL void shared(tg::array<const float, 2> x) {
  tg::kernel({.cluster = {{"a", 2}, {"b", 2}}}, [=] {
    tg::async_prefetch(x.at(tg::ds<64>(0), tg::ds<512>(0)), {.collective_axes = {"a", "b"}, .l2_eviction = tg::evict_last});
    tg::async_prefetch(x.at(tg::ds<32>(64), tg::ds<32>(0)), {.collective_axes = {"b"}});
    tg::async_prefetch(x.at(tg::ds<32>(128), tg::ds<32>(0)));
  });
}

// Seven rows of 36 elements for two blocks: of nine units of 16 bytes, five each.
// CHECK-LABEL: .entry uneven_0(
// CHECK:       mul{{.*}}, 20;
// CHECK:       cp.async.bulk.prefetch.tensor.2d
// CHECK-NOT:   prefetch.tensor
// CHECK:       ret;
TEGULA_KERNEL void uneven(tg::array<const float, 2> x) {
  tg::kernel({.cluster = {{"c", 2}}},
             [=] { tg::async_prefetch(x.at(tg::ds<7>(0), tg::ds<36>(0)), {.collective_axes = {"c"}}); });
}
