// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies between arrays and shared memory, and what a thread itself reads and writes there.
#include <tegula/tegula.h>
namespace tg = tegula;

// What a copy brings of a window that begins anywhere: also before the array, or behind it.
template <class T, int N> TEGULA_KERNEL void window_1d(tg::array<const T, 1> x, tg::array<T, 1> o, tg::s64 i) {
  tg::kernel([=] {
    tg::smem<T, N> window;
    tg::barrier here;
    tg::copy_gmem_to_smem(x.at(tg::ds<N>(i)), window, here);
    tg::barrier_wait(here);
    o[tg::ds<N>(0)] = window[tg::all];
  });
}
TEGULA_INSTANTIATE("window_f32_64", window_1d<float, 64>);
TEGULA_INSTANTIATE("window_s32_512", window_1d<tg::s32, 512>);
TEGULA_INSTANTIATE("window_u8_48", window_1d<tg::u8, 48>);
TEGULA_INSTANTIATE("window_f32_1000", window_1d<float, 1000>); // of copies of 256, 256, 256 and 232

template <class T, int M, int N>
TEGULA_KERNEL void window_2d(tg::array<const T, 2> x, tg::array<T, 2> o, tg::s64 i, tg::s64 j) {
  tg::kernel([=] {
    tg::smem<T, M, N> window;
    tg::barrier here;
    tg::copy_gmem_to_smem(x.at(tg::ds<M>(i), tg::ds<N>(j)), window, here);
    tg::barrier_wait(here);
    o[tg::ds<M>(0), tg::ds<N>(0)] = window[tg::all];
  });
}
TEGULA_INSTANTIATE("window_f32_16_32", window_2d<float, 16, 32>);       // swizzled by 128 bytes
TEGULA_INSTANTIATE("window_s32_24_16", window_2d<tg::s32, 24, 16>);     // by 64
TEGULA_INSTANTIATE("window_bf16_8_48", window_2d<tg::bf16, 8, 48>);     // by 32, in three parts
TEGULA_INSTANTIATE("window_bf16_40_256", window_2d<tg::bf16, 40, 256>); // by 128, in four
TEGULA_INSTANTIATE("window_f16_5_24", window_2d<tg::f16, 5, 24>);       // not swizzled
TEGULA_INSTANTIATE("window_u8_16_160", window_2d<tg::u8, 16, 160>);
TEGULA_INSTANTIATE("window_f32_512_4", window_2d<float, 512, 4>);     // more rows than one copy moves
TEGULA_INSTANTIATE("window_bf16_3_320", window_2d<tg::bf16, 3, 320>); // of copies of 256 and 64 in each row

// Windows that no box of 256 x 256 holds come in, and go out to where a second window begins.
template <class T, int M, int N>
TEGULA_KERNEL void large_2d(tg::array<const T, 2> x, tg::array<T, 2> o, tg::array<T, 2> copied, tg::s64 i, tg::s64 j,
                            tg::s64 to_i, tg::s64 to_j) {
  tg::kernel([=] {
    tg::smem<T, M, N> window;
    tg::barrier here;
    tg::copy_gmem_to_smem(x.at(tg::ds<M>(i), tg::ds<N>(j)), window, here);
    tg::barrier_wait(here);
    for (tg::s64 row = 0; row < M; ++row)
      o[row, tg::ds<N>(0)] = window[row];
    tg::copy_smem_to_gmem(window, copied.at(tg::ds<M>(to_i), tg::ds<N>(to_j)));
    tg::wait_smem_to_gmem<0>();
  });
}
TEGULA_INSTANTIATE("large_f32_258_16", large_2d<float, 258, 16>); // 256 rows and 2
TEGULA_INSTANTIATE("large_f32_257_32", large_2d<float, 257, 32>);
TEGULA_INSTANTIATE("large_bf16_4_520", large_2d<tg::bf16, 4, 520>); // row by row: 256, 256 and 8 columns
TEGULA_INSTANTIATE("large_f32_4_260", large_2d<float, 4, 260>);
TEGULA_INSTANTIATE("large_u8_3_272", large_2d<tg::u8, 3, 272>);
TEGULA_INSTANTIATE("large_bf16_264_128", large_2d<tg::bf16, 264, 128>); // swizzled: 256 rows and 8 of two panels
TEGULA_INSTANTIATE("large_s32_520_8", large_2d<tg::s32, 520, 8>);       // swizzled by 32 bytes

template <class T, int L, int M, int N>
TEGULA_KERNEL void large_3d(tg::array<const T, 3> x, tg::array<T, 3> o, tg::s64 h, tg::s64 i, tg::s64 j) {
  tg::kernel([=] {
    tg::smem<T, L, M, N> window;
    tg::barrier here;
    tg::copy_gmem_to_smem(x.at(tg::ds<L>(h), tg::ds<M>(i), tg::ds<N>(j)), window, here);
    tg::barrier_wait(here);
    for (tg::s64 plane = 0; plane < L; ++plane)
      for (tg::s64 row = 0; row < M; ++row)
        o[plane, row, tg::ds<N>(0)] = window[plane, row];
  });
}
TEGULA_INSTANTIATE("large_f32_2_257_4", large_3d<float, 2, 257, 4>); // planes of 257 rows
TEGULA_INSTANTIATE("large_bf16_2_3_264", large_3d<tg::bf16, 2, 3, 264>);

// A ring whose stages are filled one by one.
TEGULA_KERNEL void large_stages(tg::array<const tg::bf16, 2> x, tg::array<tg::bf16, 2> o) {
  tg::kernel([=] {
    tg::smem<tg::bf16, 2, 3, 264> stages;
    tg::barrier<2> full;
    for (tg::s64 i = 0; i < 2; ++i)
      tg::copy_gmem_to_smem(x.at(tg::ds<3>(3 * i), tg::ds<264>(0)), stages.at(i), full.at(i));
    for (tg::s64 i = 0; i < 2; ++i) {
      tg::barrier_wait(full.at(i));
      for (tg::s64 row = 0; row < 3; ++row)
        o[3 * i + row, tg::ds<264>(0)] = stages[i, row];
    }
  });
}

template <class T, int L, int M, int N>
TEGULA_KERNEL void window_3d(tg::array<const T, 3> x, tg::array<T, 3> o, tg::s64 h, tg::s64 i, tg::s64 j) {
  tg::kernel([=] {
    tg::smem<T, L, M, N> window;
    tg::barrier here;
    tg::copy_gmem_to_smem(x.at(tg::ds<L>(h), tg::ds<M>(i), tg::ds<N>(j)), window, here);
    tg::barrier_wait(here);
    o[tg::ds<L>(0), tg::ds<M>(0), tg::ds<N>(0)] = window[tg::all];
  });
}
TEGULA_INSTANTIATE("window_f32_3_8_32", window_3d<float, 3, 8, 32>);
TEGULA_INSTANTIATE("window_bf16_2_5_8", window_3d<tg::bf16, 2, 5, 8>);

// A plane of a block along the middle dimension, and a row of it.
TEGULA_KERNEL void plane_of_3d(tg::array<const tg::f16, 3> x, tg::array<tg::f16, 2> o, tg::s64 h, tg::s64 i,
                               tg::s64 j) {
  tg::kernel([=] {
    tg::smem<tg::f16, 8, 64> plane;
    tg::smem<tg::f16, 64> row;
    tg::barrier here{.num_arrivals = 2};
    tg::copy_gmem_to_smem(x.at(tg::ds<8>(h), i, tg::ds<64>(j)), plane, here);
    tg::copy_gmem_to_smem(x.at(h, i, tg::ds<64>(j)), row, here);
    tg::barrier_wait(here);
    o[tg::ds<8>(0), tg::ds<64>(0)] = plane[tg::all];
    o[8, tg::ds<64>(0)] = row[tg::all];
  });
}

// Copies of several arrays on one barrier, in two rounds; where `chosen` is false the last one arrives without bytes.
TEGULA_KERNEL void several_on_one_barrier(tg::array<const float, 2> x, tg::array<const tg::u8, 1> y,
                                          tg::array<const tg::bf16, 2> z, tg::array<float, 2> o, bool chosen) {
  tg::kernel([=] {
    tg::smem<float, 8, 16> a;
    tg::smem<tg::u8, 16> b;
    tg::smem<tg::bf16, 8, 16> c;
    tg::barrier here{.num_arrivals = 3};
    for (tg::s64 round = 0; round < 2; ++round) {
      c[tg::all] = tg::full<tg::bf16, 8, 16>(-1.0f);
      tg::commit_smem();
      tg::copy_gmem_to_smem(x.at(tg::ds<8>(0), tg::ds<16>(16 * round)), a, here);
      tg::copy_gmem_to_smem(y.at(tg::ds<16>(16 * round)), b, here);
      tg::copy_gmem_to_smem(z.at(tg::ds<8>(0), tg::ds<16>(16 * round)), c, here, {.predicate = chosen});
      tg::barrier_wait(here);
      o[tg::ds<8>(8 * round), tg::ds<16>(0)] =
          a[tg::all] + tg::astype<float>(b[tg::all]) * tg::astype<float>(c[tg::all]);
    }
  });
}

// The programs of a grid bring an array chunk by chunk, two copies ahead.
TEGULA_KERNEL void ahead(tg::array<const tg::s32, 1> x, tg::array<tg::s32, 1> o) {
  tg::kernel({.grid = {{"p", tg::cdiv(o.dim(0), 256)}}}, [=] {
    tg::smem<tg::s32, 2, 64> slots;
    tg::barrier<2> full;
    const auto start = tg::axis_index("p") * 256;
    for (tg::s64 i = 0; i < 2; ++i)
      tg::copy_gmem_to_smem(x.at(tg::ds<64>(start + 64 * i)), slots.at(i), full.at(i));
    for (tg::s64 i = 0; i < 4; ++i) {
      tg::barrier_wait(full.at(i % 2));
      const auto chunk = slots.at(i % 2)[tg::all];
      tg::copy_gmem_to_smem(x.at(tg::ds<64>(start + 64 * (i + 2))), slots.at(i % 2), full.at(i % 2),
                            {.predicate = i < 2});
      o[tg::ds<64>(start + 64 * i)] = chunk * 3;
    }
  });
}

// What a copy leaves in an array: only what lies inside.
template <class T, int N> TEGULA_KERNEL void put_1d(tg::array<const T, 1> x, tg::array<T, 1> o, tg::s64 i) {
  tg::kernel([=] {
    tg::smem<T, N> window;
    window[tg::all] = x[tg::ds<N>(0)];
    tg::commit_smem();
    tg::copy_smem_to_gmem(window, o.at(tg::ds<N>(i)));
    tg::wait_smem_to_gmem<0>();
  });
}
TEGULA_INSTANTIATE("put_f32_64", put_1d<float, 64>);
TEGULA_INSTANTIATE("put_u8_512", put_1d<tg::u8, 512>);

template <class T, int M, int N>
TEGULA_KERNEL void put_2d(tg::array<const T, 2> x, tg::array<T, 2> o, tg::s64 i, tg::s64 j) {
  tg::kernel([=] {
    tg::smem<T, M, N> window;
    window[tg::all] = x[tg::ds<M>(0), tg::ds<N>(0)];
    tg::commit_smem();
    tg::copy_smem_to_gmem(window, o.at(tg::ds<M>(i), tg::ds<N>(j)));
    tg::wait_smem_to_gmem<0>();
  });
}
TEGULA_INSTANTIATE("put_f32_16_64", put_2d<float, 16, 64>);
TEGULA_INSTANTIATE("put_bf16_8_16", put_2d<tg::bf16, 8, 16>);
TEGULA_INSTANTIATE("put_f16_7_24", put_2d<tg::f16, 7, 24>);
TEGULA_INSTANTIATE("put_s32_8_16", put_2d<tg::s32, 8, 16>);

TEGULA_KERNEL void put_3d(tg::array<const float, 3> x, tg::array<float, 3> o, tg::s64 h, tg::s64 i, tg::s64 j) {
  tg::kernel([=] {
    tg::smem<float, 2, 8, 16> window;
    window[tg::all] = x[tg::ds<2>(0), tg::ds<8>(0), tg::ds<16>(0)];
    tg::commit_smem();
    tg::copy_smem_to_gmem(window, o.at(tg::ds<2>(h), tg::ds<8>(i), tg::ds<16>(j)));
    tg::wait_smem_to_gmem<0>();
  });
}

// Rows leave through two slots: a slot is written again when all groups but the last have read theirs. A group has one
// copy, or two; the second is left away where the row is odd.
TEGULA_KERNEL void groups(tg::array<const float, 2> x, tg::array<float, 2> o, tg::array<float, 2> twice,
                          tg::array<float, 2> even) {
  tg::kernel([=] {
    tg::smem<float, 2, 32> slots, doubled;
    for (tg::s64 i = 0; i < x.dim(0); ++i) {
      const auto row = x[i, tg::ds<32>(0)];
      tg::wait_smem_to_gmem<1>(/*read_only=*/true);
      slots.at(i % 2)[tg::all] = row;
      doubled.at(i % 2)[tg::all] = row + row;
      tg::commit_smem();
      tg::copy_smem_to_gmem(slots.at(i % 2), o.at(i, tg::ds<32>(0)), {.commit_group = false});
      tg::copy_smem_to_gmem(doubled.at(i % 2), twice.at(i, tg::ds<32>(0)), {.commit_group = false});
      tg::copy_smem_to_gmem(slots.at(i % 2), even.at(i, tg::ds<32>(0)),
                            {.predicate = i % 2 == 0, .commit_group = false});
      tg::commit_smem_to_gmem_group();
    }
    tg::wait_smem_to_gmem<0>();
    // What has left is in the array: the thread reads it there.
    for (tg::s64 i = 0; i < x.dim(0); ++i)
      o[i, tg::ds<32>(0)] = o[i, tg::ds<32>(0)] + 1.0f;
  });
}

// Elementwise work on shared memory that copies swizzle: whole, in parts, by rows, transposed.
template <class T> TEGULA_KERNEL void elementwise(tg::array<const T, 2> x, tg::array<T, 2> o, tg::s64 r) {
  tg::kernel([=] {
    tg::smem<T, 32, 64> from, to;
    tg::smem<T, 64, 32> across;
    tg::barrier here;
    const auto all = tg::ds<64>(0);
    tg::copy_gmem_to_smem(x.at(tg::ds<32>(0), all), from, here);
    tg::barrier_wait(here);
    to[tg::all] = from[tg::all] + from[tg::all];
    o[tg::ds<32>(0), all] = to[tg::all];
    // A part that begins between the units of a swizzle, and a row that only the run knows.
    o[tg::ds<8>(32), tg::ds<16>(0)] = to[tg::ds<8>(8), tg::ds<16>(16)];
    o[tg::ds<4>(40), tg::ds<8>(0)] = to[tg::ds<4>(3), tg::ds<8>(5)];
    o[44, all] = to[r];
    to[r] = from[r + 1] + to[r];
    o[45, all] = to[r];
    across[tg::all] = tg::transpose_ref(from)[tg::all];
    tg::commit_smem();
    tg::copy_smem_to_gmem(to, o.at(tg::ds<32>(46), all));
    tg::copy_smem_to_gmem(across, o.at(tg::ds<64>(78), tg::ds<32>(0)));
    tg::wait_smem_to_gmem<0>();
  });
}
TEGULA_INSTANTIATE("elementwise_f32", elementwise<float>);
TEGULA_INSTANTIATE("elementwise_bf16", elementwise<tg::bf16>);
TEGULA_INSTANTIATE("elementwise_u8", elementwise<tg::u8>);

// Shared memory that no unit touches: of three dimensions and odd extents, bools, single elements, a broadcast row.
TEGULA_KERNEL void plain(tg::array<const float, 2> x, tg::array<float, 2> o, tg::s64 r) {
  tg::kernel([=] {
    tg::smem<float, 3, 5, 12> cube;
    tg::smem<bool, 5, 12> positive;
    tg::smem<float, 12> row;
    tg::static_for<3>([&](auto i) { cube.at(i)[tg::all] = x[tg::ds<5>(5 * i), tg::ds<12>(0)]; });
    tg::commit_smem();
    positive[tg::all] = cube[r] > 0.0f;
    row[tg::all] = cube[2, r];
    row[3] = 7.0f;
    tg::commit_smem();
    o[tg::ds<5>(0), tg::ds<12>(0)] = tg::where(positive[tg::all], cube[1] + row[tg::all], cube[r]);
    o[tg::ds<1>(5), tg::ds<12>(0)] = tg::full<float, 1, 12>(row[3] + cube[r, r + 1, 11]);
  });
}

// A prefetch changes nothing, whatever it fetches: also windows that no box holds, before the array and behind it, and
// none where the predicate is false.
template <class T, int M, int N>
TEGULA_KERNEL void prefetched(tg::array<const T, 2> x, tg::array<T, 2> o, tg::s64 i, tg::s64 j, bool fetches) {
  tg::kernel([=] {
    tg::smem<T, M, N> window;
    tg::barrier here;
    tg::async_prefetch(x.at(tg::ds<M>(i), tg::ds<N>(j)));
    tg::async_prefetch(x.at(tg::ds<300>(i - 7), tg::ds<N>(j)), {.predicate = fetches});
    tg::copy_gmem_to_smem(x.at(tg::ds<M>(i), tg::ds<N>(j)), window, here);
    tg::barrier_wait(here);
    o[tg::ds<M>(0), tg::ds<N>(0)] = window[tg::all];
  });
}
TEGULA_INSTANTIATE("prefetched_f32_16_32", prefetched<float, 16, 32>);
TEGULA_INSTANTIATE("prefetched_bf16_3_320", prefetched<tg::bf16, 3, 320>);
TEGULA_INSTANTIATE("prefetched_u8_8_160", prefetched<tg::u8, 8, 160>);

// Blocks of a cluster share it.
template <int M, int N>
TEGULA_KERNEL void prefetched_together(tg::array<const float, 2> x, tg::array<float, 2> o, tg::s64 i, tg::s64 j) {
  tg::kernel({.cluster = {{"a", 3}, {"b", 2}}}, [=] {
    tg::smem<float, M, N> window;
    tg::barrier here;
    tg::async_prefetch(x.at(tg::ds<M>(i), tg::ds<N>(j)), {.collective_axes = {"a", "b"}});
    tg::async_prefetch(x.at(tg::ds<M>(i), tg::ds<N>(j)), {.collective_axes = {"a"}, .l2_eviction = tg::evict_last});
    if (tg::axis_index("a", "b") == 5) {
      tg::copy_gmem_to_smem(x.at(tg::ds<M>(i), tg::ds<N>(j)), window, here);
      tg::barrier_wait(here);
      o[tg::ds<M>(0), tg::ds<N>(0)] = window[tg::all];
    }
  });
}
TEGULA_INSTANTIATE("prefetched_together_16_32", prefetched_together<16, 32>);
TEGULA_INSTANTIATE("prefetched_together_1_36", prefetched_together<1, 36>);

TEGULA_KERNEL void only_prefetched(tg::array<const float, 2> x, tg::array<float, 1> o) {
  tg::kernel([=] {
    tg::async_prefetch(x.at(tg::ds<16>(0), tg::ds<32>(0)));
    o[tg::ds<32>(0)] = tg::zeros<float, 32>();
  });
}

/// Elements that are only stored: what comes in goes out.
template <class T> TEGULA_KERNEL void passed(tg::array<const T, 2> x, tg::array<T, 2> o) {
  tg::kernel([=] {
    tg::smem<T, 24, 48> window;
    tg::barrier here;
    tg::copy_gmem_to_smem(x.at(tg::ds<24>(0), tg::ds<48>(0)), window, here);
    tg::barrier_wait(here);
    tg::copy_smem_to_gmem(window, o.at(tg::ds<24>(0), tg::ds<48>(0)));
    tg::wait_smem_to_gmem<0>();
  });
}
TEGULA_INSTANTIATE("passed_e4m3", passed<tg::e4m3>);
TEGULA_INSTANTIATE("passed_e5m2", passed<tg::e5m2>);

// Windows of transposed views come in, and what was there goes out: dimension i of the view is the array's Axes[i].
template <class T, int L, int M, int N, int... Axes>
TEGULA_KERNEL void view_3d(tg::array<const T, 3> x, tg::array<T, 3> o, tg::s64 h, tg::s64 i, tg::s64 j) {
  tg::kernel([=] {
    tg::smem<T, L, M, N> window;
    tg::barrier here;
    auto view = tg::transpose_ref<Axes...>(x);
    tg::async_prefetch(view.at(tg::ds<L>(h), tg::ds<M>(i), tg::ds<N>(j)));
    tg::copy_gmem_to_smem(view.at(tg::ds<L>(h), tg::ds<M>(i), tg::ds<N>(j)), window, here);
    tg::barrier_wait(here);
    o[tg::ds<L>(0), tg::ds<M>(0), tg::ds<N>(0)] = window[tg::all];
  });
}
TEGULA_INSTANTIATE("view_f32_3_8_32_by_102", view_3d<float, 3, 8, 32, 1, 0, 2>); // the rows of each head
TEGULA_INSTANTIATE("view_bf16_2_5_8_by_120", view_3d<tg::bf16, 2, 5, 8, 1, 2, 0>);
TEGULA_INSTANTIATE("view_bf16_2_3_264_by_210", view_3d<tg::bf16, 2, 3, 264, 2, 1, 0>); // of several boxes

template <class T, int L, int M, int N, int... Axes>
TEGULA_KERNEL void put_view_3d(tg::array<const T, 3> x, tg::array<T, 3> o, tg::s64 h, tg::s64 i, tg::s64 j) {
  tg::kernel([=] {
    tg::smem<T, L, M, N> window;
    window[tg::all] = x[tg::ds<L>(0), tg::ds<M>(0), tg::ds<N>(0)];
    tg::commit_smem();
    tg::copy_smem_to_gmem(window, tg::transpose_ref<Axes...>(o).at(tg::ds<L>(h), tg::ds<M>(i), tg::ds<N>(j)));
    tg::wait_smem_to_gmem<0>();
  });
}
TEGULA_INSTANTIATE("put_view_f32_2_8_16_by_102", put_view_3d<float, 2, 8, 16, 1, 0, 2>);
TEGULA_INSTANTIATE("put_view_f32_2_8_16_by_120", put_view_3d<float, 2, 8, 16, 1, 2, 0>);

// Windows of matrices that are stored column by column.
template <class T, int M, int N>
TEGULA_KERNEL void columns(tg::array<const T, 2> x, tg::array<T, 2> o, tg::s64 i, tg::s64 j) {
  tg::kernel([=] {
    tg::smem<T, M, N> window;
    tg::barrier here;
    tg::copy_gmem_to_smem(tg::transpose_ref(x.at(tg::ds<N>(j), tg::ds<M>(i))), window, here);
    tg::barrier_wait(here);
    o[tg::ds<M>(0), tg::ds<N>(0)] = window[tg::all];
  });
}
TEGULA_INSTANTIATE("columns_f32_16_32", columns<float, 16, 32>);
TEGULA_INSTANTIATE("columns_bf16_40_256", columns<tg::bf16, 40, 256>); // swizzled, in four parts
TEGULA_INSTANTIATE("columns_f32_258_16", columns<float, 258, 16>);     // more than one copy moves

template <class T, int M, int N>
TEGULA_KERNEL void put_columns(tg::array<const T, 2> x, tg::array<T, 2> o, tg::s64 i, tg::s64 j) {
  tg::kernel([=] {
    tg::smem<T, M, N> window;
    window[tg::all] = x[tg::ds<M>(0), tg::ds<N>(0)];
    tg::commit_smem();
    tg::copy_smem_to_gmem(window, tg::transpose_ref(o).at(tg::ds<M>(i), tg::ds<N>(j)));
    tg::wait_smem_to_gmem<0>();
  });
}
TEGULA_INSTANTIATE("put_columns_f32_16_64", put_columns<float, 16, 64>);

// A matrix and a row of a cube that is stored with its first dimension innermost; one index is taken of the view, or of
// the array.
TEGULA_KERNEL void plane_of_view(tg::array<const tg::f16, 3> x, tg::array<tg::f16, 2> o, tg::s64 h, tg::s64 i,
                                 tg::s64 j) {
  tg::kernel([=] {
    tg::smem<tg::f16, 8, 64> plane, same;
    tg::smem<tg::f16, 64> row;
    tg::barrier here{.num_arrivals = 3};
    auto view = tg::transpose_ref<2, 1, 0>(x);
    tg::copy_gmem_to_smem(view.at(tg::ds<8>(h), i, tg::ds<64>(j)), plane, here);
    tg::copy_gmem_to_smem(tg::transpose_ref(x.at(tg::ds<64>(j), i, tg::ds<8>(h))), same, here);
    tg::copy_gmem_to_smem(view.at(h, i, tg::ds<64>(j)), row, here);
    tg::barrier_wait(here);
    o[tg::ds<8>(0), tg::ds<64>(0)] = plane[tg::all];
    o[tg::ds<8>(8), tg::ds<64>(0)] = same[tg::all];
    o[16, tg::ds<64>(0)] = row[tg::all];
  });
}

// Both blocks of a cluster get the rows of two heads.
TEGULA_KERNEL void multicast_view(tg::array<const tg::bf16, 3> x, tg::array<tg::bf16, 4> o, tg::s64 h, tg::s64 i) {
  tg::kernel({.cluster = {{"c", 2}}}, [=] {
    tg::smem<tg::bf16, 2, 32, 64> rows;
    tg::barrier here;
    tg::copy_gmem_to_smem(tg::transpose_ref<1, 0, 2>(x).at(tg::ds<2>(h), tg::ds<32>(i), tg::ds<64>(0)), rows, here,
                          {.collective_axes = {"c"}});
    tg::barrier_wait(here);
    o.at(tg::axis_index("c"))[tg::ds<2>(0), tg::ds<32>(0), tg::ds<64>(0)] = rows[tg::all];
  });
}
