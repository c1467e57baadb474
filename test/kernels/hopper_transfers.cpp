// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What copies do beyond moving: they combine, they fill, they move runs without tensor maps, they give hints to L2.
#include <tegula/tegula.h>
namespace tg = tegula;

// Program p combines window p of x with one window of o, as do all others.
template <class T, tg::reduction_op Op, int M, int N>
TEGULA_KERNEL void reduced(tg::array<const T, 3> x, tg::array<T, 2> o, tg::s64 i, tg::s64 j) {
  tg::kernel({.grid = {{"p", x.dim(0)}}}, [=] {
    tg::smem<T, M, N> window;
    tg::barrier here;
    tg::copy_gmem_to_smem(x.at(tg::axis_index("p"), tg::ds<M>(0), tg::ds<N>(0)), window, here);
    tg::barrier_wait(here);
    tg::copy_smem_to_gmem(window, o.at(tg::ds<M>(i), tg::ds<N>(j)), {.reduction = Op});
    tg::wait_smem_to_gmem<0>();
  });
}
using op = tg::reduction_op;
TEGULA_INSTANTIATE("add_f32", reduced<float, op::add, 16, 32>);
TEGULA_INSTANTIATE("add_f16", reduced<tg::f16, op::add, 7, 24>);
TEGULA_INSTANTIATE("add_bf16", reduced<tg::bf16, op::add, 8, 64>);
TEGULA_INSTANTIATE("add_s32", reduced<tg::s32, op::add, 8, 36>);
TEGULA_INSTANTIATE("add_u32", reduced<tg::u32, op::add, 3, 32>);
TEGULA_INSTANTIATE("add_s64", reduced<tg::s64, op::add, 8, 16>);
TEGULA_INSTANTIATE("add_u64", reduced<tg::u64, op::add, 5, 6>);
TEGULA_INSTANTIATE("min_f16", reduced<tg::f16, op::min, 16, 64>);
TEGULA_INSTANTIATE("max_bf16", reduced<tg::bf16, op::max, 5, 8>);
TEGULA_INSTANTIATE("min_s32", reduced<tg::s32, op::min, 8, 32>);
TEGULA_INSTANTIATE("max_u32", reduced<tg::u32, op::max, 8, 32>);
TEGULA_INSTANTIATE("max_s64", reduced<tg::s64, op::max, 8, 16>);
TEGULA_INSTANTIATE("min_u64", reduced<tg::u64, op::min, 3, 16>);
TEGULA_INSTANTIATE("inc_u32", reduced<tg::u32, op::inc, 8, 32>);
TEGULA_INSTANTIATE("dec_u32", reduced<tg::u32, op::dec, 7, 12>);
TEGULA_INSTANTIATE("and_u32", reduced<tg::u32, op::bitwise_and, 8, 32>);
TEGULA_INSTANTIATE("or_s32", reduced<tg::s32, op::bitwise_or, 8, 32>);
TEGULA_INSTANTIATE("xor_u64", reduced<tg::u64, op::bitwise_xor, 8, 16>);
TEGULA_INSTANTIATE("xor_s64", reduced<tg::s64, op::bitwise_xor, 8, 16>);

// The same of runs, which no tensor map describes: program p adds row p of x to a row of o.
template <class T, tg::reduction_op Op, int N>
TEGULA_KERNEL void reduced_run(tg::array<const T, 2> x, tg::array<T, 2> o, tg::s64 i, tg::s64 j) {
  tg::kernel({.grid = {{"p", x.dim(0)}}}, [=] {
    tg::smem<T, N> row;
    tg::barrier here;
    tg::copy_gmem_to_smem(x.at(tg::axis_index("p"), tg::ds<N>(0)), row, here,
                          {.oob_mode = tg::oob_fill::promise_in_bounds});
    tg::barrier_wait(here);
    tg::copy_smem_to_gmem(row, o.at(i, tg::ds<N>(j)), {.reduction = Op, .oob_mode = tg::oob_fill::promise_in_bounds});
    tg::wait_smem_to_gmem<0>();
  });
}
TEGULA_INSTANTIATE("add_run_f32", reduced_run<float, op::add, 1000>);
TEGULA_INSTANTIATE("add_run_f16", reduced_run<tg::f16, op::add, 264>);
TEGULA_INSTANTIATE("add_run_bf16", reduced_run<tg::bf16, op::add, 8>);
TEGULA_INSTANTIATE("add_run_s64", reduced_run<tg::s64, op::add, 130>);
TEGULA_INSTANTIATE("min_run_f16", reduced_run<tg::f16, op::min, 16>);
TEGULA_INSTANTIATE("max_run_s32", reduced_run<tg::s32, op::max, 12>);
TEGULA_INSTANTIATE("max_run_u64", reduced_run<tg::u64, op::max, 2>);
TEGULA_INSTANTIATE("inc_run_u32", reduced_run<tg::u32, op::inc, 32>);
TEGULA_INSTANTIATE("and_run_u32", reduced_run<tg::u32, op::bitwise_and, 128>);
TEGULA_INSTANTIATE("xor_run_s64", reduced_run<tg::s64, op::bitwise_xor, 18>);

// A run comes in, and goes out to another place: at once, however long it is.
template <class T, int N>
TEGULA_KERNEL void run(tg::array<const T, 2> x, tg::array<T, 2> o, tg::s64 i, tg::s64 j, tg::s64 to_i, tg::s64 to_j) {
  tg::kernel([=] {
    tg::smem<T, N> row;
    tg::barrier here;
    tg::copy_gmem_to_smem(x.at(i, tg::ds<N>(j)), row, here, {.oob_mode = tg::oob_fill::promise_in_bounds});
    tg::barrier_wait(here);
    tg::copy_smem_to_gmem(row, o.at(to_i, tg::ds<N>(to_j)), {.oob_mode = tg::oob_fill::promise_in_bounds});
    tg::wait_smem_to_gmem<0>();
  });
}
TEGULA_INSTANTIATE("run_f32_20000", run<float, 20000>); // more than boxes of a tensor map move
TEGULA_INSTANTIATE("run_u8_48", run<tg::u8, 48>);
TEGULA_INSTANTIATE("run_bf16_8", run<tg::bf16, 8>);
TEGULA_INSTANTIATE("run_f64_126", run<double, 126>);

// Boxes that are promised to lie inside of their arrays.
TEGULA_KERNEL void promised(tg::array<const float, 2> x, tg::array<float, 2> o, tg::s64 i, tg::s64 j, tg::s64 to_i,
                            tg::s64 to_j, bool stores, bool adds) {
  tg::kernel([=] {
    constexpr auto inside = tg::oob_fill::promise_in_bounds;
    tg::smem<float, 4, 8> window;
    tg::barrier here;
    tg::copy_gmem_to_smem(x.at(tg::ds<4>(i), tg::ds<8>(j)), window, here, {.oob_mode = inside});
    tg::barrier_wait(here);
    tg::copy_smem_to_gmem(window, o.at(tg::ds<4>(to_i), tg::ds<8>(to_j)), {.predicate = stores, .oob_mode = inside});
    tg::wait_smem_to_gmem<0>();
    tg::copy_smem_to_gmem(window, o.at(tg::ds<4>(to_i), tg::ds<8>(to_j)),
                          {.predicate = adds, .reduction = tg::reduction_op::add, .oob_mode = inside});
    tg::wait_smem_to_gmem<0>();
  });
}

// An array of six dimensions, of which no tensor map is made: rows of a ring's stages, some of which are not copied.
TEGULA_KERNEL void runs_of_6d(tg::array<const float, 6> x, tg::array<float, 2> o, tg::s64 which) {
  tg::kernel([=] {
    tg::smem<float, 3, 8, 32> stages;
    tg::barrier<3> full{.num_arrivals = 8};
    for (tg::s64 s = 0; s < 3; ++s) {
      stages.at(s)[tg::all] = tg::full<float, 8, 32>(-1.0f);
      tg::commit_smem();
      for (tg::s64 r = 0; r < 8; ++r)
        tg::copy_gmem_to_smem(x.at(s, which, r % 2, r / 2, 1, tg::ds<32>(4 * s)), stages.at(s, r), full.at(s),
                              {.predicate = r != s, .oob_mode = tg::oob_fill::promise_in_bounds});
    }
    for (tg::s64 s = 0; s < 3; ++s) {
      tg::barrier_wait(full.at(s));
      o[tg::ds<8>(8 * s), tg::ds<32>(0)] = stages[s];
    }
  });
}

// What lies outside of a window is NaN.
template <class T, int M, int N>
TEGULA_KERNEL void nan_outside(tg::array<const T, 2> x, tg::array<T, 2> o, tg::s64 i, tg::s64 j) {
  tg::kernel([=] {
    tg::smem<T, M, N> window, zeros;
    tg::barrier here{.num_arrivals = 2};
    tg::copy_gmem_to_smem(x.at(tg::ds<M>(i), tg::ds<N>(j)), window, here, {.oob_mode = tg::oob_fill::nan});
    tg::copy_gmem_to_smem(x.at(tg::ds<M>(i), tg::ds<N>(j)), zeros, here); // Another map of the same array.
    tg::barrier_wait(here);
    o[tg::ds<M>(0), tg::ds<N>(0)] = window[tg::all];
    o[tg::ds<M>(M), tg::ds<N>(0)] = zeros[tg::all];
  });
}
TEGULA_INSTANTIATE("nan_outside_f32_16_32", nan_outside<float, 16, 32>);
TEGULA_INSTANTIATE("nan_outside_f16_5_24", nan_outside<tg::f16, 5, 24>);
TEGULA_INSTANTIATE("nan_outside_bf16_8_64", nan_outside<tg::bf16, 8, 64>);
TEGULA_INSTANTIATE("nan_outside_f64_4_6", nan_outside<double, 4, 6>);

// Hints change nothing that is computed: of copies of boxes and of runs, both ways, of prefetches, and of copies that a
// cluster shares. A window that reaches outside may have anything there, and one that promises not to is all inside.
TEGULA_KERNEL void hinted(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::kernel({.grid = {{"p", x.dim(0) / 16}}, .cluster = {{"c", 2}}}, [=] {
    tg::smem<float, 16, 32> shared, own;
    tg::smem<float, 16, 16> last;
    tg::smem<float, 64> row;
    tg::barrier here{.num_arrivals = 4};
    const auto rows = tg::ds<16>(tg::axis_index("p") * 16);
    tg::async_prefetch(x.at(rows, tg::ds<32>(32)), {.l2_eviction = tg::evict_last});
    tg::copy_gmem_to_smem(x.at(rows, tg::ds<32>(0)), shared, here,
                          {.collective_axes = {"c"}, .l2_eviction = tg::evict_last});
    tg::copy_gmem_to_smem(x.at(rows, tg::ds<32>(32)), own, here,
                          {.oob_mode = tg::oob_fill::promise_in_bounds, .l2_eviction = tg::evict_first});
    tg::copy_gmem_to_smem(x.at(rows, tg::ds<16>(56)), last, here,
                          {.oob_mode = tg::oob_fill::undefined, .l2_eviction = tg::evict_normal});
    tg::copy_gmem_to_smem(x.at(tg::axis_index("p") * 16, tg::ds<64>(0)), row, here,
                          {.oob_mode = tg::oob_fill::promise_in_bounds, .l2_eviction = tg::evict_last});
    tg::barrier_wait(here);
    const auto c = tg::axis_index("c");
    own[tg::all] = own[tg::all] + shared[tg::all];
    last[tg::all] = last[tg::all] + 1.0f;
    tg::commit_smem();
    tg::copy_smem_to_gmem(own, o.at(rows, tg::ds<32>(c * 64)), {.l2_eviction = tg::evict_first});
    tg::copy_smem_to_gmem(last, o.at(rows, tg::ds<16>(c * 64 + 32)), {.l2_eviction = tg::evict_last});
    tg::copy_smem_to_gmem(row.at(tg::ds<16>(0)), o.at(tg::axis_index("p") * 16, tg::ds<16>(c * 64 + 48)),
                          {.oob_mode = tg::oob_fill::promise_in_bounds, .l2_eviction = tg::evict_first});
    tg::wait_smem_to_gmem<0>();
  });
}
