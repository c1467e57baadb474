// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of rows in groups, each with a matrix of its own, for Hopper: rows of group g of o are those of x times
// w(g). How many rows a group has is data.
#pragma once

#include <tegula/tegula.h>
namespace tg = tegula;

namespace samples {

struct RaggedDotConfig {
  int tile_n = 256, tile_k = 64; // of one block, of 128 rows
  int stages = 4;
  int store_buffers = 2; // of each thread: chunks of o that TMA is still storing
};

/// Blocks stay, and share the tiles that there are: each takes every `blocks`-th of those of all groups. Tiles of some
/// columns are neighbours in that order, as they share a part of w.
template <class Body>
void for_each_tile(const tg::array<const int, 1> &sizes, int tile_m, tg::s64 n_tiles, const Body &body) {
  const int blocks = static_cast<int>(tg::axis_size("block"));
  int next = static_cast<int>(tg::axis_index("block")), row = 0;
  for (tg::s64 group = 0; group < sizes.dim(0); ++group) {
    const int size = sizes[group], m_tiles = tg::cdiv(size, tile_m), tiles = m_tiles * static_cast<int>(n_tiles);
    for (; next < tiles; next += blocks)
      body(group, row + next % m_tiles * tile_m, row + size, next / m_tiles);
    next -= tiles;
    row += size;
  }
}

/// Stores the first rows of a buffer by TMA: all 64, or eights, and those of each bit of their number that is left.
template <class Buffer, class T, class Columns>
void store_rows(const Buffer &buffer, const tg::array<T, 2> &o, int first, int rows, const Columns &columns) {
  constexpr int all = 64, many = 8;
  const auto store = [&](auto count, int above, bool is_there) {
    tg::copy_smem_to_gmem(buffer.at(tg::ds<count>(above)), o.at(tg::ds<count>(first + above), columns),
                          {.predicate = is_there, .commit_group = false});
  };
  store(tg::constant<all>{}, 0, rows == all);
  if (rows < all) {
    for (int above = 0; above < rows / many * many; above += many)
      store(tg::constant<many>{}, above, true);
    tg::static_for<3>([&](auto bit) {
      constexpr int count = 1 << bit;
      const bool is_there = (rows & count) != 0;
      store(tg::constant<count>{}, is_there ? rows / (2 * count) * (2 * count) : 0, is_there);
    });
  }
  tg::commit_smem_to_gmem_group();
}

/// x is (rows, K), w is (groups, K, N), o is (rows, N); sizes add up to the rows at most, and what lies behind the last
/// group is not stored. Rows take a multiple of 16 bytes, which TMA copies.
template <RaggedDotConfig C, class T>
TEGULA_KERNEL void ragged_dot(tg::array<const T, 2> x, tg::array<const T, 3> w, tg::array<const int, 1> sizes,
                              tg::array<T, 2> o, tg::s64 multiprocessors) {
  tg::check(x.dim(1) == w.dim(1), "x is (rows, K), and w is (groups, K, N)");
  tg::check(w.dim(0) == sizes.dim(0), "there is a size for each group");
  tg::check(o.dim(0) == x.dim(0) && o.dim(1) == w.dim(2), "o does not fit: it is (rows, N)");
  tg::check(multiprocessors > 0, "there is no multiprocessor");
  constexpr int threads = 2, chunk = 64, tile_m = threads * chunk;
  const auto n_tiles = tg::cdiv(w.dim(2), C.tile_n), k_tiles = tg::cdiv(x.dim(1), C.tile_k);

  tg::kernel({.grid = {{"block", multiprocessors}}, .threads = {"wg", threads + 1}}, [=] {
    tg::smem<T, threads, C.store_buffers, chunk, chunk> o_smem;
    tg::pipeline_allocations ring; // outlives the loop: a pipeline copies while the one before it multiplies
    for_each_tile(sizes, tile_m, n_tiles, [&](tg::s64 group, int row, int end, int n) {
      tg::emit_pipeline_warp_specialized(
          {.grid = {k_tiles},
           .wg_axis = "wg",
           .num_compute_wgs = threads,
           .memory_registers = 40,
           .max_concurrent_steps = C.stages,
           .delay_release = 1,
           .allocations = &ring},
          [&](auto pipeline) { // runs on each compute thread
            const int wg = static_cast<int>(tg::axis_index("wg")), first = row + wg * chunk;
            tg::acc<float, chunk, C.tile_n> acc;
            pipeline([&](auto, auto x_smem, auto w_smem) {
              tg::wgmma(acc, x_smem.at(tg::ds<chunk>(wg * chunk)), w_smem);
              tg::wgmma_wait<1>();
            });
            const int rows = tg::minimum(tg::maximum(end - first, 0), chunk); // Behind are the next group's.
            tg::static_for<C.tile_n / chunk>([&](auto i) {
              const auto buffer = o_smem.at(wg, i % C.store_buffers);
              tg::wait_smem_to_gmem<C.store_buffers - 1>(/*read_only=*/true);
              buffer[tg::all] = tg::astype<T>(acc[tg::all, tg::ds<chunk>(i * chunk)]);
              tg::commit_smem();
              store_rows(buffer, o, first, rows, tg::ds<chunk>(n * C.tile_n + i * chunk));
            });
          },
          tg::in<tile_m, C.tile_k>(x, [=](auto k) { return tg::index(tg::element(row), k); }),
          tg::in<tg::squeezed, C.tile_k, C.tile_n>(w, [=](auto k) { return tg::index(group, k, n); }));
    });
    tg::wait_smem_to_gmem<0>();
  });
}

} // namespace samples
