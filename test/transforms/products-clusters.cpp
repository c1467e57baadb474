// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two CTAs, one above the other, fetch the columns that both multiply by together.
// RUN: tegulac --arch=sm_90a --emit=tile-expanded %s -o - | FileCheck %s
// RUN: tegulac --arch=sm_90a --emit=ptx %s -o - | FileCheck %s --check-prefix=PTX
// RUN: not tegulac --arch=sm_90a --emit=ptx -DREFUSED %s 2>&1 | FileCheck %s --check-prefix=REFUSED
#include <tegula/tegula.h>
namespace tg = tegula;

using matrix = tg::array<const tg::bf16, 2>;

#ifndef REFUSED
// The rows of one block: 256 make a sub-tile, of which each of four consumers has 64.
// CHECK-LABEL: tile.launch "whole_0"
// CHECK: %[[ALL:.*]] = tile.multiprocessors
// CHECK: %[[PAIRS:.*]] = arith.divsi %{{.*}}, %c2_i64
// CHECK: tile.launch_kernel @whole_0_tensor blocks(%[[BLOCKS:.*]]) (
// CHECK-LABEL: tile.kernel @whole_0_tensor(
// CHECK-SAME: cluster = 2 : i64, cluster_shape = array<i64: 2>
// CHECK: %[[RANK:.*]] = tile.cluster_rank
// CHECK: tile.alloc_barriers arrivals 2 : <4>
// CHECK: tile.alloc_barriers frees arrivals 4 cluster [0] : <4>
// CHECK: arith.muli %{{.*}}, %c256_i64
// CHECK: arith.muli %[[RANK]], %c128_i64
// CHECK: tile.copy_to_shared {{.*}} unfilled 0 : <bf16, [128?, 64?]>
// CHECK: tile.copy_to_shared {{.*}} multicast [0] : <bf16, [64?, 256?]>
// Neither leaves while the other one may still copy to it.
// PTX-LABEL: .entry whole_0_tensor(
// PTX: .multicast::cluster
// PTX: barrier.cluster.wait
// PTX: ret;
TEGULA_KERNEL void whole(matrix a, matrix b, tg::array<tg::bf16, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  tg::pallas_call({.cluster = 2}, [](auto a, auto b, auto o) { o[tg::all] = tg::astype<tg::bf16>(tg::dot(a[tg::all], b[tg::all])); },
                  tg::in(a), tg::in(b), tg::out(o));
}
#endif

template <int Cluster, bool HasTriangle = false, class C = tg::bf16>
TEGULA_KERNEL void steps(matrix a, matrix b, tg::array<C, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  // REFUSED: products-clusters.cpp:[[@LINE+1]]:3: error: the options of this product cannot be met: programs that would share a cluster have loops of several lengths. Leave them out
  tg::pallas_call({.grid = {tg::cdiv(a.dim(0), 128), tg::cdiv(b.dim(1), 256)}, .cluster = Cluster},
                  [](auto a, auto b, auto o) {
    auto sum = tg::zeros<float, 128, 256>();
    const auto end = HasTriangle ? 2 * tg::program_id(0) + 2 : tg::cdiv(a.dim(1), 64);
    for (tg::s64 k = 0; k < end; ++k)
      sum += tg::dot(a[tg::all, tg::ds<64>(64 * k)], b[tg::ds<64>(64 * k), tg::all]);
    o[tg::all] = tg::astype<C>(sum);
  }, tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
     tg::in<tg::whole, 256>(b, [](auto, auto j) { return tg::index(0, j); }),
     tg::out<128, 256>(o, [](auto i, auto j) { return tg::index(i, j); }));
}
#ifndef REFUSED
// Programs of neighbouring rows: where their number is odd, the last one is done twice.
// CHECK-LABEL: tile.kernel @steps_0_tensor(
// CHECK-SAME: cluster = 2 : i64, cluster_shape = array<i64: 2>
// CHECK: %[[RANK:.*]] = arith.divui %{{.*}}, %c2_i64
// CHECK: tile.alloc : <bf16, [4, 128, 64], smem>
// CHECK: %[[ROW:.*]] = arith.addi %{{.*}}, %[[RANK]] : i64
// CHECK: %[[LAST:.*]] = arith.subi %grid0, %c1_i64
// CHECK: arith.minsi %[[ROW]], %[[LAST]]
// CHECK: multicast [0]
TEGULA_INSTANTIATE("steps", steps<2>);

#else
// Loops of several lengths would not meet.
TEGULA_INSTANTIATE("triangle", steps<2, true>);
#endif

#ifdef REFUSED
template <int Cluster> TEGULA_KERNEL void added(matrix a, matrix b, tg::array<float, 2> c) {
  tg::check(a.dim(1) == b.dim(0) && c.dim(0) == a.dim(0) && c.dim(1) == b.dim(1), "a, b and c do not fit");
  // REFUSED: products-clusters.cpp:[[@LINE+1]]:3: error: the options of this product cannot be met: a cluster takes the rows of one block, of more than 128 rows (64 with .num_consumers = 1), or two programs that are neighbours along the last axis but one of the grid, have blocks of at most 128 columns, for which there are registers, and read nothing that they store. Leave them out
  tg::pallas_call({.grid = {tg::cdiv(a.dim(0), 128), tg::cdiv(b.dim(1), 128)}, .cluster = Cluster},
                  [](auto a, auto b, auto c) { c[tg::all] = c[tg::all] + tg::dot(a[tg::all], b[tg::all]); },
                  tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
                  tg::in<tg::whole, 128>(b, [](auto, auto j) { return tg::index(0, j); }),
                  tg::inout<128, 128>(c, [](auto i, auto j) { return tg::index(i, j); }));
}
// A program that is done twice must not read what it stores.
TEGULA_INSTANTIATE("added", added<2>);

template <int Cluster> TEGULA_KERNEL void two_sums(matrix a, matrix b, matrix d, tg::array<float, 2> c) {
  tg::check(a.dim(1) == b.dim(0) && c.dim(0) == a.dim(0) && c.dim(1) == b.dim(1), "a, b and c do not fit");
  tg::check(d.dim(0) == b.dim(0) && d.dim(1) == b.dim(1), "b and d differ");
  // REFUSED: products-clusters.cpp:[[@LINE+1]]:3: error: {{.*}} have blocks of at most 128 columns, for which there are registers
  tg::pallas_call({.grid = {tg::cdiv(a.dim(0), 128), tg::cdiv(b.dim(1), 256)}, .cluster = Cluster},
                  [](auto a, auto b, auto d, auto c) {
                    c[tg::all] = tg::dot(a[tg::all], b[tg::all]) * tg::dot(a[tg::all], d[tg::all]);
                  },
                  tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
                  tg::in<tg::whole, 256>(b, [](auto, auto j) { return tg::index(0, j); }),
                  tg::in<tg::whole, 256>(d, [](auto, auto j) { return tg::index(0, j); }),
                  tg::out<128, 256>(c, [](auto i, auto j) { return tg::index(i, j); }));
}
// Two sums have registers for 128 columns each.
TEGULA_INSTANTIATE("two_sums", two_sums<2>);

template <int Cluster> TEGULA_KERNEL void printed(matrix a, matrix b, tg::array<float, 2> c) {
  tg::check(a.dim(1) == b.dim(0) && c.dim(0) == a.dim(0) && c.dim(1) == b.dim(1), "a, b and c do not fit");
  // REFUSED: products-clusters.cpp:[[@LINE+1]]:3: error: the options of this product cannot be met: the program prints, once for all of its block: do that in a launch of its own
  tg::pallas_call({.grid = {tg::cdiv(a.dim(0), 128), tg::cdiv(b.dim(1), 128)}, .cluster = Cluster},
                  [](auto a, auto b, auto c) {
                    tg::debug_print("{}", 1);
                    c[tg::all] = tg::dot(a[tg::all], b[tg::all]);
                  },
                  tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
                  tg::in<tg::whole, 128>(b, [](auto, auto j) { return tg::index(0, j); }),
                  tg::out<128, 128>(c, [](auto i, auto j) { return tg::index(i, j); }));
}
// What keeps a program from tensor cores is told, not what a cluster takes.
TEGULA_INSTANTIATE("printed", printed<2>);
#endif
