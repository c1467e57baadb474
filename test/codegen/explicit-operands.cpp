// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=ptx --arch=sm_90a %s -DPLAIN -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: not tegulac --emit=ptx --arch=sm_90a %s -DROWS -o /dev/null 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not tegulac --emit=ptx --arch=sm_90a %s -DCOLUMNS -o /dev/null 2>&1 | FileCheck %s --check-prefix=COLUMNS
// RUN: tegulac --emit=ptx --arch=sm_90a %s -o - | FileCheck %s
// Where operands of products begin in shared memory.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void product(tg::array<float, 2> o, tg::s64 i) {
  tg::kernel([=] {
    tg::smem<tg::bf16, 128, 64> a;
    tg::smem<tg::bf16, 128, 64> plain{.transforms = {tg::swizzle(16)}};
    tg::smem<tg::bf16, 64, 64> b;
    tg::acc<float, 64, 64> acc;
    const auto all = tg::ds<64>(0);
#ifdef PLAIN
    // PLAIN: explicit-operands.cpp:[[@LINE+1]]:5: error: wgmma takes operands from swizzled shared memory: make its rows a multiple of 32 bytes and their number a multiple of 8, and pin no other .transforms
    tg::wgmma(acc, plain.at(all), b);
#endif
#ifdef ROWS
    // ROWS: explicit-operands.cpp:[[@LINE+1]]:5: error: an operand of wgmma must begin at a multiple of 8 rows of its shared memory, have contiguous rows, and begin at a panel of 128 bytes, or at a part of one of 32, 64 or 128 bytes
    tg::wgmma(acc, a.at(tg::ds<64>(i)), b);
#endif
#ifdef COLUMNS
    // COLUMNS: explicit-operands.cpp:[[@LINE+1]]:5: error: an operand of wgmma must begin at a multiple of 8 rows of its shared memory, have contiguous rows, and begin at a panel of 128 bytes
    tg::wgmma(acc, a.at(all, tg::ds<32>(i * 16)), b.at(tg::ds<32>(0)));
#endif
    // Steps of 32 bytes from where the part begins.
    tg::wgmma(acc, a.at(tg::ds<64>(64), tg::ds<32>(i * 32)), b.at(tg::ds<32>(32)));
    o[all, all] = acc[tg::all];
  });
}
// CHECK: add.s64 da, %rd{{[0-9]+}}, 0;
// CHECK-NEXT: add.s64 db, %rd{{[0-9]+}}, 0;
// CHECK: add.s64 da, %rd{{[0-9]+}}, 2;
// CHECK-NEXT: add.s64 db, %rd{{[0-9]+}}, 128;
// CHECK-NOT: add.s64 da
// CHECK: wgmma.commit_group
