// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that synchronize: by semaphores of the launch, and at barriers of the grid.
#include <tegula/tegula.h>
namespace tg = tegula;

// Split-K in order: the blocks along "k" sum some rows of x[m] each, and add them to o[m] one after the other.
TEGULA_KERNEL void sums_in_order(tg::array<const float, 3> x, tg::array<float, 2> o, tg::s64 parts) {
  tg::check(x.dim(0) <= 64, "there are semaphores for 64 sums");
  tg::check(o.dim(0) == x.dim(0) && x.dim(2) == 128 && o.dim(1) == 128, "a sum has a row of 128");
  tg::kernel({.grid = {{"m", x.dim(0)}, {"k", parts}}, .waiting_for = tg::earlier_blocks}, [=] {
    const auto turn = tg::get_global<tg::semaphore<64>>();
    const auto m = tg::axis_index("m"), k = tg::axis_index("k");
    const auto all = tg::ds<128>(0);
    auto sum = tg::zeros<float, 128>();
    for (tg::s64 row = k; row < x.dim(1); row += parts)
      sum = sum + x[m, row, all];
    tg::semaphore_wait(turn.at(m), k, {.decrement = false});
    if (k > 0)
      sum = o[m, all] + sum;
    o[m, all] = sum;
    tg::semaphore_signal(turn.at(m));
  });
}

// The same in any order: parts leave their sums in memory, and the first block of each row of blocks adds them up when
// all are there, always in one order.
TEGULA_KERNEL void sums_in_any_order(tg::array<const float, 3> x, tg::array<float, 3> partial, tg::array<float, 2> o) {
  tg::check(x.dim(0) <= 8 && x.dim(2) == 128, "there are semaphores for 8 sums of 128");
  tg::kernel({.grid = {{"m", x.dim(0)}, {"k", partial.dim(1)}}}, [=] {
    auto there = tg::get_global<tg::semaphore<8>>();
    const auto m = tg::axis_index("m"), k = tg::axis_index("k"), parts = tg::axis_size("k");
    const auto all = tg::ds<128>(0);
    auto sum = tg::zeros<float, 128>();
    for (tg::s64 row = k; row < x.dim(1); row += parts)
      sum = sum + x[m, row, all];
    if (k > 0) {
      partial[m, k, all] = sum;
      tg::semaphore_signal(there.at(m));
      return;
    }
    tg::semaphore_wait(there.at(m), parts - 1);
    for (tg::s64 part = 1; part < parts; ++part)
      sum = sum + partial[m, part, all];
    o[m, all] = sum;
  });
}

// A stencil of several steps over a ring of rows, which are in one of two buffers and in the other one in turn. The
// threads of all blocks share the rows.
TEGULA_KERNEL void ring_of_rows(tg::array<tg::s32, 3> x, tg::s64 blocks, tg::s64 steps) {
  tg::check(x.dim(0) == 2 && x.dim(2) == 128, "there are two buffers of rows of 128");
  tg::kernel({.grid = {{"b", blocks}}, .threads = {"wg", 2}}, [=] {
    const auto all = tg::ds<128>(0);
    const auto rows = x.dim(1);
    for (tg::s64 step = 0; step < steps; ++step) {
      const auto from = step % 2, to = 1 - from;
      for (tg::s64 r = tg::axis_index("b", "wg"); r < rows; r += tg::axis_size("b", "wg"))
        x[to, r, all] = x[from, (r + 1) % rows, all] + 3 * x[from, (r + rows - 1) % rows, all] - x[from, r, all];
      tg::grid_barrier();
    }
  });
}

// The same in clusters, whose rows leave by TMA and come by TMA: what other blocks have written is there.
TEGULA_KERNEL void ring_by_copies(tg::array<tg::s32, 3> x, tg::s64 clusters, tg::s64 steps) {
  tg::check(x.dim(0) == 2 && x.dim(2) == 128, "there are two buffers of rows of 128");
  tg::kernel({.grid = {{"b", clusters}}, .cluster = {{"c", 2}}}, [=] {
    tg::smem<tg::s32, 3, 128> near;
    tg::smem<tg::s32, 128> made;
    tg::barrier<> full{.num_arrivals = 3};
    const auto all = tg::ds<128>(0);
    const auto rows = x.dim(1);
    for (tg::s64 step = 0; step < steps; ++step) {
      const auto from = step % 2, to = 1 - from;
      for (tg::s64 r = tg::axis_index("b", "c"); r < rows; r += tg::axis_size("b", "c")) {
        tg::copy_gmem_to_smem(x.at(from, (r + rows - 1) % rows, all), near.at(0), full);
        tg::copy_gmem_to_smem(x.at(from, r, all), near.at(1), full);
        tg::copy_gmem_to_smem(x.at(from, (r + 1) % rows, all), near.at(2), full);
        tg::barrier_wait(full);
        const auto next = near[2] + 3 * near[0] - near[1];
        if (r % 3 == 0) { // Some by stores, which others copy.
          x[to, r, all] = next;
        } else {
          made[tg::all] = next;
          tg::commit_smem();
          tg::copy_smem_to_gmem(made, x.at(to, r, all));
          tg::wait_smem_to_gmem<0>();
        }
      }
      tg::grid_barrier();
    }
  });
}

// A chain: each block adds a row to what the block before has come to. There are more blocks than a GPU runs at once.
TEGULA_KERNEL void chain(tg::array<const tg::s32, 2> x, tg::array<tg::s32, 2> o) {
  tg::check(x.dim(1) == 128 && o.dim(1) == 128 && o.dim(0) == x.dim(0), "rows have 128 elements");
  tg::kernel({.grid = {{"b", x.dim(0)}}, .waiting_for = tg::earlier_blocks}, [=] {
    const auto done = tg::get_global<tg::semaphore<>>();
    const auto b = tg::axis_index("b");
    const auto all = tg::ds<128>(0);
    auto sum = x[b, all];
    tg::semaphore_wait(done, b, {.decrement = false});
    if (b > 0)
      sum = sum + o[b - 1, all];
    o[b, all] = sum;
    tg::semaphore_signal(done);
  });
}

// One of all threads at a time changes a row: who takes the only count of the semaphore.
TEGULA_KERNEL void one_at_a_time(tg::array<tg::s32, 2> o, tg::s64 blocks, tg::s64 rounds) {
  tg::kernel({.grid = {{"b", blocks}}, .threads = {"wg", 2}}, [=] {
    auto free = tg::get_global<tg::semaphore<>>();
    const auto all = tg::ds<128>(0);
    if (tg::axis_index("b", "wg") == 0)
      tg::semaphore_signal(free, 3);
    for (tg::s64 i = 0; i < rounds; ++i) {
      tg::semaphore_wait(free, 3);
      o[0, all] = o[0, all] + 1;
      o[1, all] = o[1, all] - o[0, all];
      tg::semaphore_signal(free, 3, {.scope = tg::memory_scope::sys});
    }
  });
}

// Rounds in which each block of a grid waits for its neighbours of the round before: several semaphores at a time.
TEGULA_KERNEL void neighbours(tg::array<tg::s32, 3> x, tg::s64 rounds) {
  tg::check(x.dim(0) <= 16 && x.dim(1) == rounds + 1 && x.dim(2) == 128, "there are semaphores for 16 blocks");
  tg::kernel({.grid = {{"b", x.dim(0)}}}, [=] {
    auto told = tg::get_global<tg::semaphore<16, 2>>();
    const auto b = tg::axis_index("b"), blocks = tg::axis_size("b");
    const auto left = (b + blocks - 1) % blocks, right = (b + 1) % blocks;
    const auto all = tg::ds<128>(0);
    for (tg::s64 round = 0; round < rounds; ++round) {
      tg::semaphore_signal_parallel({{told.at(left, 1), 1}, {told.at(right, 0), 1}});
      tg::semaphore_wait(told.at(b, 0));
      tg::semaphore_wait(told.at(b, 1));
      x[b, round + 1, all] = x[left, round, all] - x[right, round, all] + x[b, round, all];
    }
  });
}

// What a semaphore is before and after signals, of two that one kernel has.
TEGULA_KERNEL void counts(tg::array<tg::s32, 1> o) {
  tg::kernel([=] {
    auto a = tg::get_global<tg::semaphore<>>();
    auto b = tg::get_global<tg::semaphore<2>>();
    o[0] = tg::semaphore_read(a);
    tg::semaphore_signal(a, 5);
    tg::semaphore_signal(b.at(1), -7);
    tg::semaphore_wait(a, 2);
    o[1] = tg::semaphore_read(a);
    o[2] = tg::semaphore_read(b.at(0));
    o[3] = tg::semaphore_read(b.at(1));
  });
}

// Waits for what nobody signals.
TEGULA_KERNEL void never(tg::array<tg::s32, 1> o, tg::s64 blocks) {
  tg::kernel({.grid = {{"b", blocks}}}, [=] {
    auto done = tg::get_global<tg::semaphore<>>();
    if (tg::axis_index("b") == 1)
      tg::semaphore_wait(done, 2);
    tg::semaphore_signal(done);
    o[tg::axis_index("b")] = 1;
  });
}

// Waits for the last block, though it says that it waits for earlier ones alone.
TEGULA_KERNEL void for_the_last(tg::array<tg::s32, 1> o, tg::s64 blocks) {
  tg::kernel({.grid = {{"b", blocks}}, .waiting_for = tg::earlier_blocks}, [=] {
    auto done = tg::get_global<tg::semaphore<>>();
    if (tg::axis_index("b") + 1 == tg::axis_size("b"))
      tg::semaphore_signal(done);
    tg::semaphore_wait(done, 1, {.decrement = false});
    o[tg::axis_index("b")] = 1;
  });
}

// A thread that leaves before the others wait for it.
TEGULA_KERNEL void leaves_the_grid(tg::array<tg::s32, 1> o) {
  tg::kernel({.grid = {{"b", 3}}}, [=] {
    const auto b = tg::axis_index("b");
    if (b < 2)
      tg::grid_barrier();
    o[b] = 1;
  });
}

// Names a semaphore that is not there.
TEGULA_KERNEL void beyond(tg::array<tg::s32, 1> o, tg::s64 which) {
  tg::kernel([=] {
    auto four = tg::get_global<tg::semaphore<4>>();
    tg::semaphore_signal(four.at(which));
    o[0] = 1;
  });
}
