// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=ptx --arch=sm_90a %s -o - | FileCheck %s
// RUN: tegulac --emit=resources --arch=sm_90a %s -o - | FileCheck %s --check-prefix=RESOURCES
// Steps that blocks take: one lane counts, and goes on until the step is used.
#include <tegula/tegula.h>
namespace tg = tegula;

// RESOURCES-COUNT-2: spills 0

// CHECK-LABEL: .entry block_0(
// CHECK:       atom.relaxed.gpu.global.add.u64
// CHECK:       st.shared::cta.b64
// CHECK:       mbarrier.arrive.release.cta.shared::cta.b64
// CHECK:       mbarrier.try_wait.parity.shared::cta.b64
// CHECK:       ld.shared::cta.b64
// CHECK:       atom.relaxed.gpu.global.add.u64 %rd[[NEXT:[0-9]+]],
// CHECK:       st.global
// CHECK:       st.shared::cta.b64 [%r{{[0-9]+}}], %rd{{[0-9]+}};
// CHECK-NOT:   mapa
// CHECK:       ret;
TEGULA_KERNEL void block(tg::array<float, 2> x) {
  tg::kernel({.grid = {{"m", x.dim(0)}}}, [=] {
    tg::dynamic_scheduling_loop({"m"}, {}, [&](auto step) { x[step.index[0], tg::ds<256>(0)] = tg::full<float, 256>(1.0f); });
  });
}

// A copying thread has one warp that takes steps, too; each block of a cluster is told.
// CHECK-LABEL: .entry cluster_0(
// CHECK:       atom.relaxed.gpu.global.add.u64
// CHECK-COUNT-2: st.shared::cluster.b64
// CHECK:       mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64
// CHECK:       ret;
TEGULA_KERNEL void cluster(tg::array<float, 2> x) {
  tg::kernel({.grid = {{"m", x.dim(0)}}, .cluster = {{"c", 2}}, .threads = {"wg", 2}}, [=] {
    tg::dynamic_scheduling_loop({"m"}, {}, [&](auto step) { x[step.index[0], tg::ds<256>(0)] = tg::full<float, 256>(1.0f); });
  });
}
