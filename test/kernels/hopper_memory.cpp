// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory by lifetime, and its arrangements.
#include <tegula/tegula.h>
namespace tg = tegula;

// ---- Scopes ---------------------------------------------------------------------------------------------------------

// What the two scopes have, no block has at once. A copy out of the first one may be in flight when it ends, and each
// comes after the other.
TEGULA_KERNEL void in_turn(tg::array<const float, 2> x, tg::array<float, 2> twice, tg::array<float, 2> minus,
                           int rounds) {
  tg::kernel([=] {
    tg::barrier here;
    const auto all = tg::ds<256>(0);
    for (int i = 0; i < rounds; ++i) {
      const auto rows = tg::ds<128>(i * 128);
      {
        tg::smem<float, 128, 256> first;
        tg::copy_gmem_to_smem(x.at(rows, all), first, here);
        tg::barrier_wait(here);
        first[tg::all] = first[tg::all] * 2.0f;
        tg::commit_smem();
        tg::copy_smem_to_gmem(first, twice.at(rows, all));
      }
      {
        tg::smem<float, 128, 256> second;
        tg::copy_gmem_to_smem(x.at(rows, all), second, here);
        tg::barrier_wait(here);
        second[tg::all] = -second[tg::all];
        tg::commit_smem();
        tg::copy_smem_to_gmem(second, minus.at(rows, all));
      }
    }
    tg::wait_smem_to_gmem<0>();
  });
}

// Three threads read what the others wrote, in one scope after the other; only within a scope they wait for one
// another.
TEGULA_KERNEL void threads_in_turn(tg::array<const tg::s32, 2> x, tg::array<tg::s32, 3> o) {
  tg::kernel({.threads = {"wg", 3}}, [=] {
    const auto wg = tg::axis_index("wg");
    const auto all = tg::ds<128>(0);
    tg::barrier written{.num_arrivals = 3};
    {
      tg::smem<tg::s32, 3, 128, 128> rows;
      rows[wg, 0] = x[wg, all];
      tg::barrier_arrive(written);
      tg::barrier_wait(written);
      o[0, wg, all] = rows[(wg + 1) % 3, 0] + rows[(wg + 2) % 3, 0];
    }
    {
      tg::smem<tg::s32, 128, 3, 128> other;
      other[5, wg] = x[wg, all] * 3;
      tg::barrier_arrive(written);
      tg::barrier_wait(written);
      o[1, wg, all] = other[5, (wg + 1) % 3] - other[5, (wg + 2) % 3];
    }
  });
}

// The ring of a pipeline, whose last product may still read it, then as much memory for the result.
TEGULA_KERNEL void ring_then_result(tg::array<const tg::bf16, 2> a, tg::array<const tg::bf16, 2> b,
                                    tg::array<float, 2> o) {
  tg::kernel({.grid = {{"m", tg::cdiv(a.dim(0), 64)}}}, [=] {
    const auto m = tg::axis_index("m");
    tg::acc<float, 64, 256> acc;
    tg::emit_pipeline(
        {.grid = {tg::cdiv(a.dim(1), 64)}, .max_concurrent_steps = 5, .delay_release = 1},
        [&](auto, auto x, auto y) {
          tg::wgmma(acc, x, y);
          tg::wgmma_wait<1>();
        },
        tg::in<64, 64>(a, [=](auto k) { return tg::index(m, k); }),
        tg::in<64, 256>(b, [=](auto k) { return tg::index(k, 0); }));
    tg::smem<float, 64, 256> out;
    out[tg::all] = acc[tg::all];
    tg::commit_smem();
    tg::copy_smem_to_gmem(out, o.at(tg::ds<64>(m * 64), tg::ds<256>(0)));
    tg::wait_smem_to_gmem<0>();
  });
}

// Windows that begin inside a panel and end in the next one, of known start and not.
template <class T>
TEGULA_KERNEL void across_panels(tg::array<const T, 2> x, tg::array<T, 2> o, tg::s64 from, tg::s64 to) {
  tg::kernel([=] {
    tg::smem<T, 16, 256> s;
    tg::barrier here;
    const auto rows = tg::ds<16>(0);
    const auto columns = tg::ds<256>(0);
    tg::copy_gmem_to_smem(x.at(rows, columns), s, here);
    tg::barrier_wait(here);
    s[tg::ds<7>(8), tg::ds<35>(to)] = s[tg::ds<7>(1), tg::ds<35>(from)];
    s[tg::ds<4>(0), tg::ds<64>(17)] = s[tg::ds<4>(8), tg::ds<64>(from + 1)];
    s[15, tg::ds<128>(100)] = s.at(tg::ds<8>(0), tg::ds<150>(from))[7, tg::ds<128>(3)];
    tg::commit_smem();
    tg::copy_smem_to_gmem(s, o.at(rows, columns));
    tg::wait_smem_to_gmem<0>();
  });
}
TEGULA_INSTANTIATE("across_panels_u8", across_panels<tg::u8>);
TEGULA_INSTANTIATE("across_panels_f16", across_panels<tg::f16>);
TEGULA_INSTANTIATE("across_panels_f32", across_panels<float>);
TEGULA_INSTANTIATE("across_panels_f64", across_panels<double>);

// What a copy writes is read afterwards, where something else was read before.
TEGULA_KERNEL void read_back(tg::array<const float, 2> x, tg::array<float, 2> o, tg::array<float, 2> before,
                             tg::array<float, 2> after) {
  tg::kernel([=] {
    const auto rows = tg::ds<64>(0);
    const auto columns = tg::ds<32>(0);
    tg::smem<float, 64, 32> s;
    before[rows, columns] = o[rows, columns];
    s[tg::all] = x[rows, columns] * 2.0f;
    tg::commit_smem();
    tg::copy_smem_to_gmem(s, o.at(rows, columns));
    tg::wait_smem_to_gmem<0>();
    after[rows, columns] = o[rows, columns];
  });
}

// Each block of a cluster copies into both, where both have read something else before.
TEGULA_KERNEL void cluster_in_turn(tg::array<const float, 2> x, tg::array<float, 3> o, int rounds) {
  tg::kernel({.cluster = {{"c", 2}}, .threads = {"wg", 2}}, [=] {
    const auto c = tg::axis_index("c"), wg = tg::axis_index("wg");
    const auto all = tg::ds<128>(0);
    const auto half = tg::ds<64>(wg * 64);
    tg::barrier here, from_both;
    tg::cluster_barrier<> seen{.collective_axes = {"c"}, .num_arrivals = 2};
    for (int i = 0; i < rounds; ++i) {
      {
        tg::smem<float, 128, 128> own;
        if (wg == 0)
          tg::copy_gmem_to_smem(x.at(tg::ds<128>(c * 128 + i), all), own, here);
        tg::barrier_wait(here);
        o[c * 2, half, all] = own[half];
      }
      {
        tg::smem<float, 2, 128, 128> shared;
        if (wg == 0)
          tg::copy_gmem_to_smem(x.at(tg::ds<128>(i), all), shared.at(1), from_both, {.collective_axes = {"c"}});
        tg::barrier_wait(from_both);
        o[c * 2 + 1, half, all] = shared[1, half];
        // No block copies into another one that still reads.
        tg::barrier_arrive(seen);
        tg::barrier_wait(seen);
      }
    }
  });
}

// ---- Arrangements ---------------------------------------------------------------------------------------------------

// Rows of 256 bytes in panels as they are pinned, over all edges of the array, read and written by the thread.
template <int Swizzle>
TEGULA_KERNEL void pinned(tg::array<const float, 2> x, tg::array<float, 2> o, tg::s64 row, tg::s64 column) {
  tg::kernel([=] {
    tg::smem<float, 2, 40, 64> s{.transforms = {tg::swizzle(Swizzle)}};
    tg::barrier here;
    const auto rows = tg::ds<40>(row);
    const auto columns = tg::ds<64>(column);
    tg::copy_gmem_to_smem(x.at(rows, columns), s.at(1), here);
    tg::barrier_wait(here);
    s[0] = s[1] + 1.0f;
    s[0, tg::ds<8>(16)] = -s[1, tg::ds<8>(16)];
    tg::commit_smem();
    tg::copy_smem_to_gmem(s.at(0), o.at(rows, columns));
    tg::wait_smem_to_gmem<0>();
  });
}
TEGULA_INSTANTIATE("pinned_16", pinned<16>);
TEGULA_INSTANTIATE("pinned_32", pinned<32>);
TEGULA_INSTANTIATE("pinned_64", pinned<64>);
TEGULA_INSTANTIATE("pinned_128", pinned<128>);

// Operands of a product, arranged differently; one of them in a pipeline's ring.
template <int A, int B>
TEGULA_KERNEL void pinned_operands(tg::array<const tg::f16, 2> a, tg::array<const tg::f16, 2> b,
                                   tg::array<float, 2> o) {
  tg::kernel([=] {
    const auto all = tg::ds<64>(0);
    tg::acc<float, 64, 64> acc;
    tg::emit_pipeline(
        {.grid = {tg::cdiv(a.dim(1), 64)}, .max_concurrent_steps = 2},
        [&](auto, auto x, auto y) {
          tg::wgmma(acc, x, y);
          tg::wgmma_wait<0>();
        },
        tg::in<64, 64>(a, [](auto k) { return tg::index(0, k); }, {.transforms = {tg::swizzle(A)}}),
        tg::in<64, 64>(b, [](auto k) { return tg::index(k, 0); }, {.transforms = {tg::swizzle(B)}}));
    o[all, all] = acc[tg::all];
  });
}
TEGULA_INSTANTIATE("operands_128_32", pinned_operands<128, 32>);
TEGULA_INSTANTIATE("operands_64_128", pinned_operands<64, 128>);
TEGULA_INSTANTIATE("operands_32_64", pinned_operands<32, 64>);
