// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Copies and barriers are shared along axes of the cluster.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::s64 n) {
  tg::kernel({.grid = {{"m", n}}, .cluster = {{"c", 2}}, .threads = {"wg", 2}}, [=] {
    tg::smem<float, 64, 32> s;
    tg::barrier done;
    // CHECK: collective-axes.cpp:[[@LINE+1]]:27: error: "wg" is not an axis of the cluster: only the CTAs of a cluster share copies, barriers and shared memory [tegula-collective-axes]
    tg::cluster_barrier<> all{.collective_axes = {"wg"}};
    // CHECK: collective-axes.cpp:[[@LINE+1]]:72: error: "m" is not an axis of the cluster: only the CTAs of a cluster share copies, barriers and shared memory [tegula-collective-axes]
    tg::copy_gmem_to_smem(x.at(tg::ds<64>(0), tg::ds<32>(0)), s, done, {.collective_axes = {"m"}});
  });
}
