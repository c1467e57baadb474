// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic updates in tg::kernel, of arrays and of shared memory; single columns of shared memory.
#include <tegula/tegula.h>
namespace tg = tegula;

// Columns of rows of 16 bytes, one of them known at run time, read and written.
template <class T, int Columns>
TEGULA_KERNEL void columns(tg::array<const T, 2> x, tg::array<T, 2> o, tg::s64 stage, tg::s64 column) {
  tg::kernel([=] {
    tg::smem<T, 2, 128, Columns> ring;
    const auto rows = tg::ds<128>(0);
    ring.at(stage)[tg::all] = x[rows, tg::ds<Columns>(0)];
    const auto first = ring.at(stage)[tg::all, 0], some = ring.at(stage)[tg::all, column];
    o[0, rows] = first;
    o[1, rows] = some;
    ring.at(1 - stage)[tg::all, column] = first + some;
    o[2, rows] = ring.at(1 - stage)[tg::all, column];
  });
}
TEGULA_INSTANTIATE("columns_f32", columns<float, 4>);
TEGULA_INSTANTIATE("columns_u8", columns<tg::u8, 16>);

// Windows of an array that all blocks update, and what was there; the last one, under a mask, extends past its end.
template <class T>
TEGULA_KERNEL void add_windows(tg::array<T, 2> o, tg::array<const T, 2> x, tg::array<T, 2> old, tg::s64 count) {
  tg::kernel({.grid = {{"i", x.dim(0)}}}, [=] {
    const auto i = tg::axis_index("i");
    const auto all = tg::ds<96>(0);
    tg::atomic_add(o.at(0, all), x[i, all]);
    const auto before = tg::atomic_max(o.at(1, tg::ds<96>(96 * i)), x[i, all]);
    old[i, all] = before;
    const auto column = tg::iota<tg::s64, 96>() + 96 * i;
    tg::atomic_add(o.at(2, tg::ds<96>(96 * i)), x[i, all], column < count);
  });
}
TEGULA_INSTANTIATE("add_windows_f32", add_windows<float>);
TEGULA_INSTANTIATE("add_windows_s32", add_windows<tg::s32>);
TEGULA_INSTANTIATE("add_windows_f16", add_windows<tg::f16>);
TEGULA_INSTANTIATE("add_windows_bf16", add_windows<tg::bf16>);

// Three threads update the same shared memory; some of it under a mask, and single elements.
template <class T>
TEGULA_KERNEL void combine_shared(tg::array<const T, 2> x, tg::array<T, 2> o, tg::array<T, 1> counts) {
  tg::kernel({.threads = {"wg", 3}}, [=] {
    const auto wg = tg::axis_index("wg");
    const auto all = tg::ds<72>(0);
    tg::smem<T, 4, 72> s;
    tg::smem<T, 1> count;
    tg::named_barrier begun{.num_threads = 3}, done{.num_threads = 3};
    if (wg == 0) {
      s[0] = x[0, all];
      s[1] = x[0, all];
      s[2] = x[0, all];
      s[3] = x[0, all];
      count[0] = T(0);
    }
    tg::named_barrier_sync(begun);
    tg::atomic_add(s.at(0), x[1 + wg, all]);
    tg::atomic_max(s.at(1), x[1 + wg, all]);
    tg::atomic_min(s.at(2, tg::ds<24>(24 * wg)), x[1 + wg, tg::ds<24>(24 * wg)]);
    tg::atomic_add(s.at(3), x[1 + wg, all], tg::iota<tg::s64, 72>() % 3 == wg);
    const T before = tg::atomic_add(count.at(0), T(1));
    counts[static_cast<tg::s64>(static_cast<float>(before))] = T(1); // Each number is one thread's.
    tg::named_barrier_sync(done);
    if (wg == 0)
      o[tg::ds<4>(0), all] = s[tg::all];
  });
}
TEGULA_INSTANTIATE("combine_s32", combine_shared<tg::s32>);
TEGULA_INSTANTIATE("combine_u64", combine_shared<tg::u64>);
TEGULA_INSTANTIATE("combine_f32", combine_shared<float>);
TEGULA_INSTANTIATE("combine_f64", combine_shared<double>);
TEGULA_INSTANTIATE("combine_f16", combine_shared<tg::f16>);
TEGULA_INSTANTIATE("combine_bf16", combine_shared<tg::bf16>);

// Bits, exchanges, compare-and-swap, in rows of a swizzled place; what was there.
template <class T> TEGULA_KERNEL void bits_shared(tg::array<const T, 3> x, tg::array<T, 3> o, tg::array<T, 3> old) {
  tg::kernel([=] {
    tg::smem<T, 5, 16, 32> s{.transforms = {tg::swizzle(sizeof(T) == 8 ? 128 : 64)}};
    const auto rows = tg::ds<16>(0);
    const auto all = tg::ds<32>(0);
    s[tg::all] = x[0, rows, all];
    old[0, rows, all] = tg::atomic_and(s.at(0), x[1, rows, all]);
    old[1, rows, all] = tg::atomic_or(s.at(1), x[1, rows, all]);
    old[2, rows, all] = tg::atomic_xor(s.at(2), x[1, rows, all], {.order = tg::memory_order::acq_rel});
    old[3, rows, all] = tg::atomic_exch(s.at(3), x[1, rows, all]);
    old[4, rows, all] = tg::atomic_cas(s.at(4), x[2, rows, all], x[1, rows, all]);
    for (int i = 0; i < 5; ++i)
      o[i, rows, all] = s[i];
  });
}
TEGULA_INSTANTIATE("bits_u32", bits_shared<tg::u32>);
TEGULA_INSTANTIATE("bits_s64", bits_shared<tg::s64>);
