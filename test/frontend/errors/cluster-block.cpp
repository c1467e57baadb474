// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Another block is named by an axis of the cluster and a number that it has.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 1> o) {
  tg::kernel({.cluster = {{"c", 2}}, .threads = {"wg", 2}}, [=] {
    tg::smem<float, 32> s;
    // CHECK: cluster-block.cpp:[[@LINE+1]]:52: error: another CTA is named by an axis of the cluster and its index along it, {"c", 0}: the axis has 2 CTAs, and the index is 2 [tegula-cluster-block]
    o[tg::ds<32>(0)] = tg::load(tg::cluster_ref(s, {"c", 2}));
    // CHECK: cluster-block.cpp:[[@LINE+1]]:52: error: another CTA is named by an axis of the cluster and its index along it, {"c", 0}: the axis has 2 CTAs, and the index is missing [tegula-cluster-block]
    o[tg::ds<32>(0)] = tg::load(tg::cluster_ref(s, {"c"}));
  });
}
