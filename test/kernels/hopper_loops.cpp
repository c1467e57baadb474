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
