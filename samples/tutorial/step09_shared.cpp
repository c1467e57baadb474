// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tegula/tegula.h>
namespace tg = tegula;

/// max(x, 0): a CTA of one warpgroup for each tile of 64 x 64.
TEGULA_KERNEL tg::array<float, 2> relu(tg::array<const float, 2> x) {
  auto o = tg::empty_like(x);
  tg::kernel({.grid = {{"m", tg::cdiv(x.dim(0), 64)}, {"n", tg::cdiv(x.dim(1), 64)}}}, [=] {
    const auto rows = tg::ds<64>(tg::axis_index("m") * 64), columns = tg::ds<64>(tg::axis_index("n") * 64);
    tg::smem<float, 64, 64> tile;
    tg::barrier full;
    tg::copy_gmem_to_smem(x.at(rows, columns), tile, full); // TMA: begins, and arrives at the barrier when done
    tg::barrier_wait(full);
    tile[tg::all] = tg::maximum(tile[tg::all], 0.0f);
    tg::commit_smem(); // the copy below reads what the line above wrote
    tg::copy_smem_to_gmem(tile, o.at(rows, columns));
    tg::wait_smem_to_gmem<0>(); // the tile is read and written before the CTA ends
  });
  return o;
}
