// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// Threads and barriers as CUDA has them.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void h(int n) {
  tg::kernel([=] {
    // CHECK: names-of-cuda.cpp:[[@LINE+1]]:5: error: tiles need no barrier; the warpgroups of tg::kernel synchronize by tg::barrier_arrive and tg::barrier_wait
    __syncthreads();
    // CHECK: names-of-cuda.cpp:[[@LINE+1]]:19: error: a program is not a CUDA thread: its index is tg::program_id(axis), and it computes with whole tiles
    const int i = threadIdx.x;
    // CHECK: names-of-cuda.cpp:[[@LINE+1]]:21: error: an argument in angle brackets must be a compile-time constant: a literal, a constexpr variable, or a template parameter of the entry
    tg::smem<float, n> scratch;
    tg::barrier<> done;
    // CHECK: names-of-cuda.cpp:[[@LINE+1]]:10: error: there is no wait: wait for a barrier with tg::barrier_wait(b)
    done.wait();
  });
}
