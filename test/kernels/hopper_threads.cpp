// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers, threads, axes and clusters.
#include <tegula/tegula.h>
namespace tg = tegula;

// A number goes to and fro between two threads, through shared memory.
TEGULA_KERNEL void ping_pong(tg::array<const tg::s32, 1> x, tg::array<tg::s32, 2> o, int rounds) {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    const auto all = tg::ds<128>(0);
    tg::smem<tg::s32, 128> ball;
    tg::barrier there, back;
    if (tg::axis_index("wg") == 0) {
      ball[tg::all] = x[all];
      for (int i = 0; i < rounds; ++i) {
        tg::barrier_arrive(there);
        tg::barrier_wait(back);
        ball[tg::all] = ball[tg::all] * 3;
      }
      o[0, all] = ball[tg::all];
    } else {
      for (int i = 0; i < rounds; ++i) {
        tg::barrier_wait(there);
        ball[tg::all] = ball[tg::all] + i;
        o[1, all] = ball[tg::all];
        tg::barrier_arrive(back);
      }
    }
  });
}

// All of three threads arrive, and read what the others wrote.
TEGULA_KERNEL void all_meet(tg::array<const float, 2> x, tg::array<float, 2> o, tg::s64 rounds) {
  tg::kernel({.threads = {"wg", 3}}, [=] {
    const auto wg = tg::axis_index("wg");
    const auto all = tg::ds<64>(0);
    tg::smem<float, 3, 64> rows;
    tg::barrier written{.num_arrivals = 3}, read{.num_arrivals = 3};
    rows[wg] = x[wg, all];
    for (tg::s64 i = 0; i < rounds; ++i) {
      tg::barrier_arrive(written);
      tg::barrier_wait(written);
      const auto sum = rows[(wg + 1) % 3] - rows[(wg + 2) % 3];
      tg::barrier_arrive(read);
      tg::barrier_wait(read);
      rows[wg] = sum;
    }
    o[wg, all] = rows[wg];
  });
}

// A ring of 2 x 3 slots between a thread that copies and one that reads: barriers named at run time. The reader's
// registers are the copier's.
TEGULA_KERNEL void ring(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    tg::smem<float, 2, 3, 64> slots;
    tg::barrier<2, 3> full, empty;
    const auto steps = x.dim(0);
    const auto all = tg::ds<64>(0);
    if (tg::axis_index("wg") == 1) {
      tg::set_max_registers<40>(tg::decrease);
      for (tg::s64 i = 0; i < steps; ++i) {
        if (i >= 6)
          tg::barrier_wait(empty.at(i / 3 % 2, i % 3));
        tg::copy_gmem_to_smem(x.at(i, all), slots.at(i / 3 % 2, i % 3), full.at(i / 3 % 2, i % 3));
      }
    } else {
      tg::set_max_registers<240>(tg::increase);
      for (tg::s64 i = 0; i < steps; ++i) {
        tg::barrier_wait(full.at(i / 3 % 2, i % 3));
        o[i, all] = slots[i / 3 % 2, i % 3] * 0.5f;
        tg::barrier_arrive(empty.at(i / 3 % 2, i % 3));
      }
    }
  });
}

// One thread copies for two, which both release what they have read.
TEGULA_KERNEL void two_readers(tg::array<const tg::s32, 2> x, tg::array<tg::s32, 2> o) {
  tg::kernel({.threads = {"wg", 3}}, [=] {
    tg::smem<tg::s32, 2, 8, 64> slots;
    tg::barrier<2> full, empty{.num_arrivals = 2};
    const auto steps = tg::cdiv(x.dim(0), 8);
    const auto wg = tg::axis_index("wg");
    if (wg == 2) {
      tg::set_max_registers<24>(tg::decrease);
      for (tg::s64 i = 0; i < steps; ++i) {
        if (i >= 2)
          tg::barrier_wait(empty.at(i % 2));
        tg::copy_gmem_to_smem(x.at(tg::ds<8>(i * 8), tg::ds<64>(0)), slots.at(i % 2), full.at(i % 2));
      }
      return;
    }
    tg::set_max_registers<240>(tg::increase);
    auto sum = tg::zeros<tg::s32, 8, 32>();
    for (tg::s64 i = 0; i < steps; ++i) {
      tg::barrier_wait(full.at(i % 2));
      sum += slots.at(i % 2)[tg::all, tg::ds<32>(wg * 32)];
      tg::barrier_arrive(empty.at(i % 2));
    }
    o[tg::ds<8>(0), tg::ds<32>(wg * 32)] = sum;
  });
}

// ---- Axes -----------------------------------------------------------------------------------------------------------

TEGULA_KERNEL void one_axis(tg::array<tg::s32, 2> o, tg::s64 m) {
  tg::kernel({.grid = {{"m", m}}, .threads = {"wg", 2}}, [=] {
    const auto program = tg::axis_index("m", "wg");
    o[program, 0] = tg::astype<tg::s32>(tg::axis_index("m") * 100 + tg::axis_index("wg"));
    o[program, 1] = tg::astype<tg::s32>(tg::axis_size("m") * 100 + tg::axis_size("wg"));
  });
}

TEGULA_KERNEL void three_axes(tg::array<tg::s32, 2> o, tg::s64 m, tg::s64 n, tg::s64 k) {
  tg::kernel({.grid = {{"m", m}, {"n", n}, {"k", k}}, .threads = {"wg", 1}}, [=] {
    const auto program = tg::axis_index("m", "n", "k");
    o[program, 0] = tg::astype<tg::s32>(tg::axis_index("m") * 10000 + tg::axis_index("n") * 100 + tg::axis_index("k"));
    o[program, 1] = tg::astype<tg::s32>(tg::axis_size("m", "n") + tg::axis_size("k"));
  });
}

TEGULA_KERNEL void cluster_axes(tg::array<tg::s32, 2> o, tg::s64 m, tg::s64 n) {
  tg::kernel({.grid = {{"m", m}, {"n", n}}, .cluster = {{"cm", 2}, {"cn", 4}}, .threads = {"wg", 2}}, [=] {
    const auto cluster = tg::axis_index("m", "n");
    const auto place = (cluster * 8 + tg::axis_index("cm", "cn")) * 2 + tg::axis_index("wg");
    o[place, 0] = tg::astype<tg::s32>(tg::axis_index("cm") * 100 + tg::axis_index("cn") * 10 + tg::axis_index("wg"));
    o[place, 1] = tg::astype<tg::s32>(tg::axis_size("cm", "cn") * 100 + tg::axis_size("cn", "wg"));
    o[place, 2] = tg::astype<tg::s32>(tg::axis_index("m") * 100 + tg::axis_index("n"));
  });
}

// ---- Clusters -------------------------------------------------------------------------------------------------------

// All blocks of a cluster of N get the same rows, several times into the same place: each fetches a part of them.
template <int N> TEGULA_KERNEL void multicast(tg::array<const float, 2> x, tg::array<float, 4> o, tg::s64 clusters) {
  tg::kernel({.grid = {{"g", clusters}}, .cluster = {{"c", N}}}, [=] {
    tg::smem<float, 32, 32> block;
    tg::smem<float, 8, 128> wide;
    tg::barrier here{.num_arrivals = 2};
    tg::cluster_barrier<> free{.collective_axes = {"c"}};
    const auto g = tg::axis_index("g"), c = tg::axis_index("c");
    for (tg::s64 i = 0; i < 3; ++i) {
      // By rows, and by columns: one is high, the other wide.
      tg::copy_gmem_to_smem(x.at(tg::ds<32>(g * 32 + i), tg::ds<32>(-4 * i)), block, here, {.collective_axes = {"c"}});
      tg::copy_gmem_to_smem(x.at(tg::ds<8>(g * 32 + i), tg::ds<128>(4 * i)), wide, here, {.collective_axes = {"c"}});
      tg::barrier_wait(here);
      o[g * N + c, i, tg::ds<32>(0), tg::ds<32>(0)] = block[tg::all];
      o[g * N + c, i, tg::ds<8>(32), tg::ds<128>(0)] = wide[tg::all];
      // No block copies into another one that still reads.
      tg::barrier_arrive(free);
      tg::barrier_wait(free);
    }
  });
}
TEGULA_INSTANTIATE("multicast_2", multicast<2>);
TEGULA_INSTANTIATE("multicast_4", multicast<4>);

// Shares of more rows than one TMA copy moves, and of unswizzled rows that are longer.
TEGULA_KERNEL void multicast_large(tg::array<const float, 2> x, tg::array<float, 3> o, tg::array<float, 3> wide) {
  tg::kernel({.cluster = {{"c", 2}}}, [=] {
    tg::smem<float, 528, 16> high;
    tg::smem<float, 4, 260> rows;
    tg::barrier here{.num_arrivals = 2};
    const auto c = tg::axis_index("c");
    tg::copy_gmem_to_smem(x.at(tg::ds<528>(1), tg::ds<16>(4)), high, here, {.collective_axes = {"c"}});
    tg::copy_gmem_to_smem(x.at(tg::ds<4>(-1), tg::ds<260>(0)), rows, here, {.collective_axes = {"c"}});
    tg::barrier_wait(here);
    for (tg::s64 i = 0; i < 528; ++i)
      o[c, i, tg::ds<16>(0)] = high[i];
    for (tg::s64 i = 0; i < 4; ++i)
      wide[c, i, tg::ds<260>(0)] = rows[i];
  });
}

// Along one axis, along the other one, and along both.
TEGULA_KERNEL void multicast_2_2(tg::array<const tg::bf16, 2> x, tg::array<tg::bf16, 4> o) {
  tg::kernel({.cluster = {{"a", 2}, {"b", 2}}}, [=] {
    tg::smem<tg::bf16, 3, 32, 64> rows;
    tg::barrier here{.num_arrivals = 3};
    const auto a = tg::axis_index("a"), b = tg::axis_index("b");
    const auto all = tg::ds<64>(0);
    tg::copy_gmem_to_smem(x.at(tg::ds<32>(b * 32), all), rows.at(0), here, {.collective_axes = {"a"}});
    tg::copy_gmem_to_smem(x.at(tg::ds<32>(64 + a * 32), all), rows.at(1), here, {.collective_axes = {"b"}});
    tg::copy_gmem_to_smem(x.at(tg::ds<32>(128), all), rows.at(2), here, {.collective_axes = {"a", "b"}});
    tg::barrier_wait(here);
    tg::static_for<3>([&](auto i) { o[a * 2 + b, i, tg::ds<32>(0), all] = rows.at(i)[tg::all]; });
  });
}

// Every block tells the others of its row and of its column what it has, through global memory, round after round.
TEGULA_KERNEL void neighbours(tg::array<tg::s32, 3> seen, tg::array<tg::s32, 2> o, int rounds) {
  tg::kernel({.cluster = {{"a", 2}, {"b", 4}}, .threads = {"wg", 2}}, [=] {
    const auto a = tg::axis_index("a"), b = tg::axis_index("b"), wg = tg::axis_index("wg");
    tg::cluster_barrier<2> cross{.collective_axes = {"a", "b"}, .num_arrivals = 2};
    tg::cluster_barrier<> row{.collective_axes = {"b"}, .num_arrivals = 2};
    for (int i = 0; i < rounds; ++i) {
      if (wg == 0)
        seen[i % 2, a, b] = tg::astype<tg::s32>(a * 10 + b + 100 * i);
      tg::barrier_arrive(cross.at(i % 2));
      tg::barrier_wait(cross.at(i % 2));
      o[a * 4 + b, wg] = seen[i % 2, 1 - a, b] + seen[i % 2, a, (b + 1) % 4];
      tg::barrier_arrive(row);
      tg::barrier_wait(row);
    }
  });
}
