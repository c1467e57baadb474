// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product of any shape by programs that stay: two threads of a block compute and one copies, the blocks of a cluster
// share what they read.
#pragma once

#include <tegula/tegula.h>
namespace tg = tegula;

struct Staying {
  int tile_k, depth;
  int cluster_m = 1, cluster_n = 1;
  bool b_is_transposed = false;
};

template <Staying C> constexpr auto tiles_of_b(const tg::array<const tg::f16, 2> &b, tg::s64 n) {
  if constexpr (C.b_is_transposed)
    return tg::in<64, C.tile_k>(b, [=](auto k) { return tg::index(n, k); }, {.collective_axes = {"cm"}});
  else
    return tg::in<C.tile_k, 64>(b, [=](auto k) { return tg::index(k, n); }, {.collective_axes = {"cm"}});
}

template <Staying C>
TEGULA_KERNEL void staying_product(tg::array<const tg::f16, 2> a, tg::array<const tg::f16, 2> b,
                                   tg::array<tg::f16, 2> o, tg::s64 clusters) {
  const auto m_tiles = tg::cdiv(o.dim(0), 128 * C.cluster_m), n_tiles = tg::cdiv(o.dim(1), 64 * C.cluster_n);
  const auto k_tiles = tg::cdiv(a.dim(1), C.tile_k);
  tg::kernel(
      {.grid = {{"clusters", clusters}}, .cluster = {{"cm", C.cluster_m}, {"cn", C.cluster_n}}, .threads = {"wg", 3}},
      [=] {
        tg::smem<tg::f16, 2, 64, 64> out;
        tg::pipeline_allocations ring;
        tg::nd_loop({m_tiles * n_tiles}, {.collective_axes = {"clusters"}}, [&](auto step) {
          const auto [mc, nc] = tg::planar_snake(step.index[0], {m_tiles, n_tiles}, /*minor_dim=*/1, /*tile_width=*/2);
          const auto m = mc * C.cluster_m + tg::axis_index("cm"), n = nc * C.cluster_n + tg::axis_index("cn");
          tg::emit_pipeline_warp_specialized(
              {.grid = {k_tiles},
               .wg_axis = "wg",
               .num_compute_wgs = 2,
               .memory_registers = 40,
               .max_concurrent_steps = C.depth,
               .delay_release = 1,
               .allocations = &ring},
              [&](auto pipeline) {
                const auto wg = tg::axis_index("wg");
                tg::acc<float, 64, 64> acc;
                pipeline([&](auto, auto x, auto y) {
                  if constexpr (C.b_is_transposed)
                    tg::wgmma(acc, x.at(tg::ds<64>(wg * 64)), tg::transpose_ref(y));
                  else
                    tg::wgmma(acc, x.at(tg::ds<64>(wg * 64)), y);
                  tg::wgmma_wait<1>();
                });
                tg::wait_smem_to_gmem<0>(/*read_only=*/true);
                out.at(wg)[tg::all] = tg::astype<tg::f16>(acc[tg::all]);
                tg::commit_smem();
                tg::copy_smem_to_gmem(out.at(wg), o.at(tg::ds<64>(m * 128 + wg * 64), tg::ds<64>(n * 64)));
              },
              tg::in<128, C.tile_k>(a, [=](auto k) { return tg::index(m, k); }, {.collective_axes = {"cn"}}),
              tiles_of_b<C>(b, n));
        });
        tg::wait_smem_to_gmem<0>();
      });
}
