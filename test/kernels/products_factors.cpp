// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products whose right factors, or both, are computed on their way: weights of other types, scales, masks.
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> using matrix = tg::array<const T, 2>;
using vector = tg::array<const float, 1>;

/// What becomes of weights w, with numbers s for its columns: they are converted, scaled, or 1 / w + 1, which is no 0
/// where they end. `turned` and `turned_after` are of w as N x K.
enum class Right { converted, scaled, inverse, turned, turned_after };

/// a w, of the first `depth` columns of a and rows of w.
template <Right Form, class A, class W>
TEGULA_KERNEL tg::array<float, 2> weighted(matrix<A> a, matrix<W> w, vector s, tg::s64 depth) {
  constexpr bool turns = Form == Right::turned || Form == Right::turned_after;
  const auto n = w.dim(turns ? 0 : 1);
  tg::check(depth <= a.dim(1) && depth <= w.dim(turns ? 1 : 0) && s.dim(0) == n, "a, w and s do not fit");
  auto o = tg::empty<float>(a.dim(0), n);
  tg::pallas_call(
      [=](auto a, auto w, auto s, auto o) {
        const auto left = a[tg::all, tg::ds(0, depth)];
        if constexpr (Form == Right::converted) {
          o[tg::all] = tg::dot(left, tg::astype<A>(w[tg::ds(0, depth), tg::all]));
        } else if constexpr (Form == Right::scaled) {
          const auto right = tg::astype<float>(w[tg::ds(0, depth), tg::all]) * s[tg::newaxis, tg::all];
          o[tg::all] = tg::dot(left, tg::astype<A>(right));
        } else if constexpr (Form == Right::inverse) {
          const auto right = 1.0f / tg::astype<float>(w[tg::ds(0, depth), tg::all]) + 1;
          o[tg::all] = tg::dot(left, tg::astype<A>(right));
        } else if constexpr (Form == Right::turned) {
          o[tg::all] = tg::dot(left, tg::astype<A>(tg::transpose(w[tg::all, tg::ds(0, depth)])));
        } else {
          const auto right = tg::astype<float>(w[tg::all, tg::ds(0, depth)]) * s[tg::all, tg::newaxis];
          o[tg::all] = tg::dot(left, tg::transpose(tg::astype<A>(right)));
        }
      },
      tg::in(a), tg::in(w), tg::in(s), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("converted_s8", weighted<Right::converted, tg::f16, tg::s8>);
TEGULA_INSTANTIATE("converted_f32", weighted<Right::converted, tg::bf16, float>);
TEGULA_INSTANTIATE("converted_e4m3", weighted<Right::converted, tg::f16, tg::e4m3>);
TEGULA_INSTANTIATE("scaled_s8", weighted<Right::scaled, tg::f16, tg::s8>);
TEGULA_INSTANTIATE("inverse_f16", weighted<Right::inverse, tg::f16, tg::f16>);
TEGULA_INSTANTIATE("turned_f32", weighted<Right::turned, tg::f16, float>);
TEGULA_INSTANTIATE("turned_after_s8", weighted<Right::turned_after, tg::f16, tg::s8>);

/// Both factors are computed: the left one of sums with numbers for the depth, the right one without what is below the
/// diagonal of the array.
TEGULA_KERNEL tg::array<float, 2> both_computed(matrix<tg::f16> a, vector g, matrix<float> b) {
  tg::check(a.dim(1) == b.dim(0) && g.dim(0) == a.dim(1), "a, g and b do not fit");
  auto o = tg::empty<float>(a.dim(0), b.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 64), tg::cdiv(b.dim(1), 128)}},
      [](auto a, auto g, auto b, auto o) {
        auto sum = tg::zeros<float, 64, 128>();
        for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), 64); ++k) {
          const auto left = tg::astype<float>(a[tg::all, tg::ds<64>(64 * k)]) + g[tg::newaxis, tg::ds<64>(64 * k)];
          const auto row = tg::broadcasted_iota<int, 0, 64, 128>() + static_cast<int>(64 * k);
          const auto column = tg::broadcasted_iota<int, 1, 64, 128>() + static_cast<int>(128 * tg::program_id(1));
          const auto right = b[tg::ds<64>(64 * k), tg::all];
          sum += tg::dot(tg::astype<tg::f16>(left), tg::astype<tg::f16>(tg::where(row <= column, right, 0.0f)));
        }
        o[tg::all] = sum;
      },
      tg::in<64, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }), tg::in(g),
      tg::in<tg::whole, 128>(b, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<64, 128>(o, [](auto i, auto j) { return tg::index(i, j); }));
  return o;
}

/// silu(x w) * (x v) of weights in 8 bits, with a number for each column of 64 rows of them.
TEGULA_KERNEL tg::array<tg::f16, 2> gated_s8(matrix<tg::f16> x, matrix<tg::s8> w, matrix<float> of_w, matrix<tg::s8> v,
                                             matrix<float> of_v) {
  tg::check(x.dim(1) == w.dim(0) && x.dim(1) == v.dim(0) && w.dim(1) == v.dim(1), "x, w and v do not fit");
  tg::check(of_w.dim(0) == tg::cdiv(x.dim(1), 64) && of_w.dim(1) == w.dim(1), "of_w does not fit");
  tg::check(of_v.dim(0) == of_w.dim(0) && of_v.dim(1) == w.dim(1), "of_v does not fit");
  auto o = tg::empty<tg::f16>(x.dim(0), w.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 128), tg::cdiv(w.dim(1), 128)}},
      [](auto x, auto w, auto of_w, auto v, auto of_v, auto o) {
        auto gate = tg::zeros<float, 128, 128>(), up = tg::zeros<float, 128, 128>();
        for (tg::s64 k = 0; k < tg::cdiv(x.dim(1), 64); ++k) {
          const auto rows = x[tg::all, tg::ds<64>(64 * k)];
          const auto scaled = [&](auto weights, auto scales) {
            const auto values = tg::astype<float>(weights[tg::ds<64>(64 * k), tg::all]);
            return tg::astype<tg::f16>(values * scales[k, tg::newaxis, tg::all]);
          };
          gate += tg::dot(rows, scaled(w, of_w));
          up += tg::dot(rows, scaled(v, of_v));
        }
        o[tg::all] = tg::astype<tg::f16>(gate * tg::logistic(gate) * up);
      },
      tg::in<128, tg::whole>(x, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 128>(w, [](auto, auto j) { return tg::index(0, j); }),
      tg::in<tg::whole, 128>(of_w, [](auto, auto j) { return tg::index(0, j); }),
      tg::in<tg::whole, 128>(v, [](auto, auto j) { return tg::index(0, j); }),
      tg::in<tg::whole, 128>(of_v, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<128, 128>(o, [](auto i, auto j) { return tg::index(i, j); }));
  return o;
}

/// The right factor of a step is a page of w: the one that `pages` names, the same with a scaled left factor, or every
/// other one.
enum class Pages { named, scaled, counted };

/// The sum of a(:, i, :) w(page of i).
template <Pages Form>
TEGULA_KERNEL tg::array<float, 2> of_pages(tg::array<const tg::f16, 3> a, tg::array<const tg::f16, 3> w,
                                           tg::array<const int, 1> pages, tg::array<const tg::f16, 1> scales) {
  tg::check(a.dim(2) == 64 && w.dim(1) == 64 && scales.dim(0) == w.dim(0), "a, w and scales do not fit");
  tg::check(pages.dim(0) == a.dim(1), "pages do not fit");
  auto o = tg::empty<float>(a.dim(0), w.dim(2));
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 128), tg::cdiv(w.dim(2), 64)}},
      [](auto a, auto w, auto pages, auto scales, auto o) {
        auto sum = tg::zeros<float, 128, 64>();
        int next = 1;
        for (tg::s64 i = 0; i < a.dim(1); ++i) {
          if constexpr (Form == Pages::counted) {
            sum += tg::dot(a[tg::all, i, tg::all], w[next, tg::all, tg::all]);
            next += 2;
          } else {
            const int page = pages[i];
            auto left = a[tg::all, i, tg::all];
            if constexpr (Form == Pages::scaled)
              sum += tg::dot(left * scales[page], w[page, tg::all, tg::all]);
            else
              sum += tg::dot(left, w[page, tg::all, tg::all]);
          }
        }
        o[tg::all] = sum;
      },
      tg::in<128, tg::whole, 64>(a, [](auto i, auto) { return tg::index(i, 0, 0); }),
      tg::in<tg::whole, 64, 64>(w, [](auto, auto j) { return tg::index(0, 0, j); }), tg::in(pages), tg::in(scales),
      tg::out<128, 64>(o, [](auto i, auto j) { return tg::index(i, j); }));
  return o;
}
TEGULA_INSTANTIATE("of_named_pages", of_pages<Pages::named>);
TEGULA_INSTANTIATE("of_scaled_pages", of_pages<Pages::scaled>);
TEGULA_INSTANTIATE("of_counted_pages", of_pages<Pages::counted>);
