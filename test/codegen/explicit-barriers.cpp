// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=ptx --arch=sm_90a %s -o - | FileCheck %s
// RUN: tegulac --emit=resources --arch=sm_90a %s -o - | FileCheck %s --check-prefix=RESOURCES
// RUN: tegulac --emit=cpu %s -o - | FileCheck %s --check-prefix=CPU
// Tests of barriers, named barriers, and kernels that say how many registers they have.
#include <tegula/tegula.h>
namespace tg = tegula;

// RESOURCES-DAG: tested_0: {{.*}} spills 0
// RESOURCES-DAG: named_0: {{.*}} spills 0
// RESOURCES-DAG: few_0: registers {{[1-9]|[1-5][0-9]|6[0-4]}},

// All lanes get one answer: by the barrier of their thread group.
// CHECK-LABEL: .entry tested_0(
// CHECK:      mbarrier.test_wait.parity.shared::cta.b64 seen, [%r{{[0-9]+}}], %r{{[0-9]+}};
// CHECK-NEXT: barrier.cta.red.or.pred %p{{[0-9]+}}, %r{{[0-9]+}}, 128, seen;
// CPU: const auto [[ENDED:.*]] = self.barrier_test({{.*}}, here, 0, {{.*}});
TEGULA_KERNEL void tested(tg::array<float, 1> o) {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    tg::barrier here{.num_arrivals = 2};
    tg::barrier_arrive(here);
    while (!tg::barrier_test(here)) {
    }
    o[tg::axis_index("wg")] = 1.0f;
  });
}

// Behind those of the three threads.
// CHECK-LABEL: .entry named_0(
// CHECK: barrier.cta.arrive.aligned %r{{[0-9]+}}, %r{{[0-9]+}};
// CHECK: barrier.cta.sync.aligned %r{{[0-9]+}}, %r{{[0-9]+}};
// CPU: = self.alloc_named_barriers({{.*}}, "turn", {{[0-9]+}}, 2, 2);
// CPU: self.named_barrier({{.*}}, turn, 0, /*waits=*/false);
// CPU: self.named_barrier({{.*}}, turn, 1, /*waits=*/true);
TEGULA_KERNEL void named(tg::array<float, 1> o) {
  tg::kernel({.threads = {"wg", 3}}, [=] {
    tg::named_barrier<2> turn{.num_threads = 2};
    const auto wg = tg::axis_index("wg");
    if (wg == 0)
      tg::named_barrier_arrive(turn.at(0));
    if (wg > 0)
      tg::named_barrier_sync(turn.at(1));
    o[wg] = 1.0f;
  });
}

// CHECK-LABEL: .entry few_0(
// CHECK: .maxnreg 64
TEGULA_KERNEL void few(tg::array<float, 2> x) {
  tg::kernel({.max_registers = 64}, [=] {
    x[tg::ds<64>(0), tg::ds<32>(0)] = tg::exp(x[tg::ds<64>(0), tg::ds<32>(0)]);
  });
}

// The rows of shared memory go from lane to lane: a barrier stands between, unless the program says that it orders
// accesses itself. That of commit_smem is there in any case.
// CHECK-LABEL: .entry ordered_0(
// CHECK:     st.shared
// CHECK:     {{bar.sync|barrier.sync}}
// CHECK:     ld.shared
// CHECK-LABEL: .entry unordered_0(
// CHECK:     st.shared
// CHECK-NOT: {{bar.sync|barrier.sync}}
// CHECK:     ld.shared
// CHECK:     fence.proxy.async
// CHECK:     {{bar.sync|barrier.sync}}
template <bool NoBarriers> TEGULA_KERNEL void exchange(tg::array<float, 2> x) {
  tg::kernel({.unsafe_no_auto_barriers = NoBarriers}, [=] {
    tg::smem<float, 64, 32> rows;
    rows[tg::all] = x[tg::ds<64>(0), tg::ds<32>(0)];
    x[tg::ds<64>(0), tg::ds<16>(0)] = rows[tg::ds<64>(0), tg::ds<16>(8)];
    tg::commit_smem();
  });
}
TEGULA_INSTANTIATE("ordered", exchange<false>);
TEGULA_INSTANTIATE("unordered", exchange<true>);
