// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=ptx --arch=sm_90a %s -DCOLUMNS=8 -o /dev/null 2>&1 | FileCheck %s -DN=8
// RUN: not tegulac --emit=ptx --arch=sm_90a %s -DCOLUMNS=24 -o /dev/null 2>&1 | FileCheck %s -DN=24
// RUN: not tegulac --emit=ptx --arch=sm_90a %s -DCOLUMNS=40 -o /dev/null 2>&1 | FileCheck %s -DN=40
// RUN: tegulac --emit=ptx --arch=sm_90a %s -DCOLUMNS=8 -DAS_SAID -o /dev/null
// RUN: tegulac --emit=ptx --arch=sm_90a %s -DCOLUMNS=24 -DAS_SAID -o /dev/null
// RUN: tegulac --emit=ptx --arch=sm_90a %s -DCOLUMNS=40 -DAS_SAID -o /dev/null
// Right factors of few columns, whose rows no swizzle takes: stored transposed, as the message says.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void product(tg::array<float, 2> o) {
  tg::kernel([=] {
    tg::smem<tg::bf16, 64, 64> a;
    tg::acc<float, 64, COLUMNS> acc;
#ifdef AS_SAID
    tg::smem<tg::bf16, COLUMNS, 64> b;
    tg::wgmma(acc, a, tg::transpose_ref(b));
#else
    tg::smem<tg::bf16, 64, COLUMNS> b;
    // CHECK: explicit-columns.cpp:[[@LINE+2]]:5: error: wgmma takes operands from swizzled shared memory: make its rows a multiple of 32 bytes and their number a multiple of 8, and pin no other .transforms
    // CHECK: note: of [[N]] columns, store b as N x K, with rows of 64 elements, tg::smem<..., [[N]], 64>, and pass tg::transpose_ref(b)
    tg::wgmma(acc, a, b);
#endif
    o[tg::ds<64>(0), tg::ds<COLUMNS>(0)] = acc[tg::all];
  });
}
