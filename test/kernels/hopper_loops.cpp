// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of programs that share the steps of a grid.
#include <tegula/tegula.h>
namespace tg = tegula;

// The number of each step of a walk in tiles, and who does it.
template <int... Tiling> TEGULA_KERNEL void tiles(tg::array<tg::s64, 3> o, tg::s64 programs) {
  tg::kernel({.grid = {{"p", programs}}}, [=] {
    tg::nd_loop({o.dim(0), o.dim(1)}, {.collective_axes = {"p"}, .tiling = {Tiling...}}, [&](auto step) {
      const auto [i, j] = step.index;
      o[i, j, 0] = step.local_index * programs + tg::axis_index("p");
      o[i, j, 1] = step.num_local_steps;
    });
  });
}
TEGULA_INSTANTIATE("tiles_none", tiles<>);
TEGULA_INSTANTIATE("tiles_2_3", tiles<2, 3>);
TEGULA_INSTANTIATE("tiles_1_4", tiles<1, 4>);
TEGULA_INSTANTIATE("tiles_5_1", tiles<5, 1>);

// Three axes, of which two are constants and one of these is divided.
TEGULA_KERNEL void three_axes(tg::array<tg::s64, 3> o) {
  tg::kernel([=] {
    tg::nd_loop({o.dim(0), 6, 5}, {.tiling = {2, 3, 2}}, [&](auto step) {
      const auto [i, j, k] = step.index;
      o[i, j, k] = step.local_index;
    });
  });
}

// Variables around the loop carry what its steps make: numbers, a tile, an accumulator. The index of static_for stands
// in angle brackets.
TEGULA_KERNEL void carries(tg::array<const tg::f16, 3> x, tg::array<const float, 2> y, tg::array<float, 2> o,
                           tg::array<float, 2> sums, tg::array<tg::s64, 1> last) {
  tg::kernel([=] {
    tg::smem<tg::f16, 64, 64> a;
    tg::acc<float, 64, 64> acc;
    auto rows = tg::zeros<float, 4, 32>();
    tg::s64 at = -1, steps = 0;
    tg::barrier here;
    tg::nd_loop({x.dim(0)}, {}, [&](auto step) {
      const auto i = step.index[0];
      tg::copy_gmem_to_smem(x.at(i, tg::ds<64>(0), tg::ds<64>(0)), a, here);
      tg::barrier_wait(here);
      tg::wgmma(acc, a, a);
      tg::wgmma_wait<0>();
      tg::static_for<4>([&](auto part) {
        const auto row = y[i, tg::ds<32>(part * 32)];
        rows = rows + tg::where(tg::broadcasted_iota<tg::s32, 0, 4, 32>() == part, row[tg::newaxis, tg::all], 0.0f);
      });
      at = i;
      ++steps;
    });
    o[tg::ds<64>(0), tg::ds<64>(0)] = acc[tg::all];
    sums[tg::ds<4>(0), tg::ds<32>(0)] = rows;
    last[0] = at;
    last[1] = steps;
  });
}

// Steps that blocks take: each is done once, and all threads of a cluster do it together.
template <int... Tiling> TEGULA_KERNEL void taken(tg::array<tg::s32, 2> times, tg::array<tg::s64, 4> numbers) {
  tg::kernel({.grid = {{"m", times.dim(0)}, {"n", times.dim(1)}}, .threads = {"wg", 3}}, [=] {
    tg::dynamic_scheduling_loop({"m", "n"}, {.tiling = {Tiling...}}, [&](auto step) {
      const auto [i, j] = step.index;
      const auto wg = tg::axis_index("wg");
      if (wg == 1)
        times[i, j] = times[i, j] + 1;
      numbers[i, j, 0, wg] = step.local_index;
    });
  });
}
TEGULA_INSTANTIATE("taken", taken<>);
TEGULA_INSTANTIATE("taken_2_3", taken<2, 3>);

template <int A, int B>
TEGULA_KERNEL void taken_by_clusters(tg::array<tg::s32, 2> times, tg::array<tg::s64, 4> numbers) {
  tg::kernel(
      {.grid = {{"m", times.dim(0)}, {"n", times.dim(1)}}, .cluster = {{"a", A}, {"b", B}}, .threads = {"wg", 2}}, [=] {
        const auto block = tg::axis_index("a", "b"), wg = tg::axis_index("wg");
        // The first axis runs fastest.
        tg::dynamic_scheduling_loop({"n", "m"}, {}, [&](auto step) {
          const auto [j, i] = step.index;
          if (block == A * B - 1 && wg == 0)
            times[i, j] = times[i, j] + 1;
          numbers[i, j, block, wg] = step.local_index;
        });
      });
}
TEGULA_INSTANTIATE("taken_by_clusters_2", taken_by_clusters<2, 1>);
TEGULA_INSTANTIATE("taken_by_clusters_4", taken_by_clusters<2, 2>);

// One thread, two loops.
TEGULA_KERNEL void taken_twice(tg::array<tg::s32, 1> x, tg::array<tg::s32, 1> y) {
  tg::kernel({.grid = {{"p", x.dim(0)}}}, [=] {
    tg::dynamic_scheduling_loop({"p"}, {}, [&](auto step) { x[step.index[0]] = x[step.index[0]] + 1; });
    tg::dynamic_scheduling_loop({"p"}, {}, [&](auto step) { y[step.index[0]] = y[step.index[0]] + 2; });
  });
}

// The order in which steps come, where programs run one after the other.
TEGULA_KERNEL void order_taken(tg::array<tg::s32, 1> next, tg::array<tg::s32, 1> o) {
  tg::kernel({.grid = {{"p", o.dim(0)}}}, [=] {
    tg::dynamic_scheduling_loop({"p"}, {}, [&](auto step) {
      const auto number = next[0];
      o[step.index[0]] = number;
      next[0] = number + 1;
    });
  });
}

// Triangles: a row of blocks is as long as its number says. Programs go on from step to step with one ring.
TEGULA_KERNEL void triangle(tg::array<const tg::f16, 2> a, tg::array<const tg::f16, 2> b, tg::array<float, 2> o) {
  tg::kernel({.grid = {{"m", tg::cdiv(o.dim(0), 128)}, {"n", tg::cdiv(o.dim(1), 64)}}, .threads = {"wg", 3}}, [=] {
    tg::smem<float, 2, 64, 64> out;
    tg::pipeline_allocations ring;
    tg::dynamic_scheduling_loop({"m", "n"}, {.tiling = {2, 2}}, [&](auto step) {
      const auto [m, n] = step.index;
      tg::emit_pipeline_warp_specialized(
          {.grid = {(m + 1) * 2},
           .wg_axis = "wg",
           .num_compute_wgs = 2,
           .memory_registers = 40,
           .max_concurrent_steps = 3,
           .delay_release = 1,
           .allocations = &ring},
          [&](auto pipeline) {
            const auto wg = tg::axis_index("wg");
            tg::acc<float, 64, 64> acc;
            pipeline([&](auto, auto x, auto y) {
              tg::wgmma(acc, x.at(tg::ds<64>(wg * 64)), y);
              tg::wgmma_wait<1>();
            });
            tg::wait_smem_to_gmem<0>(/*read_only=*/true);
            out.at(wg)[tg::all] = acc[tg::all];
            tg::commit_smem();
            tg::copy_smem_to_gmem(out.at(wg), o.at(tg::ds<64>(m * 128 + wg * 64), tg::ds<64>(n * 64)));
          },
          tg::in<128, 32>(a, [=](auto k) { return tg::index(m, k); }),
          tg::in<32, 64>(b, [=](auto k) { return tg::index(k, n); }));
    });
    tg::wait_smem_to_gmem<0>();
  });
}
