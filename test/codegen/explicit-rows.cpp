// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=ptx --arch=sm_90a %s -DIN -o /dev/null 2>&1 | FileCheck %s --check-prefix=IN
// RUN: not tegulac --emit=ptx --arch=sm_90a %s -DOUT -o /dev/null 2>&1 | FileCheck %s --check-prefix=OUT
// RUN: tegulac --emit=ptx --arch=sm_90a %s -DIN -DOUT -DAS_SAID -o /dev/null
// Rows that TMA does not copy, and what the messages say instead.
#include <tegula/tegula.h>
namespace tg = tegula;

#ifdef IN
TEGULA_KERNEL void in(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::kernel([=] {
#ifdef AS_SAID
    constexpr int columns = 64;
#else
    constexpr int columns = 63;
#endif
    tg::smem<float, 8, columns> rows;
    tg::barrier full;
    // IN: explicit-rows.cpp:[[@LINE+2]]:5: error: rows of 252 bytes cannot be copied by TMA, which copies multiples of 16 bytes
    // IN: note: make the rows of the window and of its shared memory 64 elements long, tg::ds<64>(start), whose elements out of bounds are filled, and ignore those that you do not need; or load the window to a tile, which takes rows of any size
    tg::copy_gmem_to_smem(x.at(tg::ds<8>(0), tg::ds<columns>(0)), rows, full);
    tg::barrier_wait(full);
    o[tg::ds<8>(0), tg::ds<columns>(0)] = rows[tg::all];
  });
}
#endif

#ifdef OUT
TEGULA_KERNEL void out(tg::array<float, 2> o) {
  tg::kernel([=] {
    tg::smem<float, 8, 63> rows;
    rows[tg::all] = tg::full<float, 8, 63>(1);
#ifdef AS_SAID
    o[tg::ds<8>(0), tg::ds<63>(0)] = rows[tg::all];
#else
    tg::commit_smem();
    // OUT: explicit-rows.cpp:[[@LINE+2]]:5: error: rows of 252 bytes cannot be copied by TMA, which copies multiples of 16 bytes
    // OUT: note: store such rows from registers, x.at(...)[tg::all] = smem[tg::all], which takes rows of any size
    tg::copy_smem_to_gmem(rows, o.at(tg::ds<8>(0), tg::ds<63>(0)));
    tg::wait_smem_to_gmem<0>();
#endif
  });
}
#endif
