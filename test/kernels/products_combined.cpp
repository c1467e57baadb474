// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that do more with products than to add them up: sums of each step are scaled, or what has been summed is.
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> using matrix = tg::array<const T, 2>;

/// Groups of 64 along the depth, each with a scale for every row of x and every row of w, which is N x K.
template <class T, class Sum>
TEGULA_KERNEL tg::array<float, 2> product_of_groups(matrix<T> x, matrix<T> w, matrix<float> of_x, matrix<float> of_w) {
  tg::check(x.dim(1) == w.dim(1), "the inner dimensions of x and w differ");
  tg::check(of_x.dim(0) == x.dim(0) && of_x.dim(1) == tg::cdiv(x.dim(1), 64), "of_x has a scale for each group of x");
  tg::check(of_w.dim(0) == w.dim(0) && of_w.dim(1) == of_x.dim(1), "of_w has a scale for each group of w");
  auto o = tg::empty<float>(x.dim(0), w.dim(0));
  const auto rows = [](auto i, auto) { return tg::index(i, 0); };
  const auto columns = [](auto, auto j) { return tg::index(j, 0); };
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 128), tg::cdiv(w.dim(0), 128)}},
      [](auto x, auto w, auto of_x, auto of_w, auto o) {
        auto sum = tg::zeros<float, 128, 128>();
        for (tg::s64 k = 0; k < tg::cdiv(x.dim(1), 64); ++k) {
          const auto group = tg::ds<64>(64 * k);
          const auto product = tg::dot(x[tg::all, group], tg::transpose(w[tg::all, group]));
          sum += tg::astype<float>(product) * of_x[tg::all, k][tg::all, tg::newaxis] *
                 of_w[tg::all, k][tg::newaxis, tg::all];
        }
        o[tg::all] = sum;
      },
      tg::in<128, tg::whole>(x, rows), tg::in<128, tg::whole>(w, columns), tg::in<128, tg::whole>(of_x, rows),
      tg::in<128, tg::whole>(of_w, columns), tg::out<128, 128>(o, [](auto i, auto j) { return tg::index(i, j); }));
  return o;
}
TEGULA_INSTANTIATE("groups_e4m3", product_of_groups<tg::e4m3, float>);
TEGULA_INSTANTIATE("groups_s8", product_of_groups<tg::s8, tg::s32>);
TEGULA_INSTANTIATE("groups_f16", product_of_groups<tg::f16, float>);

enum class Way { subtracted, decayed, both_signs };

/// Of a, M x K, and b, K x N, from c on: c - a b; ((c d0 + a0 b0) d1 + a1 b1) ...; c + a b - |a| b.
template <Way How>
TEGULA_KERNEL tg::array<float, 2> combined(matrix<tg::bf16> a, matrix<tg::bf16> b, matrix<float> c,
                                           tg::array<const float, 1> d) {
  tg::check(a.dim(1) == b.dim(0) && c.dim(0) == a.dim(0) && c.dim(1) == b.dim(1), "a, b and c do not fit");
  tg::check(d.dim(0) == tg::cdiv(a.dim(1), 64), "d has a number for each step");
  auto o = tg::empty_like(c);
  const auto block = [](auto i, auto j) { return tg::index(i, j); };
  tg::pallas_call(
      {.grid = {tg::cdiv(c.dim(0), 64), tg::cdiv(c.dim(1), 96)}},
      [=](auto a, auto b, auto c, auto o) {
        auto sum = c[tg::all];
        for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), 64); ++k) {
          const auto step = tg::ds<64>(64 * k);
          const auto product = tg::dot(a[tg::all, step], b[step, tg::all]);
          if constexpr (How == Way::subtracted)
            sum -= product;
          else if constexpr (How == Way::decayed)
            sum = sum * d[k] + product;
          else
            sum = sum + product - tg::dot(tg::abs(a[tg::all, step]), b[step, tg::all]);
        }
        o[tg::all] = sum;
      },
      tg::in<64, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 96>(b, [](auto, auto j) { return tg::index(0, j); }), tg::in<64, 96>(c, block),
      tg::out<64, 96>(o, block));
  return o;
}
TEGULA_INSTANTIATE("subtracted", combined<Way::subtracted>);
TEGULA_INSTANTIATE("decayed", combined<Way::decayed>);
TEGULA_INSTANTIATE("both_signs", combined<Way::both_signs>);
