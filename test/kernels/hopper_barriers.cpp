// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers that are tested, and those in hardware for some threads of a block.
#include <tegula/tegula.h>
namespace tg = tegula;

// What tests say of a phase before its end, after it, and of the one that follows.
TEGULA_KERNEL void tested(tg::array<tg::s32, 1> o) {
  tg::kernel([=] {
    tg::barrier once;
    const bool early = tg::barrier_test(once), again = tg::barrier_test(once);
    tg::barrier_arrive(once);
    while (!tg::barrier_test(once)) {
    }
    const bool next = tg::barrier_test(once);
    tg::barrier_arrive(once);
    tg::barrier_wait(once); // Phases that tests and waits saw count together.
    const bool last = tg::barrier_test(once);
    o[0] = early ? 1 : 0;
    o[1] = again ? 1 : 0;
    o[2] = next ? 1 : 0;
    o[3] = last ? 1 : 0;
  });
}

// A thread sums chunks that are there, and counts while they are not; the other one brings them, and waits for its
// stages to be free again. Barriers are named at run time.
TEGULA_KERNEL void polled(tg::array<const tg::s32, 2> x, tg::array<tg::s32, 1> o, tg::array<tg::s64, 1> spins) {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    tg::smem<tg::s32, 3, 64> stages;
    tg::barrier<3> full, empty;
    const auto steps = x.dim(0);
    if (tg::axis_index("wg") == 1) {
      for (tg::s64 i = 0; i < steps; ++i) {
        if (i >= 3)
          tg::barrier_wait(empty.at(i % 3));
        tg::copy_gmem_to_smem(x.at(i, tg::ds<64>(0)), stages.at(i % 3), full.at(i % 3));
      }
    } else {
      tg::s64 count = 0;
      auto sum = tg::zeros<tg::s32, 64>();
      for (tg::s64 i = 0; i < steps; ++i) {
        while (!tg::barrier_test(full.at(i % 3)))
          ++count;
        sum = sum + stages[i % 3];
        tg::barrier_arrive(empty.at(i % 3));
      }
      o[tg::ds<64>(0)] = sum;
      spins[0] = count;
    }
  });
}

// Blocks of a cluster test what arrives from each other.
TEGULA_KERNEL void tested_in_cluster(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::kernel({.cluster = {{"c", 2}}}, [=] {
    tg::cluster_barrier<> both{.collective_axes = {"c"}};
    const auto c = tg::axis_index("c");
    const auto all = tg::ds<64>(0);
    o[c, all] = x[c, all] * 2.0f;
    tg::barrier_arrive(both);
    while (!tg::barrier_test(both)) {
    }
    o[2 + c, all] = o[1 - c, all] + 1.0f;
  });
}

// Two threads take turns: each writes the number of the turn, which is one number in shared memory.
TEGULA_KERNEL void turns(tg::array<tg::s32, 2> o, tg::s64 rounds) {
  tg::kernel({.threads = {"wg", 3}}, [=] {
    tg::smem<tg::s32, 1> number;
    tg::named_barrier<2> turn{.num_threads = 2};
    tg::named_barrier all{.num_threads = 3};
    const auto wg = tg::axis_index("wg");
    if (wg == 2) {
      number[tg::all] = tg::zeros<tg::s32, 1>();
      tg::named_barrier_arrive(all); // The others see what this thread has written.
      return;
    }
    tg::named_barrier_sync(all);
    if (wg == 1)
      tg::named_barrier_arrive(turn.at(0));
    for (tg::s64 i = 0; i < rounds; ++i) {
      tg::named_barrier_sync(turn.at(wg));
      o[wg, tg::ds<1>(i)] = number[tg::all];
      number[tg::all] = number[tg::all] + 1;
      if (i + 1 < rounds || wg == 0)
        tg::named_barrier_arrive(turn.at(1 - wg));
    }
  });
}

// Three threads of four exchange rows, round after round; the fourth one has no part in it.
TEGULA_KERNEL void three_of_four(tg::array<const float, 2> x, tg::array<float, 2> o, tg::s64 rounds) {
  tg::kernel({.threads = {"wg", 4}}, [=] {
    tg::smem<float, 3, 64> rows;
    tg::named_barrier written{.num_threads = 3}, read{.num_threads = 3};
    const auto wg = tg::axis_index("wg");
    const auto all = tg::ds<64>(0);
    if (wg == 3) {
      o[3, all] = x[3, all];
    } else {
      rows[wg] = x[wg, all];
      for (tg::s64 i = 0; i < rounds; ++i) {
        tg::named_barrier_sync(written);
        const auto next = rows[(wg + 1) % 3] - rows[(wg + 2) % 3];
        tg::named_barrier_sync(read);
        rows[wg] = next;
      }
      o[wg, all] = rows[wg];
    }
  });
}

// As many as a block has, of several ranks.
TEGULA_KERNEL void many_named(tg::array<tg::s32, 2> o) {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    tg::smem<tg::s32, 2, 13> seen;
    tg::named_barrier<2, 3> six;
    tg::named_barrier<7> seven;
    const auto wg = tg::axis_index("wg");
    for (tg::s64 i = 0; i < 13; ++i) {
      seen[wg, i] = static_cast<tg::s32>(10 * i + wg);
      if (i < 6)
        tg::named_barrier_sync(six.at(i / 3, i % 3));
      else
        tg::named_barrier_sync(seven.at(i - 6));
      o[wg, i] = seen[1 - wg, i];
    }
  });
}
