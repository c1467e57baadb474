// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tegula/tegula.h>
namespace tg = tegula;

/// a b: a CTA for each tile of 128 x 128 results. Warpgroups 0 and 1 multiply 64 rows each, warpgroup 2 copies.
TEGULA_KERNEL tg::array<float, 2> matmul(tg::array<const tg::f16, 2> a, tg::array<const tg::f16, 2> b) {
  tg::check(a.dim(1) == b.dim(0), "the inner dimensions of a and b differ");
  auto o = tg::empty<float>(a.dim(0), b.dim(1));
  tg::kernel({.grid = {{"m", tg::cdiv(a.dim(0), 128)}, {"n", tg::cdiv(b.dim(1), 128)}}, .threads = {"wg", 3}}, [=] {
    const auto m = tg::axis_index("m"), n = tg::axis_index("n");
    tg::smem<float, 128, 128> result;
    tg::emit_pipeline_warp_specialized(
        {.grid = {tg::cdiv(a.dim(1), 64)},
         .wg_axis = "wg",
         .num_compute_wgs = 2,
         .memory_registers = 40,
         .max_concurrent_steps = 4,
         .delay_release = 1},
        [&](auto pipeline) { // in each of the two warpgroups that multiply
          const auto row = tg::axis_index("wg") * 64;
          tg::acc<float, 64, 128> acc;
          pipeline([&](auto, auto a_smem, auto b_smem) {
            tg::wgmma(acc, a_smem.at(tg::ds<64>(row)), b_smem);
            tg::wgmma_wait<1>(); // the product of the step before is done: delay_release frees its stage
          });
          const auto mine = result.at(tg::ds<64>(row));
          mine[tg::all] = acc[tg::all];
          tg::commit_smem();
          tg::copy_smem_to_gmem(mine, o.at(tg::ds<64>(m * 128 + row), tg::ds<128>(n * 128)));
          tg::wait_smem_to_gmem<0>();
        },
        tg::in<128, 64>(a, [=](auto k) { return tg::index(m, k); }),
        tg::in<64, 128>(b, [=](auto k) { return tg::index(k, n); }));
  });
  return o;
}
