// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// Roles are plain ifs with early returns; scratch goes to helpers by reference.
#include <tegula/tegula.h>
namespace tg = tegula;
template <class S> void load(tg::array<const float, 2> x, S &s, tg::barrier<2> &full, tg::s64 i) {
  tg::copy_gmem_to_smem(x.at(tg::ds<8>(i * 8), tg::ds<32>(0)), s.at(i % 2), full.at(i % 2));
}
TEGULA_KERNEL void roles(tg::array<const float, 2> x, tg::array<float, 2> o, int n) {
  tg::kernel({.grid = {{"m", n}}, .threads = {"wg", 2}}, [=] {
    tg::smem<float, 2, 8, 32> s;
    tg::barrier<2> full, empty;
    if (tg::axis_index("wg") == 1) {
      for (int i = 0; i < n; ++i) {
        if (i >= 2)
          tg::barrier_wait(empty.at(i % 2));
        load(x, s, full, i);
      }
      return;
    }
    for (int i = 0; i < n; ++i) {
      tg::barrier_wait(full.at(i % 2));
      auto t = s.at(i % 2)[tg::all];
      o[tg::ds<8>(i * 8), tg::ds<32>(0)] = t;
      tg::barrier_arrive(empty.at(i % 2));
      if (i == 7)
        break;
    }
  });
}
// CHECK-LABEL: tile.entry @roles
// CHECK:       %[[FULL:.*]] = tile.alloc_barriers arrivals 1 : <2>
// CHECK:       %[[EMPTY:.*]] = tile.alloc_barriers arrivals 1 : <2>
// CHECK:       %[[WG:.*]] = tile.thread_index
// CHECK:       %[[COPIES:.*]] = arith.cmpi eq, %[[WG]], %c1_i64
// CHECK:       scf.if %[[COPIES]] {
// CHECK:         scf.for
// CHECK:           tile.barrier_wait %[[EMPTY]]
// CHECK:           tile.copy_to_shared {{.*}}, %[[FULL]]
// What follows the return is the other role.
// CHECK:       } else {
// CHECK-NOT:     tile.copy_to_shared
// CHECK:         tile.barrier_wait %[[FULL]]
// CHECK:         tile.load
// CHECK:         tile.barrier_arrive %[[EMPTY]]
// CHECK:       tile.yield
