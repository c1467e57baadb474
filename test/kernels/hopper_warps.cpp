// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The warps of a thread, each by itself: copies, barriers, numbers.
#include <tegula/tegula.h>
namespace tg = tegula;

// Each warp copies a row of its own and waits for it; a number of each goes to shared memory, and the thread adds.
TEGULA_KERNEL void rows_of_warps(tg::array<const tg::s32, 2> x, tg::array<tg::s32, 2> o, tg::array<tg::s32, 1> firsts) {
  tg::kernel([=] {
    tg::smem<tg::s32, 4, 64> rows;
    tg::barrier<4> full;
    tg::warp_map([&](auto warp) {
      tg::copy_gmem_to_smem(x.at(warp, tg::ds<64>(0)), rows.at(warp), full.at(warp));
      tg::barrier_wait(full.at(warp));
      firsts[warp] = rows[warp, 0] + rows[warp, 1];
    });
    o[tg::ds<4>(0), tg::ds<64>(0)] = rows[tg::all, tg::all] * 2;
  });
}

// Warps wait for each other: a number goes round, and each adds to it. Phases go on from round to round, and from one
// map to the next.
TEGULA_KERNEL void turns_of_warps(tg::array<tg::s32, 2> o, tg::s64 rounds) {
  tg::kernel([=] {
    tg::smem<tg::s32, 1> number;
    tg::barrier<4> turn;
    number[0] = 0;
    for (tg::s64 i = 0; i < rounds; ++i)
      tg::warp_map([&](auto warp) {
        if (i > 0 || warp > 0)
          tg::barrier_wait(turn.at(warp));
        const auto now = number[0];
        o[i, warp] = now;
        number[0] = now + 1;
        tg::barrier_arrive(turn.at((warp + 1) % 4));
      });
  });
}

// A warp copies chunks ahead, one adds them up and writes the sum; each waits for the other, by a ring of two stages.
TEGULA_KERNEL void ring_of_warps(tg::array<const tg::s32, 2> x, tg::array<tg::s32, 1> o) {
  tg::kernel([=] {
    tg::smem<tg::s32, 2, 32> stages;
    tg::barrier<2> full, empty;
    const auto steps = x.dim(0);
    tg::warp_map([&](auto warp) {
      if (warp == 1) {
        for (tg::s64 i = 0; i < steps; ++i) {
          if (i >= 2)
            tg::barrier_wait(empty.at(i % 2));
          tg::copy_gmem_to_smem(x.at(i, tg::ds<32>(0)), stages.at(i % 2), full.at(i % 2));
        }
      } else if (warp == 3) {
        tg::s32 sum = 0;
        for (tg::s64 i = 0; i < steps; ++i) {
          tg::barrier_wait(full.at(i % 2));
          for (tg::s64 k = 0; k < 32; ++k)
            sum += stages[i % 2, k];
          tg::barrier_arrive(empty.at(i % 2));
        }
        o[0] = sum;
      }
    });
  });
}

// Warps write to shared memory and copy what they wrote to the array, in groups of their own.
TEGULA_KERNEL void stores_of_warps(tg::array<tg::s32, 2> o) {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    tg::smem<tg::s32, 2, 4, 32> rows;
    const auto wg = tg::axis_index("wg");
    tg::warp_map([&](auto warp) {
      for (tg::s64 k = 0; k < 32; ++k)
        rows[wg, warp, k] = tg::s32(1000 * wg + 32 * warp + k);
      tg::commit_smem();
      tg::copy_smem_to_gmem(rows.at(wg, warp), o.at(4 * wg + warp, tg::ds<32>(0)));
      if (warp == 2)
        tg::wait_smem_to_gmem<0>();
    });
    tg::wait_smem_to_gmem<0>(); // Those of all warps.
  });
}
