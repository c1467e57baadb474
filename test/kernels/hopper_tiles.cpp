// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What threads compute of tiles in layouts that a program asks for, and the control flow around it.
#include <tegula/tegula.h>
namespace tg = tegula;

// ---- Reductions -----------------------------------------------------------------------------------------------------

// Of rows, of columns and of all.
template <tg::layout Layout, class T>
TEGULA_KERNEL void reduced(tg::array<const T, 2> x, tg::array<T, 2> rows, tg::array<T, 2> columns, tg::array<T, 1> o) {
  tg::kernel([=] {
    const auto m = tg::ds<128>(0);
    const auto n = tg::ds<64>(0);
    const auto tile = tg::load(x.at(m, n), {.layout = Layout});
    rows[0, m] = tg::sum<1>(tile);
    rows[1, m] = tg::max<1>(tile);
    rows[2, m] = tg::min<1>(tile);
    columns[0, n] = tg::sum<0>(tile);
    columns[1, n] = tg::max<0>(tile);
    columns[2, n] = tg::min<0>(tile);
    o[0] = tg::sum(tile);
    o[1] = tg::max(tile);
    o[2] = tg::min(tile);
  });
}
constexpr tg::layout copied_rows = tg::layout::tiled(
    {.tiles = {{16, 16}, {4, 16}, {2}}, .warp_dims = {-5}, .lane_dims = {tg::replicated(4), -2}, .vector_dim = -1});
TEGULA_INSTANTIATE("reduced_wgmma_f32", reduced<tg::layout::wgmma, float>);
TEGULA_INSTANTIATE("reduced_wgmma_s32", reduced<tg::layout::wgmma, tg::s32>);
TEGULA_INSTANTIATE("reduced_wgmma_8bit_u32", reduced<tg::layout::wgmma_8bit, tg::u32>);
TEGULA_INSTANTIATE("reduced_transposed_f16", reduced<tg::layout::wgmma_transposed, tg::f16>);
TEGULA_INSTANTIATE("reduced_mma_acc_s16", reduced<tg::layout::mma_acc, tg::s16>);
TEGULA_INSTANTIATE("reduced_strided_s32", reduced<tg::layout::wg_strided(4), tg::s32>);
TEGULA_INSTANTIATE("reduced_copied_f32", reduced<tg::layout::smem_gmem_copy(), float>);
TEGULA_INSTANTIATE("reduced_tiled_u32", reduced<copied_rows, tg::u32>);

// Of four dimensions, along some of them.
TEGULA_KERNEL void reduced_batches(tg::array<const int, 4> x, tg::array<int, 2> o, tg::array<int, 3> p) {
  tg::kernel([=] {
    const auto a = tg::ds<2>(0);
    const auto b = tg::ds<4>(0);
    const auto c = tg::ds<8>(0);
    const auto d = tg::ds<32>(0);
    const auto tile = x[a, b, c, d];
    o[b, d] = tg::sum<0, 2>(tile);
    p[a, b, c] = tg::max<3>(tile);
  });
}

// ---- Shapes ---------------------------------------------------------------------------------------------------------

// Numbers of rows and columns, which no memory has.
template <class T> TEGULA_KERNEL void numbered(tg::array<T, 3> o) {
  tg::kernel([=] {
    const auto all = tg::ds<128>(0);
    o[0, all, all] = tg::layout_cast(tg::broadcasted_iota<T, 0, 128, 128>(), tg::layout::wgmma);
    o[1, all, all] = tg::layout_cast(tg::broadcasted_iota<T, 1, 128, 128>(), tg::layout::wgmma);
  });
}
TEGULA_INSTANTIATE("numbered_bf16", numbered<tg::bf16>);
TEGULA_INSTANTIATE("numbered_s16", numbered<tg::s16>);
TEGULA_INSTANTIATE("numbered_u16", numbered<tg::u16>);

// A row for each row of matrices, and of batches.
TEGULA_KERNEL void broadcast(tg::array<const float, 2> x, tg::array<const float, 3> y, tg::array<float, 2> o,
                             tg::array<float, 3> p, float number) {
  tg::kernel([=] {
    const auto n = tg::ds<128>(0);
    const auto row = tg::load(x.at(0, n), {.layout = tg::layout::wg_strided()});
    o[tg::ds<64>(0), n] = row[tg::newaxis, tg::all] + x[tg::ds<64>(0), n];
    p[tg::ds<2>(0), tg::ds<4>(0), n] = x[tg::ds<1>(0), n] * y[tg::ds<2>(0), tg::ds<4>(0), n] + number;
  });
}

// Functions of shapes that need no other element: of a matrix's halves, of its rows and of numbers.
TEGULA_KERNEL void shaped(tg::array<const float, 2> x, tg::array<const int, 1> numbers, tg::array<float, 2> o,
                          tg::array<float, 2> hot) {
  tg::kernel([=] {
    const auto m = tg::ds<64>(0);
    const auto n = tg::ds<64>(0);
    const auto [left, right] = tg::split<1, 2>(x[m, tg::ds<128>(0)]);
    o[m, n] = left * right + tg::expand_dims<0>(x[5, n]) + tg::broadcast_to<64, 64>(x[tg::ds<1>(7), n]);
    hot[m, tg::ds<32>(0)] = tg::one_hot<float, 32>(numbers[m]);
  });
}

// ---- Control flow ---------------------------------------------------------------------------------------------------

// Halves a tile until a number of its row says so: a loop whose end depends on what is loaded.
TEGULA_KERNEL void halved_often(tg::array<const float, 2> x, tg::array<const int, 1> times, tg::array<float, 2> o) {
  tg::check(x.dim(1) == 128 && times.dim(0) == x.dim(0), "a row has 128 elements and a number");
  tg::kernel({.grid = {{"m", x.dim(0)}}}, [=] {
    const auto m = tg::axis_index("m");
    auto row = x[m, tg::ds<128>(0)];
    int left = times[m];
    while (left > 0) {
      row = row * 0.5f;
      --left;
    }
    o[m, tg::ds<128>(0)] = row;
  });
}

// Each way of a branch has shared memory and a barrier of its own.
TEGULA_KERNEL void either(tg::array<const int, 2> x, tg::array<int, 2> o) {
  tg::check(x.dim(1) == 256, "a row has 256 elements");
  tg::kernel({.grid = {{"m", x.dim(0)}}}, [=] {
    const auto m = tg::axis_index("m");
    const auto all = tg::ds<256>(0);
    if (m % 2 == 0) {
      tg::smem<int, 256> even;
      tg::barrier here;
      tg::copy_gmem_to_smem(x.at(m, all), even, here);
      tg::barrier_wait(here);
      o[m, all] = even[tg::all] + 1;
    } else {
      tg::smem<int, 2, 128> odd;
      tg::barrier<2> here;
      for (int half = 0; half < 2; ++half)
        tg::copy_gmem_to_smem(x.at(m, tg::ds<128>(128 * half)), odd.at(half), here.at(half));
      for (int half = 0; half < 2; ++half) {
        tg::barrier_wait(here.at(half));
        o[m, tg::ds<128>(128 * half)] = odd[half] * 2;
      }
    }
  });
}
