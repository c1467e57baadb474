// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What reductions and relayouts exchange counts beside the shared memory that a kernel declares.
// RUN: not tegulac --arch sm_90a --emit=ptx %s -o - 2>&1 | FileCheck %s
// RUN: tegulac --arch sm_90a --emit=ptx -DCOLUMNS=1 %s -o - | FileCheck %s --check-prefix=FITS
#include <tegula/tegula.h>
namespace tg = tegula;

#ifndef COLUMNS
#define COLUMNS 224
#endif

// FITS: .entry exchange
TEGULA_KERNEL void exchange(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::kernel([=] {
    tg::smem<float, 256, COLUMNS> memory;
    memory[tg::all] = x[tg::ds<256>(0), tg::ds<COLUMNS>(0)];
    tg::commit_smem();
    const auto square = x[tg::ds<64>(0), tg::ds<64>(0)];
    // CHECK: shared-capacity.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: this exchanges elements in [[#]] bytes of shared memory, in addition to the 229376 bytes that the kernel declares: [[#]] in all, but a CTA can have at most 232448 on sm_90a: declare less shared memory, or use smaller tiles here [tegula-lower-to-llvm]
    o[tg::ds<64>(0), tg::ds<64>(0)] = square + tg::transpose(square);
    o[tg::ds<256>(64), tg::ds<COLUMNS>(0)] = memory[tg::all];
  });
}
