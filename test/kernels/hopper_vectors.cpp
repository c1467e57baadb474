// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that access arrays by themselves: by vectors where the arrays allow it.
#include <tegula/tegula.h>
namespace tg = tegula;

// Blocks of rows, in windows of several sizes; the last one begins where the caller says.
template <class T> TEGULA_KERNEL void doubled(tg::array<const T, 2> x, tg::array<T, 2> o, tg::s64 start) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "x and o have one shape");
  tg::check(x.dim(1) >= 1536 && start >= 0 && start <= x.dim(1) - 512, "rows hold the windows");
  tg::kernel({.grid = {{"m", x.dim(0)}}}, [=] {
    const auto m = tg::axis_index("m");
    o[m, tg::ds<1024>(0)] = x[m, tg::ds<1024>(0)] + x[m, tg::ds<1024>(0)];
    o[m, tg::ds<512>(start)] = x[m, tg::ds<512>(start)] + x[m, tg::ds<512>(start)];
  });
}
TEGULA_INSTANTIATE("doubled_f32", doubled<float>);
TEGULA_INSTANTIATE("doubled_f16", doubled<tg::f16>);
TEGULA_INSTANTIATE("doubled_s64", doubled<tg::s64>);

// A product whose sums go to an array from registers, two neighbours at a time.
TEGULA_KERNEL void stored(tg::array<const tg::f16, 2> a, tg::array<const tg::f16, 2> b, tg::array<float, 2> o) {
  tg::check(a.dim(0) == 64 && a.dim(1) == 64 && b.dim(0) == 64 && b.dim(1) == 32, "the factors have these shapes");
  tg::kernel([=] {
    tg::smem<tg::f16, 64, 64> left;
    tg::smem<tg::f16, 64, 32> right;
    tg::barrier full{.num_arrivals = 2};
    tg::copy_gmem_to_smem(a.at(tg::ds<64>(0), tg::ds<64>(0)), left, full);
    tg::copy_gmem_to_smem(b.at(tg::ds<64>(0), tg::ds<32>(0)), right, full);
    tg::barrier_wait(full);
    tg::acc<float, 64, 32> acc;
    tg::wgmma(acc, left, right);
    o[tg::ds<64>(0), tg::ds<32>(0)] = acc[tg::all];
  });
}

// What TMA copies is dense, so that threads access it by vectors, too.
TEGULA_KERNEL void halved(tg::array<float, 2> x) {
  tg::check(x.dim(1) >= 512, "rows hold the window");
  tg::kernel({.grid = {{"m", x.dim(0)}}}, [=] {
    tg::smem<float, 512> row;
    tg::barrier full;
    const auto m = tg::axis_index("m");
    const auto all = tg::ds<512>(0);
    tg::copy_gmem_to_smem(x.at(m, all), row, full);
    tg::barrier_wait(full);
    x[m, all] = row[tg::all] * 0.5f;
  });
}

// Sums of all programs, which lanes add V neighbours of each at a time: from where any number of them is aligned, from
// element 4, 2 and 1 on, with an odd part at the end, and under a mask.
template <class T, int V> TEGULA_KERNEL void added(tg::array<const T, 2> x, tg::array<T, 2> o, tg::s64 count) {
  tg::check(o.dim(0) == 6 && o.dim(1) >= 1028 && x.dim(1) >= 1024, "rows hold the windows");
  tg::kernel({.grid = {{"m", x.dim(0)}}}, [=] {
    const auto m = tg::axis_index("m");
    const auto row = tg::layout_cast(x[m, tg::ds<1024>(0)], tg::layout::wg_strided(V));
    tg::atomic_add(o.at(0, tg::ds<1024>(0)), row);
    tg::atomic_add(o.at(1, tg::ds<1024>(4)), row);
    tg::atomic_add(o.at(2, tg::ds<1024>(2)), row);
    tg::atomic_add(o.at(3, tg::ds<1024>(1)), row);
    tg::atomic_add(o.at(4, tg::ds<1001>(8)), x[m, tg::ds<1001>(0)]);
    tg::atomic_add(o.at(5, tg::ds<1024>(0)), row, tg::iota<tg::s64, 1024>() < count);
  });
}
TEGULA_INSTANTIATE("added_f32_x2", added<float, 2>);
TEGULA_INSTANTIATE("added_f32_x4", added<float, 4>);
TEGULA_INSTANTIATE("added_f16_x4", added<tg::f16, 4>);
TEGULA_INSTANTIATE("added_f16_x8", added<tg::f16, 8>);
TEGULA_INSTANTIATE("added_bf16_x8", added<tg::bf16, 8>);

// Blocks of matrices, whose rows are shorter than what the lanes of a thread hold.
template <class T> TEGULA_KERNEL void added_blocks(tg::array<const T, 3> x, tg::array<T, 2> o) {
  tg::check(o.dim(0) == 40 && o.dim(1) >= 80, "the array holds the blocks");
  tg::kernel({.grid = {{"m", x.dim(0)}}}, [=] {
    const auto m = tg::axis_index("m");
    tg::atomic_add(o.at(tg::ds<32>(0), tg::ds<64>(0)), x[m, tg::ds<32>(0), tg::ds<64>(0)]);
    tg::atomic_add(o.at(tg::ds<33>(7), tg::ds<13>(64)), x[m, tg::ds<33>(0), tg::ds<13>(0)]);
  });
}
TEGULA_INSTANTIATE("added_blocks_f32", added_blocks<float>);
TEGULA_INSTANTIATE("added_blocks_f16", added_blocks<tg::f16>);
TEGULA_INSTANTIATE("added_blocks_bf16", added_blocks<tg::bf16>);
