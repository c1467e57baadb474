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

// Two warps of one thread copy for another one, each an array of its own; that thread releases both at once. The phases
// of each warp go on through maps in a loop, of a thread that gave its registers away.
TEGULA_KERNEL void two_producers(tg::array<const tg::s32, 2> x, tg::array<const tg::s32, 2> y,
                                 tg::array<tg::s32, 2> o) {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    tg::smem<tg::s32, 3, 2, 64> slots;
    tg::barrier<3> full{.num_arrivals = 2}, empty;
    const auto steps = x.dim(0);
    const auto all = tg::ds<64>(0);
    if (tg::axis_index("wg") == 1) {
      tg::set_max_registers<40>(tg::decrease);
      for (tg::s64 i = 0; i < steps; ++i)
        tg::warp_map([&](auto warp) {
          if (warp > 1)
            return;
          if (i >= 3)
            tg::barrier_wait(empty.at(i % 3));
          if (warp == 0)
            tg::copy_gmem_to_smem(x.at(i, all), slots.at(i % 3, 0), full.at(i % 3));
          else
            tg::copy_gmem_to_smem(y.at(i, all), slots.at(i % 3, 1), full.at(i % 3));
        });
      return;
    }
    tg::set_max_registers<240>(tg::increase);
    for (tg::s64 i = 0; i < steps; ++i) {
      tg::barrier_wait(full.at(i % 3));
      o[i, all] = slots[i % 3, 0] - slots[i % 3, 1];
      tg::barrier_arrive(empty.at(i % 3));
    }
  });
}

// Blocks of a cluster share the copies of each warp; its warps tell both blocks when they have read what was there.
TEGULA_KERNEL void warps_of_cluster(tg::array<const tg::s32, 2> x, tg::array<tg::s32, 2> o) {
  tg::kernel({.cluster = {{"c", 2}}}, [=] {
    tg::smem<tg::s32, 4, 64> rows;
    tg::barrier<4> full;
    tg::cluster_barrier<4> done{.collective_axes = {"c"}};
    const auto c = tg::axis_index("c");
    const auto steps = x.dim(0) / 4;
    tg::warp_map([&](auto warp) {
      tg::s32 sum = 0;
      for (tg::s64 i = 0; i < steps; ++i) {
        if (i > 0)
          tg::barrier_wait(done.at(warp));
        tg::copy_gmem_to_smem(x.at(4 * i + warp, tg::ds<64>(0)), rows.at(warp), full.at(warp),
                              {.collective_axes = {"c"}});
        tg::barrier_wait(full.at(warp));
        sum += rows[warp, 32 * c] + rows[warp, 32 * c + 31];
        tg::barrier_arrive(done.at(warp));
      }
      o[c, warp] = sum;
    });
  });
}

// Warps of all blocks take numbers in turn, from shared and from global memory, and signal a warp of the first block,
// which waits for them and reads what they wrote.
TEGULA_KERNEL void counted(tg::array<tg::s32, 1> counts, tg::array<tg::s32, 1> taken, tg::array<tg::s32, 1> o) {
  tg::kernel({.grid = {{"g", counts.dim(0)}}}, [=] {
    tg::smem<tg::s32, 1> numbers;
    auto ready = tg::get_global<tg::semaphore<>>();
    const auto g = tg::axis_index("g");
    numbers[0] = 0;
    tg::warp_map([&](auto warp) {
      const tg::s32 number = tg::atomic_add(numbers.at(0), 1);
      taken[4 * g + number] = tg::s32(100 * g) + number;
      tg::atomic_add(counts.at(g), tg::s32(warp));
      tg::semaphore_signal(ready);
      if (g == 0 && warp == 3) {
        tg::semaphore_wait(ready, 4 * tg::axis_size("g"), {.decrement = false});
        tg::s32 sum = 0;
        for (tg::s64 i = 0; i < counts.dim(0); ++i)
          sum += counts[i];
        o[0] = sum;
        o[1] = tg::semaphore_read(ready);
      }
    });
  });
}

// A thread waits for phases of a barrier that its warps have waited for, too; a warp tests it until the others have
// come, and copies where its predicate says so.
TEGULA_KERNEL void mixed(tg::array<const tg::s32, 2> x, tg::array<tg::s32, 2> o, tg::s64 rounds) {
  tg::kernel([=] {
    tg::smem<tg::s32, 4, 32> rows;
    tg::barrier here{.num_arrivals = 4};
    tg::barrier<4> full;
    rows[tg::all] = tg::zeros<tg::s32, 4, 32>();
    tg::commit_smem();
    for (tg::s64 i = 0; i < rounds; ++i) {
      tg::warp_map([&](auto warp) {
        tg::barrier_arrive(here);
        if (warp == 2) {
          while (!tg::barrier_test(here)) {
          }
        } else {
          tg::barrier_wait(here);
        }
        tg::copy_gmem_to_smem(x.at(i, tg::ds<32>(0)), rows.at(warp), full.at(warp), {.predicate = warp == i % 4});
        tg::barrier_wait(full.at(warp));
      });
      for (int arrival = 0; arrival < 4; ++arrival)
        tg::barrier_arrive(here);
      tg::barrier_wait(here);
    }
    o[tg::ds<4>(0), tg::ds<32>(0)] = rows[tg::all];
  });
}
