// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// tg::kernel: its axes, and the loops that share its programs.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void axes(tg::array<float, 1> x, tg::s64 m) {
  tg::kernel({.grid = {{"m", m}, {"n", 4}, {"k", 2 * m}},
              .cluster = {{"cm", 2}, {"one", 1}, {"cn", 2}},
              .threads = {"wg", 3}},
             [=] {
               constexpr tg::axis wg = "wg";
               x[tg::axis_index("k")] = 1.0f;
               x[tg::axis_index("cn")] = 2.0f;
               x[tg::axis_index("one")] = 3.0f;
               if (tg::axis_index(wg) == 2)
                 x[tg::axis_size("k") + tg::axis_size("n") + tg::axis_size("cm", wg)] = 4.0f;
               x[tg::axis_index("m", "cn")] = 5.0f;
             });
  tg::kernel([=] { x[0] = 6.0f; });
}
// CHECK-LABEL: tile.entry @axes
// CHECK:       %[[TWICE:.*]] = arith.muli %m, %c2_i64
// CHECK:       tile.launch "axes_0" grid(%m, %c4_i64, %[[TWICE]]) args(inout %[[X:.*]] = %x :
// CHECK-SAME:    attributes {cluster = array<i64: 2, 1, 2>, warpgroups = 3 : i64}
// CHECK:       %[[K:.*]] = tile.program_id 2
// CHECK:       tile.slice %[[X]][element %[[K]]]
// CHECK:       %[[CN:.*]] = tile.cluster_index 2
// CHECK:       tile.slice %[[X]][element %[[CN]]]
// An axis of one block has one index.
// CHECK:       tile.slice %[[X]][element %c0_i64]
// CHECK:       %[[WG:.*]] = tile.thread_index
// CHECK:       arith.cmpi eq, %[[WG]], %c2_i64
// The sizes of the cluster and of the block are constants, 4 + 2 * 3.
// CHECK:       %[[SIZE:.*]] = tile.num_programs 2
// CHECK:       arith.addi %[[SIZE]], %c10_i64
// CHECK:       %[[M:.*]] = tile.program_id 0
// CHECK:       %[[ROWS:.*]] = arith.muli %[[M]], %c2_i64
// CHECK:       arith.addi %[[ROWS]], %[[CN]]
// One program of one thread.
// CHECK:       tile.launch "axes_1" grid() {{.*}} attributes {warpgroups = 1 : i64}

// The i-th iteration of a program is the (index + i * size)-th of all; the last axis runs fastest.
TEGULA_KERNEL void scatters(tg::array<float, 3> x, tg::s64 m, tg::s64 n) {
  tg::kernel({.grid = {{"blocks", 132}}, .cluster = {{"c", 2}}}, [=] {
    tg::nd_loop({m, n, 8}, {.collective_axes = {"blocks", "c"}}, [&](auto step) {
      auto [i, j, k] = step.index;
      x[i, j, k] = tg::astype<float>(step.local_index + step.num_local_steps);
    });
  });
}
// CHECK-LABEL: tile.entry @scatters
// CHECK:       %[[MN:.*]] = arith.muli %m_{{.*}}, %[[N:n_.*]] : i64
// CHECK:       %[[ALL:.*]] = arith.muli %[[MN]], %c8_i64
// CHECK:       %[[PROGRAM:.*]] = tile.program_id 0
// CHECK:       %[[BLOCK:.*]] = tile.cluster_index 0
// CHECK:       %[[CLUSTERS:.*]] = arith.muli %[[PROGRAM]], %c2_i64
// CHECK:       %[[FIRST:.*]] = arith.addi %[[CLUSTERS]], %[[BLOCK]]
// CHECK:       %[[REST:.*]] = arith.subi %[[ALL]], %[[FIRST]]
// CHECK:       %[[UP:.*]] = arith.addi %[[REST]], %c263_i64
// CHECK:       %[[STEPS:.*]] = arith.divsi %[[UP]], %c264_i64
// CHECK:       scf.for %[[I:.*]] = %c0_i64 to %[[STEPS]] step %c1_i64
// CHECK:         %[[SKIPPED:.*]] = arith.muli %[[I]], %c264_i64
// CHECK:         %[[STEP:.*]] = arith.addi %[[FIRST]], %[[SKIPPED]]
// CHECK:         %[[C:.*]] = arith.remsi %[[STEP]], %c8_i64
// CHECK:         %[[ROW:.*]] = arith.divsi %[[STEP]], %c8_i64
// CHECK:         %[[B:.*]] = arith.remsi %[[ROW]], %[[N]]
// CHECK:         %[[A:.*]] = arith.divsi %[[ROW]], %[[N]]
// CHECK:         arith.addi %[[I]], %[[STEPS]]
// CHECK:         tile.slice %{{.*}}[element %[[A]], element %[[B]], element %[[C]]]

// One tile of the grid after the other. Those at the end of an axis may be smaller, where the tiling does not divide it.
TEGULA_KERNEL void in_tiles(tg::array<float, 2> x, tg::s64 m) {
  tg::kernel([=] {
    tg::nd_loop({m, 8}, {.tiling = {4, 2}}, [&](auto step) {
      const auto [i, j] = step.index;
      x[i, j] = 1.0f;
    });
  });
}
// CHECK-LABEL: tile.entry @in_tiles
// CHECK:       scf.for %[[STEP:.*]] = %c0_i64 to
// CHECK:         %[[TILE_ROW:.*]] = arith.divsi %[[STEP]], %c32_i64
// CHECK:         %[[BEFORE:.*]] = arith.muli %[[TILE_ROW]], %c32_i64
// CHECK:         %[[IN_ROW:.*]] = arith.subi %[[STEP]], %[[BEFORE]]
// CHECK:         %[[TOP:.*]] = arith.muli %[[TILE_ROW]], %c4_i64
// CHECK:         %[[LEFT:.*]] = arith.subi %{{.*}}, %[[TOP]]
// CHECK:         %[[ROWS:.*]] = arith.minsi %[[LEFT]], %c4_i64
// CHECK:         %[[SIZE:.*]] = arith.muli %[[ROWS]], %c2_i64
// CHECK:         %[[TILE:.*]] = arith.divsi %[[IN_ROW]], %[[SIZE]]
// CHECK:         %[[INSIDE:.*]] = arith.subi %[[IN_ROW]]
// CHECK:         %[[START:.*]] = arith.muli %[[TILE]], %c2_i64
// CHECK:         %[[COLUMN:.*]] = arith.remsi %[[INSIDE]], %c2_i64
// CHECK:         %[[ROW:.*]] = arith.divsi %[[INSIDE]], %c2_i64
// CHECK:         %[[I:.*]] = arith.addi %[[TOP]], %[[ROW]]
// CHECK:         %[[J:.*]] = arith.addi %[[START]], %[[COLUMN]]
// CHECK:         tile.slice %{{.*}}[element %[[I]], element %[[J]]]

// A walk in strips of 3 rows, every other one backwards, the last one narrower.
constexpr bool is_golden() {
  constexpr int golden[5][5] = {
      {0, 3, 6, 9, 12}, {1, 4, 7, 10, 13}, {2, 5, 8, 11, 14}, {23, 21, 19, 17, 15}, {24, 22, 20, 18, 16}};
  for (int step = 0; step < 25; ++step) {
    const auto [i, j] = tg::planar_snake(step, {5, 5}, 0, 3);
    const auto [k, l] = tg::planar_snake(step, {5, 5}, 1, 3);
    if (golden[i][j] != step || golden[l][k] != step)
      return false;
  }
  return true;
}
static_assert(is_golden());

TEGULA_KERNEL void registers() {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    if (tg::axis_index("wg") == 0)
      tg::set_max_registers<40>(tg::decrease);
    else
      tg::set_max_registers<240>(tg::increase);
  });
}
// CHECK-LABEL: tile.entry @registers
// CHECK:       scf.if
// CHECK-NEXT:    tile.set_max_registers 40
// CHECK-NEXT:  } else {
// CHECK-NEXT:    tile.set_max_registers increase 240
