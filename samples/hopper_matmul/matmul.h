// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A persistent, warp-specialised, clustered matmul for Hopper: D = A @ B, or D = A @ B + C.
//
// A block stays and computes one tile of D after the other. Its last thread only copies, ahead of the others, which
// multiply. The blocks of a cluster work on neighbouring tiles: each fetches a part of what they share, for all of
// them. A tile of D leaves through shared memory while the next one is computed.
#pragma once

#include <tegula/tegula.h>
namespace tg = tegula;

namespace samples {

struct MatmulConfig {
  int tile_m = 128, tile_n = 256, tile_k = 64; // of one block
  int stages = 4;
  int cluster_m = 1, cluster_n = 1;
  int compute_threads = 2; // one above the other
  int store_buffers = 2;   // of each thread: chunks of D that TMA is still storing
  int snake_width = 8;
  bool a_is_transposed = false, b_is_transposed = false;    // a is (K, M), b is (N, K)
  constexpr int rows() const { return tile_m * cluster_m; } // of one cluster
  constexpr int columns() const { return tile_n * cluster_n; }
};

/// What leaves through shared memory at a time: 64 rows of each thread by 128 bytes, or 64 if tiles are not made of
/// those.
constexpr int chunk = 64;
template <MatmulConfig C, class Result>
constexpr int chunk_columns = 128 / int{sizeof(Result)} / (C.tile_n % (128 / int{sizeof(Result)}) == 0 ? 1 : 2);

/// In what products of such elements are summed.
template <class T> struct sum_of {
  using type = float;
};
template <> struct sum_of<tg::s8> {
  using type = tg::s32;
};

/// The tiles of A and B that step k takes, shared along the cluster's other axis.
template <MatmulConfig C, class T> constexpr auto tiles_of_a(const tg::array<const T, 2> &a, tg::s64 m) {
  if constexpr (C.a_is_transposed)
    return tg::in<C.tile_k, C.tile_m>(a, [=](auto k) { return tg::index(k, m); }, {.collective_axes = {"cn"}});
  else
    return tg::in<C.tile_m, C.tile_k>(a, [=](auto k) { return tg::index(m, k); }, {.collective_axes = {"cn"}});
}
template <MatmulConfig C, class T> constexpr auto tiles_of_b(const tg::array<const T, 2> &b, tg::s64 n) {
  if constexpr (C.b_is_transposed)
    return tg::in<C.tile_n, C.tile_k>(b, [=](auto k) { return tg::index(n, k); }, {.collective_axes = {"cm"}});
  else
    return tg::in<C.tile_k, C.tile_n>(b, [=](auto k) { return tg::index(k, n); }, {.collective_axes = {"cm"}});
}

/// A tile as the product takes it.
template <bool IsTransposed, class Tile> constexpr auto &as_operand(const Tile &tile) {
  if constexpr (IsTransposed)
    return tg::transpose_ref(tile);
  else
    return tile;
}

/// Of what is added to the product: 2 of a matrix, 1 of a row, 0 of nothing.
template <class... Added> constexpr int rank_of = 0;
template <class T, int Rank> constexpr int rank_of<tg::array<const T, Rank>> = Rank;

/// Where C arrives: a row in shared memory of its own for each thread, a matrix where D leaves.
template <MatmulConfig C, class Result, int Added> struct Arrival {};
template <MatmulConfig C, class Result> struct Arrival<C, Result, 1> {
  tg::smem<Result, C.compute_threads, C.tile_n> row;
  tg::barrier<C.compute_threads> full;
};
template <MatmulConfig C, class Result> struct Arrival<C, Result, 2> {
  tg::barrier<C.compute_threads * C.store_buffers> full;
};

/// The host's part: `c` is nothing, M x N, or a row of N that is added to all.
///
/// C comes by TMA, to where D leaves, while the products are made: a matrix in chunks, each to the buffer that its sum
/// takes. Edges need no masks: what lies beyond them is 0 and not stored.
template <MatmulConfig C, class A, class B, class Result, class... Added>
constexpr void multiply(tg::array<const A, 2> a, tg::array<const B, 2> b, tg::array<Result, 2> o,
                        tg::s64 multiprocessors, Added... c) {
  using Sum = typename sum_of<A>::type;
  constexpr int added = rank_of<Added...>;
  const auto rows = a.dim(C.a_is_transposed ? 1 : 0), columns = b.dim(C.b_is_transposed ? 0 : 1);
  const auto depth = a.dim(C.a_is_transposed ? 0 : 1);
  tg::check(depth == b.dim(C.b_is_transposed ? 1 : 0), "a and b do not fit: A is M x K, B is K x N");
  tg::check(multiprocessors >= C.cluster_m * C.cluster_n, "there are fewer multiprocessors than blocks in a cluster");
  tg::check(o.dim(0) == rows && o.dim(1) == columns, "o does not fit: it is M x N");
  constexpr int thread_m = C.tile_m / C.compute_threads;
  static_assert(thread_m / chunk * (C.tile_n / chunk_columns<C, Result>) % C.store_buffers == 0,
                "a tile begins with the buffer that has been stored for longest");
  const auto m_tiles = tg::cdiv(rows, C.rows()), n_tiles = tg::cdiv(columns, C.columns());
  const auto k_tiles = tg::cdiv(depth, C.tile_k);

  tg::kernel({.grid = {{"clusters", multiprocessors / (C.cluster_m * C.cluster_n)}},
              .cluster = {{"cm", C.cluster_m}, {"cn", C.cluster_n}},
              .threads = {"wg", C.compute_threads + 1}},
             [=] {
               constexpr int width = chunk_columns<C, Result>, across = C.tile_n / width, buffers = C.store_buffers;
               tg::smem<Result, C.compute_threads, buffers, chunk, width> o_smem;
               Arrival<C, Result, added> arrival;
               tg::pipeline_allocations ring; // outlives the loop: a pipeline copies while the one before it multiplies

               tg::nd_loop({m_tiles * n_tiles}, {.collective_axes = {"clusters"}}, [&](auto step) {
                 const auto [mc, nc] =
                     tg::planar_snake(step.index[0], {m_tiles, n_tiles}, /*minor_dim=*/0, C.snake_width);
                 const auto m = mc * C.cluster_m + tg::axis_index("cm"), n = nc * C.cluster_n + tg::axis_index("cn");

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
                       tg::acc<Sum, thread_m, C.tile_n> acc;

                       constexpr int chunks = thread_m / chunk * across;
                       const auto rows_of = [&](auto i) {
                         return tg::ds<chunk>(m * C.tile_m + wg * thread_m + i / across * chunk);
                       };
                       const auto columns_of = [&](auto i) { return tg::ds<width>(n * C.tile_n + i % across * width); };
                       const auto fetch = [&](auto i) { // chunk i of C
                         (tg::copy_gmem_to_smem(c.at(rows_of(i), columns_of(i)), o_smem.at(wg, i % buffers),
                                                arrival.full.at(wg * buffers + i % buffers)),
                          ...);
                       };

                       pipeline([&](auto k, auto a_smem, auto b_smem) {
                         tg::wgmma(acc, as_operand<C.a_is_transposed>(a_smem).at(tg::ds<thread_m>(wg * thread_m)),
                                   as_operand<C.b_is_transposed>(b_smem));
                         if constexpr (added > 0)
                           if (k == 0) { // The tile before has been read.
                             tg::wait_smem_to_gmem<0>(/*read_only=*/true);
                             tg::commit_smem();
                             if constexpr (added == 2)
                               tg::static_for<buffers>(fetch);
                             else
                               (tg::copy_gmem_to_smem(c.at(tg::ds<C.tile_n>(n * C.tile_n)), arrival.row.at(wg),
                                                      arrival.full.at(wg)),
                                ...);
                           }
                         tg::wgmma_wait<1>();
                       });

                       tg::static_for<chunks>([&](auto i) {
                         constexpr int row = i / across * chunk, column = i % across * width;
                         const auto buffer = o_smem.at(wg, i % buffers);
                         if constexpr (added != 2)
                           tg::wait_smem_to_gmem<buffers - 1>(/*read_only=*/true);
                         const auto sums = acc[tg::ds<chunk>(row), tg::ds<width>(column)];
                         if constexpr (added == 1)
                           if constexpr (i == 0)
                             tg::barrier_wait(arrival.full.at(wg));
                         if constexpr (added == 2)
                           tg::barrier_wait(arrival.full.at(wg * buffers + i % buffers));
                         if constexpr (added == 0)
                           buffer[tg::all] = tg::astype<Result>(sums);
                         else if constexpr (added == 1)
                           buffer[tg::all] = tg::astype<Result>(
                               sums + tg::astype<Sum>(arrival.row.at(wg, tg::ds<width>(column))[tg::all]));
                         else
                           buffer[tg::all] = tg::astype<Result>(sums + tg::astype<Sum>(buffer[tg::all]));
                         tg::commit_smem();
                         tg::copy_smem_to_gmem(buffer, o.at(rows_of(i), columns_of(i)));
                         if constexpr (added == 2)
                           if constexpr (i + buffers < chunks) {
                             tg::wait_smem_to_gmem<0>(/*read_only=*/true);
                             fetch(tg::constant<i + buffers>());
                           }
                       });
                     },
                     tiles_of_a<C>(a, m), tiles_of_b<C>(b, n));
               });
               tg::wait_smem_to_gmem<0>();
             });
}

template <MatmulConfig C, class A, class Result, class B = A>
TEGULA_KERNEL void matmul(tg::array<const A, 2> a, tg::array<const B, 2> b, tg::array<Result, 2> o,
                          tg::s64 multiprocessors) {
  multiply<C>(a, b, o, multiprocessors);
}
/// D = A @ B + C. Rank is that of C: 2, or 1 for a row, a bias of the columns.
template <MatmulConfig C, class A, class Result, int Rank, class B = A>
TEGULA_KERNEL void matmul_plus(tg::array<const A, 2> a, tg::array<const B, 2> b, tg::array<const Result, Rank> c,
                               tg::array<Result, 2> o, tg::s64 multiprocessors) {
  tg::check(a.dim(C.a_is_transposed ? 0 : 1) > 0, "there are no products to add c to");
  if constexpr (Rank == 2)
    tg::check(c.dim(0) == o.dim(0), "c does not fit: it is M x N");
  tg::check(c.dim(Rank - 1) == o.dim(1), "c does not fit: it has N columns");
  multiply<C>(a, b, o, multiprocessors, c);
}

} // namespace samples
