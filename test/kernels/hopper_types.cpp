// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of Hopper's tensor core, of elements of 8 and 32 bits.
#include <tegula/tegula.h>
namespace tg = tegula;

struct Shape {
  int m, n, k;
};

// c + a b^T: a is M x K, b is N x K.
template <Shape S, class A, class B, class Sum>
TEGULA_KERNEL void product(tg::array<const A, 2> a, tg::array<const B, 2> b, tg::array<const Sum, 2> c,
                           tg::array<Sum, 2> o) {
  tg::kernel([=] {
    tg::smem<A, S.m, S.k> x;
    tg::smem<B, S.n, S.k> y;
    tg::barrier here{.num_arrivals = 2};
    tg::copy_gmem_to_smem(a.at(tg::ds<S.m>(0), tg::ds<S.k>(0)), x, here);
    tg::copy_gmem_to_smem(b.at(tg::ds<S.n>(0), tg::ds<S.k>(0)), y, here);
    tg::barrier_wait(here);
    tg::acc<Sum, S.m, S.n> acc(c[tg::ds<S.m>(0), tg::ds<S.n>(0)]);
    tg::wgmma(acc, x, tg::transpose_ref(y));
    o[tg::ds<S.m>(0), tg::ds<S.n>(0)] = acc[tg::all];
  });
}
TEGULA_INSTANTIATE("e4m3_e4m3_f32", product<Shape{64, 64, 32}, tg::e4m3, tg::e4m3, float>);
TEGULA_INSTANTIATE("e4m3_e5m2_f32", product<Shape{128, 24, 256}, tg::e4m3, tg::e5m2, float>);
TEGULA_INSTANTIATE("e5m2_e4m3_f32", product<Shape{64, 8, 96}, tg::e5m2, tg::e4m3, float>);
TEGULA_INSTANTIATE("e5m2_e5m2_f32", product<Shape{64, 104, 64}, tg::e5m2, tg::e5m2, float>);
TEGULA_INSTANTIATE("e4m3_e4m3_f16", product<Shape{64, 40, 128}, tg::e4m3, tg::e4m3, tg::f16>);
TEGULA_INSTANTIATE("e4m3_e5m2_f16", product<Shape{64, 16, 32}, tg::e4m3, tg::e5m2, tg::f16>);
TEGULA_INSTANTIATE("e5m2_e4m3_f16", product<Shape{128, 96, 64}, tg::e5m2, tg::e4m3, tg::f16>);
TEGULA_INSTANTIATE("e5m2_e5m2_f16", product<Shape{64, 8, 32}, tg::e5m2, tg::e5m2, tg::f16>);
TEGULA_INSTANTIATE("s8_s8", product<Shape{64, 8, 64}, tg::s8, tg::s8, tg::s32>);
TEGULA_INSTANTIATE("s8_u8", product<Shape{128, 24, 32}, tg::s8, tg::u8, tg::s32>);
TEGULA_INSTANTIATE("u8_s8", product<Shape{64, 256, 128}, tg::u8, tg::s8, tg::s32>);
TEGULA_INSTANTIATE("u8_u8", product<Shape{64, 48, 352}, tg::u8, tg::u8, tg::s32>);
TEGULA_INSTANTIATE("tf32_64_8_8", product<Shape{64, 8, 8}, float, float, float>);
TEGULA_INSTANTIATE("tf32_128_104_64", product<Shape{128, 104, 64}, float, float, float>);
TEGULA_INSTANTIATE("tf32_64_256_16", product<Shape{64, 256, 16}, float, float, float>);

// Sums that begin with zero, in a loop that may not run, and what is made of them leaves through shared memory.
TEGULA_KERNEL void steps_of_s8(tg::array<const tg::s8, 2> a, tg::array<const tg::u8, 2> b, tg::array<tg::s32, 2> o,
                               tg::s64 steps) {
  tg::kernel([=] {
    tg::smem<tg::s8, 64, 64> x;
    tg::smem<tg::u8, 64, 64> y;
    tg::smem<tg::s32, 64, 64> z;
    tg::barrier here{.num_arrivals = 2};
    const auto all = tg::ds<64>(0);
    tg::acc<tg::s32, 64, 64> acc;
    for (tg::s64 k = 0; k < steps; ++k) {
      tg::copy_gmem_to_smem(a.at(all, tg::ds<64>(k * 64)), x, here);
      tg::copy_gmem_to_smem(b.at(all, tg::ds<64>(k * 64)), y, here);
      tg::barrier_wait(here);
      tg::wgmma(acc, x, tg::transpose_ref(y));
      tg::wgmma_wait<0>();
    }
    z[tg::all] = acc[tg::all] * 2 - 1;
    tg::commit_smem();
    tg::copy_smem_to_gmem(z, o.at(all, all));
    tg::wait_smem_to_gmem<0>();
  });
}

// ---- Left factors in registers --------------------------------------------------------------------------------------

// c + a b^T, a loaded from shared memory and, for the second sum, from the array.
template <Shape S, class A, class B, class Sum>
TEGULA_KERNEL void held(tg::array<const A, 2> a, tg::array<const B, 2> b, tg::array<const Sum, 2> c,
                        tg::array<Sum, 2> o, tg::array<Sum, 2> p) {
  tg::kernel([=] {
    tg::smem<A, S.m, S.k> x;
    tg::smem<B, S.n, S.k> y;
    tg::barrier here{.num_arrivals = 2};
    const auto m = tg::ds<S.m>(0);
    const auto n = tg::ds<S.n>(0);
    const auto k = tg::ds<S.k>(0);
    tg::copy_gmem_to_smem(a.at(m, k), x, here);
    tg::copy_gmem_to_smem(b.at(n, k), y, here);
    tg::barrier_wait(here);
    tg::acc<Sum, S.m, S.n> first(c[m, n]), second(c[m, n]);
    tg::wgmma(first, x[tg::all], tg::transpose_ref(y));
    tg::wgmma(second, a[m, k], tg::transpose_ref(y));
    o[m, n] = first[tg::all];
    p[m, n] = second[tg::all];
  });
}
TEGULA_INSTANTIATE("held_e4m3_e5m2", held<Shape{128, 24, 64}, tg::e4m3, tg::e5m2, float>);
TEGULA_INSTANTIATE("held_e5m2_e4m3", held<Shape{64, 40, 32}, tg::e5m2, tg::e4m3, tg::f16>);
TEGULA_INSTANTIATE("held_s8_u8", held<Shape{64, 32, 96}, tg::s8, tg::u8, tg::s32>);
TEGULA_INSTANTIATE("held_u8_s8", held<Shape{128, 64, 128}, tg::u8, tg::s8, tg::s32>);
TEGULA_INSTANTIATE("held_tf32", held<Shape{64, 72, 40}, float, float, float>);

// What products make is rounded to 8 bits, and multiplied again: its elements change lanes.
TEGULA_KERNEL void requantized(tg::array<const tg::e4m3, 2> a, tg::array<const tg::e4m3, 2> b, tg::array<float, 2> o,
                               tg::array<float, 2> p) {
  tg::kernel([=] {
    tg::smem<tg::e4m3, 64, 64> x, y;
    tg::barrier here{.num_arrivals = 2};
    const auto all = tg::ds<64>(0);
    tg::copy_gmem_to_smem(a.at(all, all), x, here);
    tg::copy_gmem_to_smem(b.at(all, all), y, here);
    tg::barrier_wait(here);
    tg::acc<float, 64, 64> once, twice;
    tg::wgmma(once, x, tg::transpose_ref(y));
    const auto rounded = tg::astype<tg::e4m3>(once[tg::all] * 0.25f);
    tg::wgmma(twice, rounded, tg::transpose_ref(y));
    o[all, all] = tg::astype<float>(rounded);
    p[all, all] = twice[tg::all];
  });
}
