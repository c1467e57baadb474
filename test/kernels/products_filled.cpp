// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of factors that are filled with zeros where their arrays end, in any direction.
#include <tegula/tegula.h>
namespace tg = tegula;

// c may be larger than the product, and the sum longer than either factor.
template <class T, int M, int N, int K, bool Turns>
TEGULA_KERNEL void filled(tg::array<const T, 2> a, tg::array<const T, 2> b, tg::array<float, 2> c, tg::s64 depth) {
  tg::pallas_call(
      {.grid = {tg::cdiv(c.dim(0), M), tg::cdiv(c.dim(1), N)}},
      [=](auto a, auto b, auto c) {
        auto sum = tg::zeros<float, M, N>();
        for (tg::s64 k = 0; k < depth; k += K) {
          const auto left = tg::load(a.at(tg::all, tg::ds<K>(k)), true, 0);
          if constexpr (Turns)
            sum += tg::dot(left, tg::transpose(tg::load(b.at(tg::all, tg::ds<K>(k)), true, 0)));
          else
            sum += tg::dot(left, tg::load(b.at(tg::ds<K>(k)), true, 0));
        }
        tg::store(c, sum, true);
      },
      tg::in<M, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<Turns ? N : tg::whole, Turns ? tg::whole : N>(
          b, [](auto, auto j) { return Turns ? tg::index(j, 0) : tg::index(0, j); }),
      tg::out<M, N>(c, [](auto i, auto j) { return tg::index(i, j); }));
}
TEGULA_INSTANTIATE("filled_bf16", filled<tg::bf16, 128, 128, 64, false>);
TEGULA_INSTANTIATE("filled_f16_turned", filled<tg::f16, 64, 256, 128, true>);
