// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=ptx --arch=sm_90a %s -o - | FileCheck %s
// RUN: tegulac --emit=resources --arch=sm_90a %s -o - | FileCheck %s --check-prefix=RESOURCES
// RUN: tegulac --emit=cpu %s -o - | FileCheck %s --check-prefix=CPU
// Shared memory of other blocks of a cluster, and updates of shared memory.
#include <tegula/tegula.h>
namespace tg = tegula;

// RESOURCES-DAG: others_0: {{.*}} spills 0
// RESOURCES-DAG: sends_0: {{.*}} spills 0
// RESOURCES-DAG: updates_0: {{.*}} spills 0

// Each access finds its place in the block; it is as wide as those of the block's own memory.
// CHECK-LABEL: .entry others_0(
// CHECK:      mapa.shared::cluster.u32 %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}};
// CHECK:      ld.shared::cluster.v4.b32 {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, [%r{{[0-9]+}}];
// CHECK:      st.shared::cluster.v4.b32 [%r{{[0-9]+}}], {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}};
// CHECK:      red.relaxed.gpu.shared::cluster.add.f32 [%r{{[0-9]+}}], %f{{[0-9]+}};
// CHECK:      atom.relaxed.gpu.shared::cluster.exch.b32
// CPU: const auto there = self.cluster_ref({{.*}}, s, 0, {{.*}});
// CPU: = self.read({{.*}}, there
// CPU: = self.write({{.*}}, there
// CPU: = self.update({{.*}}, there
TEGULA_KERNEL void others(tg::array<float, 2> x) {
  tg::kernel({.cluster = {{"c", 4}}}, [=] {
    tg::smem<float, 4, 1024> s;
    const auto c = tg::axis_index("c");
    const auto there = tg::cluster_ref(s, {"c", (c + 1) % 4});
    there[3] = there[2] * 2.0f;
    tg::atomic_add(there.at(0, tg::ds<128>(0)), x[c, tg::ds<128>(0)]);
    x[c, tg::ds<128>(0)] = tg::atomic_exch(there.at(1, tg::ds<128>(0)), 1.0f);
  });
}

// One lane announces the bytes of all, in the block that they go to; pairs of an accumulator's elements travel
// together.
// CHECK-LABEL: .entry sends_0(
// CHECK:      mbarrier.arrive.expect_tx.shared::cluster.b64 _, [%r{{[0-9]+}}], %r{{[0-9]+}};
// CHECK:      st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%r{{[0-9]+}}], {%r{{[0-9]+}}, %r{{[0-9]+}}}, [%r{{[0-9]+}}];
// CHECK:      red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.max.s32 [%r{{[0-9]+}}], %r{{[0-9]+}}, [%r{{[0-9]+}}];
// CHECK:      red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [%r{{[0-9]+}}], %rd{{[0-9]+}}, [%r{{[0-9]+}}];
// CHECK:      red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.xor.b32
// CPU: self.async_store({{.*}}, {{.*}}, {{.*}}, arrived, 0);
// CPU: self.async_store({{.*}}, {{.*}}, {{.*}}, arrived, 0, cpu::copy_reduction::max);
// CPU: self.async_store({{.*}}, {{.*}}, {{.*}}, arrived, 0, cpu::copy_reduction::add);
// CPU: self.async_store({{.*}}, {{.*}}, {{.*}}, arrived, 0,
// CPU-NEXT: cpu::copy_reduction::bitwise_xor);
TEGULA_KERNEL void sends(tg::array<const tg::bf16, 2> x) {
  tg::kernel({.cluster = {{"a", 2}, {"b", 2}}}, [=] {
    tg::smem<tg::bf16, 64, 64> p, q;
    tg::smem<float, 64, 64> sums;
    tg::smem<tg::s32, 512> numbers;
    tg::smem<tg::s64, 512> long_numbers;
    tg::barrier here{.num_arrivals = 2}, arrived{.num_arrivals = 4};
    const auto all = tg::ds<64>(0);
    tg::copy_gmem_to_smem(x.at(all, all), p, here);
    tg::copy_gmem_to_smem(x.at(all, all), q, here);
    tg::barrier_wait(here);
    tg::acc<float, 64, 64> acc;
    tg::wgmma(acc, p, q);
    const tg::s64 other = 1 - tg::axis_index("a");
    tg::async_store_smem(acc[tg::all], sums, arrived, {"a", other});
    tg::async_store_smem(tg::iota<tg::s32, 512>(), numbers, arrived, {"a", other}, tg::reduction_op::max);
    tg::async_store_smem(tg::iota<tg::s64, 512>(), long_numbers, arrived, {"b", other}, tg::reduction_op::add);
    tg::async_store_smem(tg::iota<tg::s32, 512>(), numbers, arrived, {"b", other}, tg::reduction_op::bitwise_xor);
    tg::barrier_wait(arrived);
  });
}

// By an instruction, or, of elements that have none, by compare-and-swap; a masked one is predicated.
// CHECK-LABEL: .entry updates_0(
// CHECK:      red.relaxed.gpu.shared::cta.add.u32 [%r{{[0-9]+}}], %r{{[0-9]+}};
// CHECK:      @%p{{[0-9]+}} red.relaxed.gpu.shared::cta.max.s32
// CHECK:      atom.relaxed.gpu.shared::cta.cas.b32
// CHECK:      ld.relaxed.gpu.shared::cta.b32
// CHECK:      atom.relaxed.gpu.shared::cta.cas.b32
// CPU: const auto [[U:.*]] = self.update({{.*}}, counts);
// CPU: cpu::atomic_add([[U]](i0), {{.*}});
// CPU: if ({{.*}})
// CPU: cpu::atomic_max(self.update({{.*}},
// CPU-NEXT: counts.select({{.*}}, 0, i0))(), {{.*}});
TEGULA_KERNEL void updates(tg::array<tg::s32, 1> x, tg::array<float, 1> y) {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    tg::smem<tg::s32, 128> counts;
    tg::smem<float, 128> most;
    const auto all = tg::ds<128>(0);
    tg::atomic_add(counts, x[all]);
    tg::atomic_max(counts, x[all], tg::iota<int, 128>() < 100);
    x[all] = tg::atomic_cas(counts, 0, x[all]);
    tg::atomic_max(most, y[all]);
  });
}

// An arrival counts in the first block along the axis alone.
// CHECK-LABEL: .entry led_0(
// CHECK:      mbarrier.init.shared::cta.b64 [%r{{[0-9]+}}], %r{{[0-9]+}};
// CHECK:      mapa.shared::cluster.u32 remote, %r{{[0-9]+}}, %r{{[0-9]+}};
// CHECK:      mbarrier.arrive.release.cluster.shared::cluster.b64 _, [remote];
// CPU: self.alloc_barriers({{.*}}, "done", 0, 1, 4, {1}, cpu::counts_at::leader);
TEGULA_KERNEL void led(tg::array<float, 1> x) {
  tg::kernel({.cluster = {{"a", 2}, {"b", 4}}}, [=] {
    tg::cluster_barrier done{.collective_axes = {"b"}, .leader_tracked = true};
    tg::barrier_arrive(done);
    if (tg::axis_index("b") == 0) {
      tg::barrier_wait(done);
      x[tg::axis_index("a")] = 1.0f;
    }
  });
}

// A block without others stores to its own memory, and arrives when all is there.
// CHECK-LABEL: .entry alone_0(
// CHECK-NOT:  st.async
// CHECK-NOT:  red.async
// CHECK:      st.shared::cta.b32 [%r{{[0-9]+}}], %r{{[0-9]+}};
// CHECK:      bar.sync
// CHECK:      mbarrier.arrive.shared::cta.b64 _,
// CHECK:      @%p{{[0-9]+}} red.relaxed.cta.shared::cta.add.u32 [%r{{[0-9]+}}], %r{{[0-9]+}};
// CHECK:      bar.sync
// CHECK:      mbarrier.arrive.shared::cta.b64 _,
TEGULA_KERNEL void alone(tg::array<const float, 1> x) {
  tg::kernel({.cluster = {{"c", 1}}}, [=] {
    tg::smem<float, 128> mine;
    tg::smem<tg::s32, 8> counts;
    tg::barrier arrived{.num_arrivals = 2};
    counts[tg::all] = tg::iota<tg::s32, 8>();
    tg::async_store_smem(x[tg::ds<128>(0)], mine, arrived, {"c", 0});
    tg::async_store_smem(tg::iota<tg::s32, 8>(), counts, arrived, {"c", 0}, tg::reduction_op::add);
    tg::barrier_wait(arrived);
  });
}
