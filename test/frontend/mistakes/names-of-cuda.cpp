// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// Threads and barriers as CUDA has them.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void h(int n) {
  tg::kernel([=] {
    // CHECK: names-of-cuda.cpp:[[@LINE+1]]:5: error: tiles need no barrier; the threads of tg::kernel synchronize by tg::barrier_arrive and tg::barrier_wait
    __syncthreads();
    // CHECK: names-of-cuda.cpp:[[@LINE+1]]:19: error: a program is no thread of CUDA: where it stands is tg::program_id(axis), and its elements are those of tiles
    const int i = threadIdx.x;
    // CHECK: names-of-cuda.cpp:[[@LINE+1]]:21: error: what stands in angle brackets is known when the kernel is compiled: a literal, a constexpr variable, or a template parameter of the entry
    tg::smem<float, n> scratch;
    tg::barrier<> done;
    // CHECK: names-of-cuda.cpp:[[@LINE+1]]:10: error: there is no wait: a barrier is waited for by tg::barrier_wait(b)
    done.wait();
  });
}
