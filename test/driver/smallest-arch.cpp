// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel fits the CTAs of all architectures that it is made for.
// RUN: tegulac %s --emit=tile-split --arch=sm_90a -o /dev/null
// RUN: not tegulac %s --emit=ptx --arch=sm_90a --arch=sm_120a -o %t 2>&1 | FileCheck %s
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void large(tg::array<float, 2> x) {
  // CHECK: smallest-arch.cpp:[[@LINE+1]]:3: error: a CTA of this kernel needs 131072 bytes of shared memory, but can have at most 101376 on sm_120a: leave it out of --arch (in CMake: ARCHS) [tegula-check-targets]
  tg::kernel([=] {
    tg::smem<float, 128, 256> buffer;
    tg::copy_smem_to_gmem(buffer, x.at(tg::ds<128>(0), tg::ds<256>(0)));
    tg::wait_smem_to_gmem<0>();
  });
}
