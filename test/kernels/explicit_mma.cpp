// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of warps at the explicit level, of what threads copy themselves.
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> using matrix = tg::array<const T, 2>;

/// a b in whole blocks of M x N, in steps of K, of a ring of so many stages. With `Turns`, b is N x K.
template <int M, int N, int K, int Stages, bool Turns, class T, class Result>
TEGULA_KERNEL tg::array<Result, 2> product(matrix<T> a, matrix<T> b) {
  tg::check(a.dim(1) == b.dim(Turns ? 1 : 0), "a and b do not fit");
  const auto columns = b.dim(Turns ? 0 : 1);
  auto o = tg::empty<Result>(M * tg::cdiv(a.dim(0), M), N * tg::cdiv(columns, N));
  tg::kernel({.grid = {{"m", tg::cdiv(a.dim(0), M)}, {"n", tg::cdiv(columns, N)}}}, [=] {
    const auto m = M * tg::axis_index("m"), n = N * tg::axis_index("n");
    const auto steps = tg::cdiv(a.dim(1), K);
    tg::smem<T, Stages, M, K> x;
    tg::smem<T, Stages, Turns ? N : K, Turns ? K : N> y;
    const auto fetch = [&](tg::s64 k) {
      const auto depth = tg::ds<K>(K * k);
      tg::cp_async(a.at(tg::ds<M>(m), depth), x.at(k % Stages), {.predicate = k < steps});
      if constexpr (Turns)
        tg::cp_async(b.at(tg::ds<N>(n), depth), y.at(k % Stages), {.predicate = k < steps});
      else
        tg::cp_async(b.at(depth, tg::ds<N>(n)), y.at(k % Stages), {.predicate = k < steps});
      tg::cp_async_commit();
    };
    for (tg::s64 k = 0; k < Stages - 1; ++k)
      fetch(k);
    auto sum = tg::zeros<Result, M, N>();
    for (tg::s64 k = 0; k < steps; ++k) {
      tg::cp_async_wait<Stages - 2>(); // Nobody reads the stage of the step before any more, either.
      fetch(k + Stages - 1);
      const auto left = x.at(k % Stages)[tg::all];
      if constexpr (Turns)
        sum = tg::mma(sum, left, tg::transpose_ref(y.at(k % Stages))[tg::all]);
      else
        sum = tg::mma(sum, left, y.at(k % Stages)[tg::all]);
    }
    o[tg::ds<M>(m), tg::ds<N>(n)] = sum;
  });
  return o;
}
TEGULA_INSTANTIATE("bf16_128_128_32_3", product<128, 128, 32, 3, false, tg::bf16, float>);
TEGULA_INSTANTIATE("f16_64_64_64_2_nt", product<64, 64, 64, 2, true, tg::f16, float>);
TEGULA_INSTANTIATE("tf32_64_32_16_4", product<64, 32, 16, 4, false, float, float>);
TEGULA_INSTANTIATE("s8_32_64_64_3_nt", product<32, 64, 64, 3, true, tg::s8, tg::s32>);
TEGULA_INSTANTIATE("e4m3_64_64_32_3", product<64, 64, 32, 3, false, tg::e4m3, float>);
TEGULA_INSTANTIATE("f64_64_32_16_3", product<64, 32, 16, 3, false, double, double>);

/// Tiles need not come from shared memory as they are: (2 a) b^T, of threads that each have 64 rows.
TEGULA_KERNEL tg::array<float, 2> computed_product(matrix<float> a, matrix<tg::bf16> b) {
  tg::check(a.dim(0) == 128 && a.dim(1) == 64 && b.dim(0) == 64 && b.dim(1) == 64, "a is 128 x 64, b 64 x 64");
  auto o = tg::empty<float>(128, 64);
  tg::kernel({.threads = {"wg", 2}}, [=] {
    const auto rows = tg::ds<64>(64 * tg::axis_index("wg"));
    tg::smem<tg::bf16, 2, 64, 64> y;
    const auto mine = y.at(tg::axis_index("wg"));
    tg::cp_async(b.at(tg::ds<64>(0), tg::ds<64>(0)), mine);
    tg::cp_async_commit();
    const auto left = tg::astype<tg::bf16>(a[rows, tg::ds<64>(0)] * 2.0f);
    tg::cp_async_wait<0>();
    o[rows, tg::ds<64>(0)] = tg::mma(tg::zeros<float, 64, 64>(), left, tg::transpose(mine[tg::all]));
  });
  return o;
}
