// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Scratch and copies belong to tg::kernel.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 1> x) {
  // CHECK: explicit-only.cpp:[[@LINE+1]]:23: error: tg::smem is allowed only in the body of tg::kernel, whose programs have warpgroups and shared memory [tegula-explicit-only]
  tg::smem<float, 64> outside;
  tg::pallas_call(
      [](auto x) {
        // CHECK: explicit-only.cpp:[[@LINE+1]]:21: error: tg::barrier is allowed only in the body of tg::kernel, whose programs have warpgroups and shared memory [tegula-explicit-only]
        tg::barrier done;
        // CHECK: explicit-only.cpp:[[@LINE+1]]:9: error: tg::commit_smem is allowed only in the body of tg::kernel, whose programs have warpgroups and shared memory [tegula-explicit-only]
        tg::commit_smem();
        x[0] = 1.0f;
      },
      tg::inout(x));
}
