// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// One block along one axis waits.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f() {
  tg::kernel({.cluster = {{"a", 2}, {"b", 2}}}, [=] {
    // CHECK: leader-tracked.cpp:[[@LINE+1]]:27: error: a barrier with .leader_tracked must have exactly one axis of the cluster, whose CTA at 0 waits, {.collective_axes = {"c"}, .leader_tracked = true}: not 2 [tegula-leader-tracked]
    tg::cluster_barrier<> two{.collective_axes = {"a", "b"}, .leader_tracked = true};
    // CHECK: leader-tracked.cpp:[[@LINE+1]]:27: error: a barrier with .leader_tracked must have exactly one axis of the cluster, whose CTA at 0 waits, {.collective_axes = {"c"}, .leader_tracked = true}: not 0 [tegula-leader-tracked]
    tg::cluster_barrier<> none{.leader_tracked = true};
    tg::cluster_barrier<> one{.collective_axes = {"a"}, .leader_tracked = true};
  });
}
