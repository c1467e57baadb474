// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto row_of = [](auto i) { return tg::index(i, 0); };

/// One row a program, of any length: a row that fits is read once, a longer one streams. Approximate functions miss
/// less than 2^-16 of a result (tegula/language/math.h), which the 8 bits of a bf16 do not show.
template <class T> TEGULA_KERNEL tg::array<T, 2> softmax(tg::array<const T, 2> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {x.dim(0)}, .approx_math = sizeof(T) < sizeof(float)},
      [](auto x, auto o) {
        const auto row = tg::astype<float>(x[tg::all]);
        const auto e = tg::exp(row - tg::max(row));
        o[tg::all] = tg::astype<T>(e / tg::sum(e));
      },
      tg::in<tg::squeezed, tg::whole>(x, row_of), tg::out<tg::squeezed, tg::whole>(o, row_of));
  return o;
}
TEGULA_INSTANTIATE("softmax_f32", softmax<float>);
TEGULA_INSTANTIATE("softmax_bf16", softmax<tg::bf16>);
