// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=ptx --arch=sm_90a %s -o - | FileCheck %s
// What one lane of a thread writes and another reads, and what one block writes and another reads.
#include <tegula/tegula.h>
namespace tg = tegula;

// A pipeline frees its slots in other blocks without a fence: a release at the scope of the cluster would be one of the
// whole GPU, in the main loop.
TEGULA_KERNEL void slots(tg::array<const tg::f16, 2> x, tg::array<float, 2> o) {
  tg::kernel({.cluster = {{"c", 2}}, .threads = {"wg", 2}}, [=] {
    tg::emit_pipeline_warp_specialized(
        {.grid = {x.dim(0) / 16}, .wg_axis = "wg", .num_compute_wgs = 1, .max_concurrent_steps = 2},
        [&](auto pipeline) { pipeline([&](auto k, auto block) { o[k, 0] = tg::astype<float>(block[0, 0]); }); },
        tg::in<16, 64>(x, [](auto k) { return tg::index(k, 0); }, {.collective_axes = {"c"}}));
  });
}
// CHECK-LABEL: .entry slots_0(
// CHECK-NOT:   release.cluster.shared
// CHECK:       mapa.shared::cluster
// CHECK:       mbarrier.arrive.shared::cluster.b64
// CHECK-NOT:   release.cluster.shared
// CHECK:       ret;

// Shared memory that gets another use: each thread waits for what it began, then for the others; thread groups have the first
// barriers of the hardware.
TEGULA_KERNEL void turns(tg::array<const tg::bf16, 2> x, tg::array<float, 2> o) {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    const auto all = tg::ds<64>(0);
    tg::acc<float, 64, 64> acc;
    {
      tg::smem<tg::bf16, 64, 64> a;
      a[tg::all] = x[all, all];
      tg::commit_smem();
      tg::wgmma(acc, a, a);
    }
    tg::smem<float, 64, 64> sum;
    sum[tg::all] = acc[tg::all];
    tg::commit_smem();
    tg::copy_smem_to_gmem(sum, o.at(all, all));
  });
}
// CHECK-LABEL: .entry turns_0(
// CHECK:       wgmma.commit_group
// CHECK:       wgmma.wait_group.sync.aligned 0;
// CHECK-NOT:   cp.async.bulk.wait_group
// CHECK:       fence.proxy.async.shared::cta;
// CHECK:       bar.sync 15, 256;
// CHECK:       st.shared

// The first product overwrites an accumulator that is zero: its registers are only zeroed if there is none, after the
// wait for it.
TEGULA_KERNEL void starts(tg::array<float, 2> o, tg::s64 n) {
  tg::kernel([=] {
    tg::smem<tg::bf16, 64, 32> a;
    tg::smem<tg::bf16, 32, 16> b;
    tg::acc<float, 64, 16> acc;
    for (tg::s64 k = 0; k < n; ++k)
      tg::wgmma(acc, a, b);
    o[tg::ds<64>(0), tg::ds<16>(0)] = acc[tg::all];
  });
}
// CHECK-LABEL: .entry starts_0(
// CHECK-NOT:   mov.f32
// CHECK-NOT:   mov.b32 %f
// CHECK:       setp.ne.s64 [[LATER:%p[0-9]+]], %rd{{[0-9]+}}, 0;
// CHECK-NOT:   mov.f32
// CHECK-NOT:   mov.b32 %f
// CHECK:       wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {{.*}}, da, db, [[LATER]], 1, 1,
// CHECK:       wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {{.*}}, da, db, p, 1, 1,
// CHECK:       wgmma.wait_group.sync.aligned 0;
// CHECK:       @!%p{{[0-9]+}} bra past;
// CHECK-COUNT-8: mov.b32 %f{{[0-9]+}}, 0;
// CHECK-NEXT:  past:

TEGULA_KERNEL void lanes(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::kernel([=] {
    tg::smem<float, 16, 16> turned, kept;
    turned[tg::all] = x[tg::ds<16>(0), tg::ds<16>(0)];
    o[tg::ds<16>(0), tg::ds<16>(0)] = tg::transpose_ref(turned)[tg::all];
    kept[tg::all] = tg::full<float, 16, 16>(1.0f);
    o[tg::ds<16>(16), tg::ds<16>(0)] = kept[tg::all];
  });
}
// CHECK-LABEL: .entry lanes_0(
// Lanes wait before they read what others wrote.
// CHECK-NOT:   bar.sync
// CHECK:       ld.global
// CHECK-NOT:   bar.sync
// CHECK:       st.shared
// CHECK-NOT:   ld.shared
// CHECK:       bar.sync
// CHECK:       ld.shared
// Those that read what they wrote themselves do not.
// CHECK-NOT:   bar.sync
// CHECK:       st.shared
// CHECK-NOT:   bar.sync
// CHECK:       ret;

TEGULA_KERNEL void blocks(tg::array<float, 1> o) {
  tg::kernel({.cluster = {{"c", 2}}}, [=] {
    tg::cluster_barrier<> all{.collective_axes = {"c"}};
    o[tg::axis_index("c")] = 1.0f;
    tg::barrier_arrive(all);
    tg::barrier_wait(all);
    o[tg::axis_index("c") + 2] = o[1 - tg::axis_index("c")];
  });
}
// CHECK-LABEL: .entry blocks_0(
// CHECK:       st.global
// CHECK:       mbarrier.arrive.release.cluster.shared::cluster.b64
// CHECK:       mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64
// CHECK:       ld.global
