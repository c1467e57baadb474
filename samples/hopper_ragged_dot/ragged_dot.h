// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of rows in groups, each with a matrix of its own, for Hopper: rows of group g of o are those of x times
// w(g). How many rows a group has is data.
#pragma once

#include <tegula/tegula.h>
namespace tg = tegula;

namespace samples {

struct RaggedDotConfig {
  int tile_m = 128, tile_n = 256, tile_k = 64; // of one block
  int stages = 4;
  int cluster_n = 2;       // blocks that share rows of x
  int compute_threads = 2; // one above the other
  int store_buffers = 2;   // of each thread: chunks of o that TMA is still storing
};

/// Clusters stay, and share the tiles that there are: each takes every `clusters`-th of those of all groups. Those of
/// some columns follow one another, as they share a part of w.
template <RaggedDotConfig C, class Body>
void for_each_tile(const tg::array<const int, 1> &sizes, tg::s64 n_tiles, const Body &body) {
  const int clusters = static_cast<int>(tg::axis_size("clusters"));
  int next = static_cast<int>(tg::axis_index("clusters")), row = 0;
  for (tg::s64 group = 0; group < sizes.dim(0); ++group) {
    const int size = sizes[group], m_tiles = tg::cdiv(size, C.tile_m), tiles = m_tiles * static_cast<int>(n_tiles);
    for (; next < tiles; next += clusters)
      body(group, row + next % m_tiles * C.tile_m, row + size, next / m_tiles);
    next -= tiles;
    row += size;
  }
}

/// x is (rows, K), w is (groups, K, N), o is (rows, N); sizes add up to the rows at most, and what lies behind the last
/// group is not stored. Rows take a multiple of 16 bytes, which TMA copies.
template <RaggedDotConfig C, class T>
TEGULA_KERNEL void ragged_dot(tg::array<const T, 2> x, tg::array<const T, 3> w, tg::array<const int, 1> sizes,
                              tg::array<T, 2> o, tg::s64 multiprocessors) {
  tg::check(x.dim(1) == w.dim(1), "x is (rows, K), and w is (groups, K, N)");
  tg::check(w.dim(0) == sizes.dim(0), "there is a size for each group");
  tg::check(o.dim(0) == x.dim(0) && o.dim(1) == w.dim(2), "o does not fit: it is (rows, N)");
  tg::check(multiprocessors >= C.cluster_n, "there are fewer multiprocessors than blocks in a cluster");
  constexpr int thread_m = C.tile_m / C.compute_threads, chunk = 64;
  static_assert(thread_m == chunk, "a thread has 64 rows");
  const auto n_tiles = tg::cdiv(w.dim(2), C.tile_n * C.cluster_n), k_tiles = tg::cdiv(x.dim(1), C.tile_k);

  tg::kernel({.grid = {{"clusters", multiprocessors / C.cluster_n}},
              .cluster = {{"cn", C.cluster_n}},
              .threads = {"wg", C.compute_threads + 1}},
             [=] {
               tg::smem<T, C.compute_threads, C.store_buffers, chunk, chunk> o_smem;
               tg::pipeline_allocations ring; // outlives the loop: a pipeline copies while the one before it multiplies
               for_each_tile<C>(sizes, n_tiles, [&](tg::s64 group, int row, int end, int nc) {
                 const auto n = nc * C.cluster_n + tg::axis_index("cn");
                 tg::emit_pipeline_warp_specialized(
                     {.grid = {k_tiles},
                      .wg_axis = "wg",
                      .num_compute_wgs = C.compute_threads,
                      .memory_registers = 40,
                      .max_concurrent_steps = C.stages,
                      .delay_release = 1,
                      .allocations = &ring},
                     [&](auto pipeline) { // runs on each compute thread
                       const auto wg = tg::axis_index("wg");
                       tg::acc<float, thread_m, C.tile_n> acc;
                       pipeline([&](auto, auto x_smem, auto w_smem) {
                         tg::wgmma(acc, x_smem.at(tg::ds<thread_m>(wg * thread_m)), w_smem);
                         tg::wgmma_wait<1>();
                       });
                       const int first = row + static_cast<int>(wg) * thread_m;
                       const int rows = tg::minimum(tg::maximum(end - first, 0), chunk);
                       tg::static_for<C.tile_n / chunk>([&](auto i) {
                         const auto buffer = o_smem.at(wg, i % C.store_buffers);
                         tg::wait_smem_to_gmem<C.store_buffers - 1>(/*read_only=*/true);
                         buffer[tg::all] = tg::astype<T>(acc[tg::all, tg::ds<chunk>(i * chunk)]);
                         tg::commit_smem();
                         // Other rows are the next group's: 64 rows, or those of each bit of their number.
                         const auto columns = tg::ds<chunk>(n * C.tile_n + i * chunk);
                         tg::static_for<7>([&](auto bit) {
                           constexpr int count = chunk >> bit;
                           const bool is_there = (rows & count) != 0;
                           const int above = is_there ? rows & -(2 * count) : 0;
                           tg::copy_smem_to_gmem(buffer.at(tg::ds<count>(above)),
                                                 o.at(tg::ds<count>(first + above), columns),
                                                 {.predicate = is_there, .commit_group = false});
                         });
                         tg::commit_smem_to_gmem_group();
                       });
                     },
                     tg::in<C.tile_m, C.tile_k>(x, [=](auto k) { return tg::index(tg::element(row), k); },
                                                {.collective_axes = {"cn"}}),
                     tg::in<tg::squeezed, C.tile_k, C.tile_n>(w, [=](auto k) { return tg::index(group, k, n); }));
               });
               tg::wait_smem_to_gmem<0>();
             });
}

} // namespace samples
