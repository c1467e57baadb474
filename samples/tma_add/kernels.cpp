// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tegula/tegula.h>
namespace tg = tegula;

/// The rows and columns of a tile.
constexpr int side = 64;

/// x + y: a block for every tile.
TEGULA_KERNEL tg::array<float, 2> add_tiles(tg::array<const float, 2> x, tg::array<const float, 2> y) {
  tg::check(x.dim(0) == y.dim(0) && x.dim(1) == y.dim(1), "x and y differ in shape");
  auto o = tg::empty_like(x);
  tg::kernel({.grid = {{"m", tg::cdiv(x.dim(0), side)}, {"n", tg::cdiv(x.dim(1), side)}}}, [=] {
    const auto rows = tg::ds<side>(tg::axis_index("m") * side), columns = tg::ds<side>(tg::axis_index("n") * side);
    tg::smem<float, side, side> a, b;
    tg::barrier here{.num_arrivals = 2}; // one for each copy
    tg::copy_gmem_to_smem(x.at(rows, columns), a, here);
    tg::copy_gmem_to_smem(y.at(rows, columns), b, here);
    tg::barrier_wait(here);
    a[tg::all] += b[tg::all];
    tg::commit_smem(); // so that the copy sees the sums
    tg::copy_smem_to_gmem(a, o.at(rows, columns));
    tg::wait_smem_to_gmem<0>();
  });
  return o;
}

/// x + y: blocks that stay. While one adds, its next tiles come and its last one goes.
TEGULA_KERNEL tg::array<float, 2> add_stream(tg::array<const float, 2> x, tg::array<const float, 2> y,
                                             tg::s64 multiprocessors) {
  tg::check(x.dim(0) == y.dim(0) && x.dim(1) == y.dim(1), "x and y differ in shape");
  tg::check(multiprocessors > 0, "there is no multiprocessor");
  auto o = tg::empty_like(x);
  const auto m = tg::cdiv(x.dim(0), side), n = tg::cdiv(x.dim(1), side);
  tg::kernel({.grid = {{"block", multiprocessors}}}, [=] {
    const auto block = tg::axis_index("block"), blocks = tg::axis_size("block");
    // The block's i-th tile is the (block + i * blocks)-th of all.
    const auto tile = [=](auto i) {
      const auto number = block + i * blocks;
      return tg::index(number / n, number % n);
    };
    tg::emit_pipeline(
        {.grid = {tg::cdiv(m * n - block, blocks)}, .max_concurrent_steps = 4},
        [](auto, auto a, auto b, auto sum) { sum[tg::all] = a[tg::all] + b[tg::all]; }, tg::in<side, side>(x, tile),
        tg::in<side, side>(y, tile), tg::out<side, side>(o, tile));
  });
  return o;
}
