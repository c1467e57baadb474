// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of warps at the explicit level, and what is in the way of them on other chips.
// RUN: tegulac --arch=sm_80 --emit=ptx %s -o - | FileCheck %s
// RUN: tegulac --arch=sm_80 --emit=resources %s -o - | FileCheck %s --check-prefix=RESOURCES
// RUN: not tegulac --arch=sm_75 --emit=ptx %s -o %t 2>&1 | FileCheck %s --check-prefix=TURING
// RUN: not tegulac --arch=sm_75 --emit=ptx -DNO_COPIES %s -o %t 2>&1 | FileCheck %s --check-prefix=TURING-MMA
// RUN: not tegulac --arch=sm_80 --emit=ptx -DBARRIER %s -o %t 2>&1 | FileCheck %s --check-prefix=BARRIER
// RUN: not tegulac --arch=sm_80 --emit=ptx -DCOMMIT %s -o %t 2>&1 | FileCheck %s --check-prefix=COMMIT
#include <tegula/tegula.h>
namespace tg = tegula;

// TURING: error: tg::cp_async needs sm_80 or {{.*}}; sm_75 has none: leave it out of --arch (in CMake: ARCHS)
// TURING-MMA: error: tg::mma needs sm_80 or {{.*}}; sm_75 has none: leave it out of --arch (in CMake: ARCHS)
// BARRIER: error: tg::barrier needs sm_90a or {{.*}}; sm_80 has none: leave it out of --arch (in CMake: ARCHS)
// COMMIT: error: tg::commit_smem needs sm_90a or {{.*}}; sm_80 has none: leave it out of --arch (in CMake: ARCHS)

// RESOURCES: sm_80 product_0: registers {{[0-9]+}}, stack 0, spills 0

// Each of two threads copies its own, and waits for its own: 128 lanes, 16 bytes each at a time.
// CHECK: .entry product_0(
// CHECK-COUNT-8: cp.async.cg.shared.global
// CHECK-NOT: cp.async.cg
// CHECK: cp.async.commit_group;
// CHECK: cp.async.wait_group 0;
// CHECK: @is_own bar.sync 0, 128;
// CHECK: @is_own bar.sync 1, 128;
// What lies K x N is transposed on its way to registers.
// CHECK-DAG: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK-DAG: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// CHECK-DAG: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
TEGULA_KERNEL void product(tg::array<const tg::f16, 2> a, tg::array<const tg::f16, 2> b, tg::array<float, 2> o) {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    const auto all = tg::ds<64>(0), rows = tg::ds<64>(64 * tg::axis_index("wg"));
    tg::smem<tg::f16, 2, 64, 64> x, y;
    const auto left = x.at(tg::axis_index("wg")), right = y.at(tg::axis_index("wg"));
#ifdef BARRIER
    tg::barrier here;
    tg::barrier_arrive(here);
#endif
#ifndef NO_COPIES
    tg::cp_async(a.at(rows, all), left);
    tg::cp_async(b.at(all, all), right);
    tg::cp_async_commit();
    tg::cp_async_wait<0>();
#endif
#ifdef COMMIT
    tg::commit_smem();
#endif
    o[rows, all] = tg::mma(o[rows, all], left[tg::all], right[tg::all]);
  });
}
