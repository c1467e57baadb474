// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of Hopper's tensor core.
#include <tegula/tegula.h>
namespace tg = tegula;

struct Shape {
  int m, n, k;
  bool a_is_transposed = false, b_is_transposed = false; // a is (K, M), b is (N, K)
};

template <bool IsTransposed, class Tile> constexpr auto &as_operand(const Tile &tile) {
  if constexpr (IsTransposed)
    return tg::transpose_ref(tile);
  else
    return tile;
}

// One product, of matrices that fill the operands.
template <Shape S, class T>
TEGULA_KERNEL void product(tg::array<const T, 2> a, tg::array<const T, 2> b, tg::array<float, 2> o) {
  tg::kernel([=] {
    constexpr int a_rows = S.a_is_transposed ? S.k : S.m, a_columns = S.a_is_transposed ? S.m : S.k;
    constexpr int b_rows = S.b_is_transposed ? S.n : S.k, b_columns = S.b_is_transposed ? S.k : S.n;
    tg::smem<T, a_rows, a_columns> x;
    tg::smem<T, b_rows, b_columns> y;
    tg::barrier here{.num_arrivals = 2};
    tg::copy_gmem_to_smem(a.at(tg::ds<a_rows>(0), tg::ds<a_columns>(0)), x, here);
    tg::copy_gmem_to_smem(b.at(tg::ds<b_rows>(0), tg::ds<b_columns>(0)), y, here);
    tg::barrier_wait(here);
    tg::acc<float, S.m, S.n> acc;
    tg::wgmma(acc, as_operand<S.a_is_transposed>(x), as_operand<S.b_is_transposed>(y));
    o[tg::ds<S.m>(0), tg::ds<S.n>(0)] = acc[tg::all];
  });
}
// Operands are arranged by rows of 32, 64 and 128 bytes, in one part or in several.
TEGULA_INSTANTIATE("bf16_64_16_16", product<Shape{64, 16, 16}, tg::bf16>);
TEGULA_INSTANTIATE("bf16_64_8_32", product<Shape{64, 8, 32, false, true}, tg::bf16>);
TEGULA_INSTANTIATE("bf16_64_48_48", product<Shape{64, 48, 48}, tg::bf16>);
TEGULA_INSTANTIATE("bf16_64_96_80", product<Shape{64, 96, 80}, tg::bf16>);
TEGULA_INSTANTIATE("bf16_64_256_64", product<Shape{64, 256, 64}, tg::bf16>);
TEGULA_INSTANTIATE("bf16_128_32_128", product<Shape{128, 32, 128}, tg::bf16>);
TEGULA_INSTANTIATE("bf16_128_64_32_tn", product<Shape{128, 64, 32, true, false}, tg::bf16>);
TEGULA_INSTANTIATE("bf16_64_24_192_nt", product<Shape{64, 24, 192, false, true}, tg::bf16>);
TEGULA_INSTANTIATE("f16_64_192_64", product<Shape{64, 192, 64}, tg::f16>);
TEGULA_INSTANTIATE("f16_192_64_48_tt", product<Shape{192, 64, 48, true, true}, tg::f16>);

// Products of two slots in turn, of which one is filled while the other one is multiplied. The accumulator begins with
// a tile.
TEGULA_KERNEL void overlapped(tg::array<const tg::bf16, 2> a, tg::array<const tg::bf16, 2> b,
                              tg::array<const float, 2> c, tg::array<float, 2> o) {
  tg::kernel([=] {
    tg::smem<tg::bf16, 2, 64, 32> x;
    tg::smem<tg::bf16, 2, 32, 64> y;
    tg::barrier<2> full{.num_arrivals = 2};
    const auto all = tg::ds<64>(0);
    const auto steps = tg::cdiv(a.dim(1), 32);
    const auto fill = [&](tg::s64 k) {
      tg::copy_gmem_to_smem(a.at(all, tg::ds<32>(k * 32)), x.at(k % 2), full.at(k % 2));
      tg::copy_gmem_to_smem(b.at(tg::ds<32>(k * 32), all), y.at(k % 2), full.at(k % 2));
    };
    tg::acc<float, 64, 64> acc(c[all, all]);
    fill(0);
    for (tg::s64 k = 0; k < steps; ++k) {
      tg::barrier_wait(full.at(k % 2));
      tg::wgmma(acc, x.at(k % 2), y.at(k % 2));
      tg::wgmma_wait<1>(); // The product before this one has read its slot.
      if (k + 1 < steps)
        fill(k + 1);
    }
    o[all, all] = acc[tg::all];
  });
}

// Two accumulators of parts of the same operands, read in parts, scaled between products, and one from the other.
TEGULA_KERNEL void two_accumulators(tg::array<const tg::f16, 2> a, tg::array<const tg::f16, 2> b,
                                    tg::array<float, 3> o) {
  tg::kernel([=] {
    tg::smem<tg::f16, 128, 128> x, y;
    tg::barrier here{.num_arrivals = 2};
    const auto all = tg::ds<64>(0);
    const auto whole = tg::ds<128>(0);
    tg::copy_gmem_to_smem(a.at(whole, whole), x, here);
    tg::copy_gmem_to_smem(b.at(whole, whole), y, here);
    tg::barrier_wait(here);
    tg::acc<float, 128, 64> both;
    tg::acc<float, 64, 32> part;
    tg::wgmma(both, x, y.at(tg::all, all));
    tg::wgmma(part, x.at(all, tg::ds<64>(64)), y.at(tg::ds<64>(64), tg::ds<32>(64)));
    tg::wgmma_wait<1>();
    o[0, all, all] = both[all];
    o[1, all, all] = both[tg::ds<64>(64)];
    o[2, all, tg::ds<32>(0)] = part[tg::all];
    part[tg::all] = part[tg::all] * 2.0f + both[tg::ds<64>(64), tg::ds<32>(32)];
    tg::wgmma(part, x.at(tg::ds<64>(64)), y.at(tg::all, tg::ds<32>(64)));
    o[2, all, tg::ds<16>(32)] = part[tg::all, tg::ds<16>(16)];
    o[2, all, tg::ds<8>(48)] = part[tg::all, tg::ds<8>(0)];
    o[2, all, tg::ds<8>(56)] = part[tg::all, tg::ds<8>(8)];
  });
}

// Reads of an accumulator while a product for another one is in flight: exp2 of each a b is multiplied by c while the
// next a b is computed.
TEGULA_KERNEL void partial_waits(tg::array<const tg::bf16, 3> a, tg::array<const tg::bf16, 2> b,
                                 tg::array<const tg::bf16, 2> c, tg::array<float, 2> o, tg::array<float, 1> sums) {
  tg::kernel({.approx_math = true}, [=] {
    tg::smem<tg::bf16, 2, 64, 64> x;
    tg::smem<tg::bf16, 64, 64> y, z;
    tg::barrier<2> full;
    tg::barrier<> here{.num_arrivals = 2};
    const auto all = tg::ds<64>(0);
    const auto steps = a.dim(0);
    tg::copy_gmem_to_smem(b.at(all, all), y, here);
    tg::copy_gmem_to_smem(c.at(all, all), z, here);
    tg::copy_gmem_to_smem(a.at(0, all, all), x.at(0), full.at(0));
    tg::barrier_wait(here);
    tg::acc<float, 64, 64> ab, sum;
    tg::barrier_wait(full.at(0));
    tg::wgmma(ab, x.at(0), y, {.accumulate = false});
    auto weights = tg::exp2(ab[tg::all]);
    auto total = tg::sum<1>(weights);
    for (tg::s64 i = 1; i < steps; ++i) {
      tg::copy_gmem_to_smem(a.at(i, all, all), x.at(i % 2), full.at(i % 2));
      tg::barrier_wait(full.at(i % 2));
      tg::wgmma(ab, x.at(i % 2), y, {.accumulate = false});
      tg::wgmma(sum, tg::astype<tg::bf16>(weights), z);
      weights = tg::exp2(tg::wgmma_accumulator_load<1>(ab));
      total += tg::sum<1>(weights);
      tg::wgmma_wait<0>();
      sum[tg::all] *= 0.5f;
    }
    tg::wgmma(sum, tg::astype<tg::bf16>(weights), z);
    o[all, all] = sum[tg::all];
    sums[all] = total;
  });
}

// What a thread writes to shared memory, rounded, is an operand: (a b) b.
TEGULA_KERNEL void of_a_product(tg::array<const tg::bf16, 2> a, tg::array<const tg::bf16, 2> b,
                                tg::array<tg::bf16, 2> o, tg::array<float, 2> p) {
  tg::kernel([=] {
    tg::smem<tg::bf16, 64, 64> x, y;
    tg::barrier here;
    const auto all = tg::ds<64>(0);
    tg::copy_gmem_to_smem(b.at(all, all), y, here);
    x[tg::all] = a[all, all];
    tg::commit_smem();
    tg::barrier_wait(here);
    tg::acc<float, 64, 64> once;
    tg::wgmma(once, x, y);
    x[tg::all] = tg::astype<tg::bf16>(once[tg::all]);
    tg::commit_smem();
    tg::acc<float, 64, 64> twice;
    tg::wgmma(twice, x, y);
    tg::copy_smem_to_gmem(x, o.at(all, all));
    p[all, all] = twice[tg::all];
    tg::wait_smem_to_gmem<0>();
  });
}

// Two threads, each with the rows of its own, and columns beyond what one accumulator has.
TEGULA_KERNEL void two_threads(tg::array<const tg::bf16, 2> a, tg::array<const tg::bf16, 2> b, tg::array<float, 2> o) {
  tg::kernel({.threads = {"wg", 2}}, [=] {
    tg::smem<tg::bf16, 128, 64> x;
    tg::smem<tg::bf16, 2, 64, 64> y;
    tg::barrier here{.num_arrivals = 3};
    const auto wg = tg::axis_index("wg");
    if (wg == 0) {
      tg::copy_gmem_to_smem(a.at(tg::ds<128>(0), tg::ds<64>(0)), x, here);
      tg::copy_gmem_to_smem(b.at(tg::ds<64>(0), tg::ds<64>(0)), y.at(0), here);
      tg::copy_gmem_to_smem(b.at(tg::ds<64>(0), tg::ds<64>(64)), y.at(1), here);
    }
    tg::barrier_wait(here);
    tg::acc<float, 64, 64> left, right;
    tg::wgmma(left, x.at(tg::ds<64>(wg * 64)), y.at(0));
    tg::wgmma(right, x.at(tg::ds<64>(wg * 64)), y.at(1));
    tg::wgmma_wait<0>();
    o[tg::ds<64>(wg * 64), tg::ds<64>(0)] = left[tg::all];
    o[tg::ds<64>(wg * 64), tg::ds<64>(64)] = right[tg::all];
  });
}

// Operands that are parts of a panel, along the contracted dimension: where they begin is known at run time.
TEGULA_KERNEL void parts_of_panels(tg::array<const tg::bf16, 2> a, tg::array<const tg::bf16, 2> b,
                                   tg::array<float, 2> o, tg::s64 parts) {
  tg::kernel([=] {
    tg::smem<tg::bf16, 128, 128> x;
    tg::smem<tg::bf16, 64, 128> y;
    tg::barrier here{.num_arrivals = 2};
    const auto all = tg::ds<64>(0);
    const auto whole = tg::ds<128>(0);
    tg::copy_gmem_to_smem(a.at(whole, whole), x, here);
    tg::copy_gmem_to_smem(b.at(all, whole), y, here);
    tg::barrier_wait(here);
    tg::acc<float, 64, 64> acc;
    for (tg::s64 i = 0; i < parts; ++i) {
      const auto k = tg::ds<16>(i * 16);
      tg::wgmma(acc, x.at(tg::ds<64>(64), k), tg::transpose_ref(y).at(k));
    }
    // And 32 more from the last panel's middle.
    tg::wgmma(acc, x.at(tg::ds<64>(0), tg::ds<32>(96)), tg::transpose_ref(y.at(tg::all, tg::ds<32>(96))));
    o[all, all] = acc[tg::all];
  });
}

// ---- Whether a product adds -----------------------------------------------------------------------------------------

// An accumulator holds what is no number until the first product overwrites it; which one that is, is known at run
// time. Without steps it keeps what it holds.
TEGULA_KERNEL void overwritten(tg::array<const tg::bf16, 2> a, tg::array<const tg::bf16, 2> b, tg::array<float, 2> o,
                               tg::s64 first, tg::s64 steps) {
  tg::kernel([=] {
    tg::smem<tg::bf16, 64, 32> x;
    tg::smem<tg::bf16, 32, 64> y;
    tg::barrier here{.num_arrivals = 2};
    const auto all = tg::ds<64>(0);
    tg::acc<float, 64, 64> acc(tg::full<float, 64, 64>(-1.0f));
    for (tg::s64 k = 0; k < steps; ++k) {
      const auto depth = tg::ds<32>(k * 32);
      tg::copy_gmem_to_smem(a.at(all, depth), x, here);
      tg::copy_gmem_to_smem(b.at(depth, all), y, here);
      tg::barrier_wait(here);
      tg::wgmma(acc, x, y, {.accumulate = k > first});
      tg::wgmma_wait<0>();
    }
    o[all, all] = acc[tg::all];
  });
}

// Accumulators that are zero when the first product comes: in a row, in a loop, in one that may not run, and one that
// begins as a copy of what another one holds.
TEGULA_KERNEL void from_zero(tg::array<const tg::f16, 2> a, tg::array<const tg::f16, 2> b, tg::array<float, 3> o,
                             tg::s64 steps) {
  tg::kernel([=] {
    tg::smem<tg::f16, 64, 64> x, y;
    tg::barrier here{.num_arrivals = 2};
    const auto all = tg::ds<64>(0);
    tg::copy_gmem_to_smem(a.at(all, all), x, here);
    tg::copy_gmem_to_smem(b.at(all, all), y, here);
    tg::barrier_wait(here);
    tg::acc<float, 64, 64> once, looped, both;
    tg::wgmma(once, x, y);
    for (tg::s64 k = 0; k < steps; ++k) {
      tg::wgmma(looped, x, y);
      tg::wgmma(both, x, y);
      tg::wgmma(both, y, x);
      tg::wgmma_wait<1>();
    }
    o[0, all, all] = once[tg::all];
    o[1, all, all] = looped[tg::all];
    o[2, all, all] = both[tg::all];
    looped[tg::all] = tg::zeros<float, 64, 64>();
    tg::wgmma(looped, y, y, {.accumulate = false});
    tg::wgmma(looped, x, y);
    o[3, all, all] = looped[tg::all];
    tg::acc<tg::f16, 64, 64> half;
    tg::wgmma(half, x, y);
    o[4, all, all] = tg::astype<float>(half[tg::all]);
  });
}

// Equal products of equal values count each: one less in flight would leave the second slot in use.
TEGULA_KERNEL void equal_products(tg::array<const tg::bf16, 2> a, tg::array<const tg::bf16, 2> b,
                                  tg::array<float, 3> o) {
  tg::kernel([=] {
    tg::smem<tg::bf16, 2, 64, 64> x, y;
    tg::barrier here{.num_arrivals = 4};
    const auto all = tg::ds<64>(0);
    for (int i = 0; i < 2; ++i) {
      tg::copy_gmem_to_smem(a.at(all, tg::ds<64>(i * 64)), x.at(i), here);
      tg::copy_gmem_to_smem(b.at(tg::ds<64>(i * 64), all), y.at(i), here);
    }
    tg::barrier_wait(here);
    tg::acc<float, 64, 64> first, second, third;
    tg::wgmma(first, x.at(0), y.at(0));
    tg::wgmma(second, x.at(1), y.at(1));
    tg::wgmma(third, x.at(0), y.at(0));
    tg::wgmma_wait<1>();
    x.at(1)[tg::all] = tg::full<tg::bf16, 64, 64>(9.0f);
    tg::commit_smem();
    o[0, all, all] = first[tg::all];
    o[1, all, all] = second[tg::all];
    o[2, all, all] = third[tg::all];
  });
}

// ---- Accumulators of several instructions, and parts of them --------------------------------------------------------

// Columns of two instructions.
template <Shape S, class T, class Sum>
TEGULA_KERNEL void wide(tg::array<const T, 2> a, tg::array<const T, 2> b, tg::array<float, 2> o, tg::s64 steps) {
  tg::kernel([=] {
    constexpr int b_rows = S.b_is_transposed ? S.n : S.k, b_columns = S.b_is_transposed ? S.k : S.n;
    tg::smem<T, S.m, S.k> x;
    tg::smem<T, b_rows, b_columns> y;
    tg::barrier here{.num_arrivals = 2};
    tg::acc<Sum, S.m, S.n> acc;
    for (tg::s64 k = 0; k < steps; ++k) {
      tg::copy_gmem_to_smem(a.at(tg::ds<S.m>(0), tg::ds<S.k>(k * S.k)), x, here);
      if constexpr (S.b_is_transposed)
        tg::copy_gmem_to_smem(b.at(tg::ds<S.n>(0), tg::ds<S.k>(k * S.k)), y, here);
      else
        tg::copy_gmem_to_smem(b.at(tg::ds<S.k>(k * S.k), tg::ds<S.n>(0)), y, here);
      tg::barrier_wait(here);
      tg::wgmma(acc, x, as_operand<S.b_is_transposed>(y));
      tg::wgmma_wait<0>();
    }
    tg::static_for<S.n / 8>(
        [&](auto i) { o[tg::ds<S.m>(0), tg::ds<8>(i * 8)] = tg::astype<float>(acc[tg::all, tg::ds<8>(i * 8)]); });
  });
}
TEGULA_INSTANTIATE("wide_264_nt", wide<Shape{64, 264, 32, false, true}, tg::bf16, float>);
TEGULA_INSTANTIATE("wide_272", wide<Shape{64, 272, 16}, tg::bf16, float>);
TEGULA_INSTANTIATE("wide_384", wide<Shape{64, 384, 64}, tg::bf16, float>);
TEGULA_INSTANTIATE("wide_512", wide<Shape{64, 512, 64}, tg::f16, tg::f16>);
TEGULA_INSTANTIATE("wide_512_nt", wide<Shape{64, 512, 64, false, true}, tg::f16, tg::f16>);

// Products that add to parts of an accumulator, one of which is read while the others are in flight; sums that are
// overwritten in parts, and by one instruction after another.
TEGULA_KERNEL void parts_of_accumulators(tg::array<const tg::bf16, 2> a, tg::array<const tg::bf16, 2> b,
                                         tg::array<float, 3> o) {
  tg::kernel([=] {
    tg::smem<tg::bf16, 128, 128> x, y;
    tg::barrier here{.num_arrivals = 2};
    const auto all = tg::ds<64>(0), low = tg::ds<64>(64);
    const auto whole = tg::ds<128>(0);
    tg::copy_gmem_to_smem(a.at(whole, whole), x, here);
    tg::copy_gmem_to_smem(b.at(whole, whole), y, here);
    tg::barrier_wait(here);
    tg::acc<float, 128, 128> acc(tg::full<float, 128, 128>(1.0f));
    const auto first = acc.at(all, tg::ds<64>(0));
    tg::wgmma(first, x.at(all), y.at(tg::all, all));
    tg::wgmma(acc.at(low, tg::ds<40>(8)), x.at(low, all), y.at(all, tg::ds<40>(64)));
    tg::wgmma(acc.at(tg::all, tg::ds<64>(64)), x, y.at(tg::all, low), {.accumulate = false});
    o[0, all, all] = tg::wgmma_accumulator_load<2>(first);
    o[0, low, all] = tg::wgmma_accumulator_load<1>(acc.at(low, tg::ds<64>(0)));
    o[0, whole, low] = acc[tg::all, tg::ds<64>(64)];
    tg::wgmma(first, x.at(low), y.at(tg::all, all), {.accumulate = false});
    tg::wgmma(first, x.at(low), y.at(tg::all, all));
    o[1, whole, whole] = acc[tg::all];
  });
}

// Accumulators that change places from step to step: by their names, and by what they hold. Of parts of one, too.
template <class Now, class A, class B> void step(const Now &now, const A &a, const B &b) { tg::wgmma(now, a, b); }
TEGULA_KERNEL void swapped(tg::array<const tg::f16, 2> a, tg::array<const tg::f16, 2> b, tg::array<float, 3> o,
                           tg::s64 steps) {
  tg::kernel([=] {
    tg::smem<tg::f16, 64, 64> x, y;
    tg::barrier here{.num_arrivals = 2};
    const auto all = tg::ds<64>(0);
    tg::copy_gmem_to_smem(a.at(all, all), x, here);
    tg::copy_gmem_to_smem(b.at(all, all), y, here);
    tg::barrier_wait(here);
    tg::acc<float, 64, 64> even, odd, left, right;
    tg::acc<float, 64, 128> both;
    for (tg::s64 k = 0; k < steps; ++k) {
      step(even, x, y);
      step(odd, y, x);
      tg::wgmma_wait<1>();
      step(both.at(tg::all, tg::ds<64>(0)), x, y);
      step(both.at(tg::all, tg::ds<64>(64)), y, y);
      tg::wgmma_wait<1>();
      tg::wgmma(left, x, y);
      const auto held = left[tg::all];
      left[tg::all] = right[tg::all];
      right[tg::all] = held;
    }
    o[0, all, all] = even[tg::all];
    o[1, all, all] = odd[tg::all];
    o[2, all, all] = both[tg::all, all];
    o[3, all, all] = both[tg::all, tg::ds<64>(64)];
    o[4, all, all] = left[tg::all];
    o[5, all, all] = right[tg::all];
  });
}
