// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts of tiles that a program asks for.
#include <tegula/tegula.h>
namespace tg = tegula;

// x + 1 by way of each layout, from the array and from shared memory, and back to the one that loads have.
template <tg::layout Layout, class T, int M, int N>
TEGULA_KERNEL void there_and_back(tg::array<const T, 2> x, tg::array<T, 3> o) {
  tg::kernel([=] {
    tg::smem<T, M, N> y;
    const auto m = tg::ds<M>(0);
    const auto n = tg::ds<N>(0);
    const auto loaded = x[m, n];
    y[tg::all] = loaded;
    o[0, m, n] = tg::layout_cast(loaded, Layout);
    o[1, m, n] = tg::load(x.at(m, n), {.layout = Layout}) + T(1);
    o[2, m, n] = tg::load(y, {.layout = Layout});
    o[3, m, n] = tg::layout_cast(tg::layout_cast(loaded, Layout), tg::layout::wg_strided()) + T(1);
    y[tg::all] = tg::load(x.at(m, n), {.layout = Layout});
    o[4, m, n] = y[tg::all];
  });
}
TEGULA_INSTANTIATE("wgmma_f32", there_and_back<tg::layout::wgmma, float, 64, 40>);
TEGULA_INSTANTIATE("wgmma_8bit_s8", there_and_back<tg::layout::wgmma_8bit, tg::s8, 128, 48>);
TEGULA_INSTANTIATE("upcast_2x_s8", there_and_back<tg::layout::wgmma_upcast_2x, tg::s8, 64, 32>);
TEGULA_INSTANTIATE("upcast_4x_s8", there_and_back<tg::layout::wgmma_upcast_4x, tg::s8, 64, 64>);
TEGULA_INSTANTIATE("transposed_s32", there_and_back<tg::layout::wgmma_transposed, tg::s32, 64, 24>);
TEGULA_INSTANTIATE("mma_lhs_f32", there_and_back<tg::layout::mma_lhs, float, 64, 16>);
TEGULA_INSTANTIATE("mma_rhs_s32", there_and_back<tg::layout::mma_rhs, tg::s32, 32, 24>);
TEGULA_INSTANTIATE("mma_acc_s32", there_and_back<tg::layout::mma_acc, tg::s32, 128, 32>);
TEGULA_INSTANTIATE("strided_s32", there_and_back<tg::layout::wg_strided(4), tg::s32, 32, 48>);
TEGULA_INSTANTIATE("copied_f32", there_and_back<tg::layout::smem_gmem_copy(), float, 32, 64>);
TEGULA_INSTANTIATE("copied_64_s8", there_and_back<tg::layout::smem_gmem_copy(64), tg::s8, 64, 128>);
// Of tilings: wgmma's accumulator, columns of warps, and a layout in which threads hold copies.
constexpr tg::layout rows_of_lanes = tg::layout::tiled(
    {.tiles = {{64, 8}, {16, 8}, {8, 8}, {2}}, .warp_dims = {-7}, .lane_dims = {-3, -2}, .vector_dim = -1});
constexpr tg::layout columns_of_warps =
    tg::layout::tiled({.tiles = {{8, 64}, {8, 16}, {4}}, .warp_dims = {-4}, .lane_dims = {-3, -2}, .vector_dim = -1});
constexpr tg::layout copied_rows = tg::layout::tiled(
    {.tiles = {{16, 16}, {4, 16}, {2}}, .warp_dims = {-5}, .lane_dims = {tg::replicated(4), -2}, .vector_dim = -1});
constexpr tg::layout down_columns =
    tg::layout::tiled({.tiles = {{32, 16}, {4, 4}}, .warp_dims = {-3}, .lane_dims = {-4, -1}, .vector_dim = -2});
TEGULA_INSTANTIATE("rows_of_lanes_f32", there_and_back<rows_of_lanes, float, 128, 40>);
TEGULA_INSTANTIATE("columns_of_warps_s8", there_and_back<columns_of_warps, tg::s8, 32, 64>);
TEGULA_INSTANTIATE("copied_rows_s32", there_and_back<copied_rows, tg::s32, 32, 48>);
TEGULA_INSTANTIATE("down_columns_f32", there_and_back<down_columns, float, 64, 16>);

// What reductions leave of tilings: each row times one number, plus one for each column.
template <tg::layout Layout>
TEGULA_KERNEL void scaled_by(tg::array<const float, 2> x, tg::array<const float, 1> rows,
                             tg::array<const float, 1> columns, tg::array<float, 2> o, tg::array<float, 1> sums) {
  tg::kernel([=] {
    const auto m = tg::ds<64>(0);
    const auto n = tg::ds<32>(0);
    const auto scale = tg::load(rows.at(m), {.layout = Layout.reduce(1)});
    const auto added = tg::layout_cast(columns[n], Layout.reduce(0));
    const auto result = tg::load(x.at(m, n), {.layout = Layout}) * scale[tg::all, tg::newaxis] + added;
    o[m, n] = result;
    sums[m] = tg::layout_cast(tg::sum<1>(result), Layout.reduce(1));
  });
}
TEGULA_INSTANTIATE("scaled_rows_of_lanes", scaled_by<rows_of_lanes>);
TEGULA_INSTANTIATE("scaled_copied_rows", scaled_by<copied_rows>);
TEGULA_INSTANTIATE("scaled_down_columns", scaled_by<down_columns>);

// 8 bits widened to 16 on their way to the tensor core: (a as bf16) b.
TEGULA_KERNEL void widened(tg::array<const tg::s8, 2> a, tg::array<const tg::bf16, 2> b, tg::array<float, 2> o) {
  tg::kernel([=] {
    tg::smem<tg::s8, 64, 64> x;
    tg::smem<tg::bf16, 64, 48> y;
    tg::barrier here{.num_arrivals = 2};
    const auto all = tg::ds<64>(0);
    const auto n = tg::ds<48>(0);
    tg::copy_gmem_to_smem(a.at(all, all), x, here);
    tg::copy_gmem_to_smem(b.at(all, n), y, here);
    tg::barrier_wait(here);
    const auto wide = tg::astype<tg::bf16>(tg::astype<float>(tg::load(x, {.layout = tg::layout::wgmma_upcast_2x})));
    tg::acc<float, 64, 48> acc;
    tg::wgmma(acc, wide, y);
    o[all, n] = acc[tg::all];
  });
}

// Vectors that lie as what reductions leave of accumulators: each row times one number, plus one for each column.
TEGULA_KERNEL void scaled(tg::array<const tg::bf16, 2> a, tg::array<const tg::bf16, 2> b,
                          tg::array<const float, 1> rows, tg::array<const float, 1> columns, tg::array<float, 2> o,
                          tg::array<float, 1> sums) {
  tg::kernel([=] {
    tg::smem<tg::bf16, 64, 64> x, y;
    tg::barrier here{.num_arrivals = 2};
    const auto all = tg::ds<64>(0);
    tg::copy_gmem_to_smem(a.at(all, all), x, here);
    tg::copy_gmem_to_smem(b.at(all, all), y, here);
    tg::barrier_wait(here);
    tg::acc<float, 64, 64> acc;
    tg::wgmma(acc, x, y);
    const auto scale = tg::load(rows.at(all), {.layout = tg::layout::wgmma.reduce(1)});
    const auto added = tg::layout_cast(columns[all], tg::layout::wgmma.reduce(0));
    const auto result = acc[tg::all] * scale[tg::all, tg::newaxis] + added;
    o[all, all] = result;
    sums[all] = tg::layout_cast(tg::sum<1>(result), tg::layout::wgmma.reduce(1));
  });
}
