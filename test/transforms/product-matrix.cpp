// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %python %S/product_matrix.py %s
// Every type, transposition and architecture: which instruction multiplies is in product_matrix.py.
#include <tegula/tegula.h>
namespace tg = tegula;
template <bool TurnsA, bool TurnsB>
TEGULA_KERNEL void product(tg::array<const LEFT, 2> a, tg::array<const RIGHT, 2> b, tg::array<SUM, 2> o) {
  tg::check(a.dim(TurnsA ? 0 : 1) == b.dim(TurnsB ? 1 : 0), "the inner dimensions of a and b differ");
  tg::check(a.dim(TurnsA ? 1 : 0) == o.dim(0) && b.dim(TurnsB ? 0 : 1) == o.dim(1), "o does not fit");
  tg::pallas_call(
      [](auto a, auto b, auto o) {
        const auto turned = [](const auto &x, auto turns) {
          if constexpr (turns)
            return tg::transpose(x);
          else
            return x;
        };
        o[tg::all] = tg::dot(turned(a[tg::all], tg::constant<TurnsA>{}), turned(b[tg::all], tg::constant<TurnsB>{}), {.precision = tg::precision::PRECISION});
      },
      tg::in(a), tg::in(b), tg::out(o));
}
TEGULA_INSTANTIATE("nn", product<false, false>);
TEGULA_INSTANTIATE("nt", product<false, true>);
TEGULA_INSTANTIATE("tn", product<true, false>);
TEGULA_INSTANTIATE("tt", product<true, true>);
