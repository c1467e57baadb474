// Persistent, warp-specialised, clustered matmul for Hopper: two compute threads, one memory thread, multicast of A and B over the cluster.
#include <tegula/tegula.h>
namespace tg = tegula;

struct MatmulConfig {
  int tile_m = 128, tile_n = 256, tile_k = 64;  // of one block
  int stages = 4;
  int cluster_m = 1, cluster_n = 2;
  int epilogue_n = 64;                          // columns that go through SMEM at a time
  int snake_width = 8;
  constexpr int rows() const { return tile_m * cluster_m; }   // of one cluster
  constexpr int columns() const { return tile_n * cluster_n; }
};

template <MatmulConfig C, class T>
TEGULA_KERNEL tg::array<T, 2> hopper_matmul(tg::array<const T, 2> a, tg::array<const T, 2> b, tg::s64 multiprocessors) {
  tg::check(a.dim(1) == b.dim(0), "a and b do not fit: a is (M, K), b is (K, N)");
  constexpr int compute_threads = 2, thread_m = C.tile_m / compute_threads;
  auto o = tg::empty<T>(a.dim(0), b.dim(1));
  const auto m_tiles = tg::cdiv(a.dim(0), C.rows()), n_tiles = tg::cdiv(b.dim(1), C.columns()), k_tiles = tg::cdiv(a.dim(1), C.tile_k);

  tg::kernel({.grid = {{"clusters", multiprocessors / (C.cluster_m * C.cluster_n)}},
              .cluster = {{"cm", C.cluster_m}, {"cn", C.cluster_n}},
              .threads = {"wg", compute_threads + 1}}, [=] {
    tg::smem<T, compute_threads, 2, thread_m, C.epilogue_n> o_smem;  // each compute thread stores through two buffers of its own
    tg::pipeline_allocations ring;                                   // outlives the loop: the pipelines run on into one another

    tg::nd_loop({m_tiles * n_tiles}, {.collective_axes = {"clusters"}}, [&](auto step) {
      const auto [mc, nc] = tg::planar_snake(step.index[0], {m_tiles, n_tiles}, /*minor_dim=*/0, C.snake_width);
      const auto m = mc * C.cluster_m + tg::axis_index("cm"), n = nc * C.cluster_n + tg::axis_index("cn");

      tg::emit_pipeline_warp_specialized(
          {.grid = {k_tiles}, .wg_axis = "wg", .num_compute_wgs = compute_threads, .memory_registers = 40,
           .max_concurrent_steps = C.stages, .delay_release = 1, .allocations = &ring},
          [&](auto pipeline) {  // runs on each compute thread
            const auto wg = tg::axis_index("wg");
            const auto my_rows = tg::ds<thread_m>(wg * thread_m);
            tg::acc<float, thread_m, C.tile_n> acc;

            pipeline([&](auto, auto a_smem, auto b_smem) {
              tg::wgmma(acc, a_smem.at(my_rows), b_smem);
              tg::wgmma_wait<1>();
            });

            constexpr int pieces = C.tile_n / C.epilogue_n;
            tg::static_for<pieces>([&](auto i) {
              const auto buffer = o_smem.at(wg, (step.local_index * pieces + i) % 2);  // goes on from tile to tile: an odd number of pieces is fine
              tg::wait_smem_to_gmem<1>(/*read_only=*/true);
              buffer[tg::all] = tg::astype<T>(acc[tg::all, tg::ds<C.epilogue_n>(i * C.epilogue_n)]);
              tg::commit_smem();
              tg::copy_smem_to_gmem(buffer, o.at(tg::ds<thread_m>(m * C.tile_m + wg * thread_m),
                                                 tg::ds<C.epilogue_n>(n * C.tile_n + i * C.epilogue_n)));
            });
          },
          tg::in<C.tile_m, C.tile_k>(a, [=](auto k) { return tg::index(m, k); }, {.collective_axes = {"cn"}}),
          tg::in<C.tile_k, C.tile_n>(b, [=](auto k) { return tg::index(k, n); }, {.collective_axes = {"cm"}}));
    });
    tg::wait_smem_to_gmem<0>();
  });
  return o;
}
TEGULA_INSTANTIATE("hopper_matmul_bf16_128x256_2x1", hopper_matmul<MatmulConfig{}, tg::bf16>);
TEGULA_INSTANTIATE("hopper_matmul_f16_256x128_1x2",
                   hopper_matmul<MatmulConfig{.tile_m = 256, .tile_n = 128, .cluster_m = 2, .cluster_n = 1}, tg::f16>);
