// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products whose left factor is computed on its way: converted, scaled, masked.
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> using matrix = tg::array<const T, 2>;

/// a b for a of another type.
template <class A, class B> TEGULA_KERNEL tg::array<float, 2> converted_product(matrix<A> a, matrix<B> b) {
  tg::check(a.dim(1) == b.dim(0), "the inner dimensions of a and b differ");
  auto o = tg::empty<float>(a.dim(0), b.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 128), tg::cdiv(b.dim(1), 128)}},
      [](auto a, auto b, auto o) { o[tg::all] = tg::dot(tg::astype<B>(a[tg::all]), b[tg::all]); },
      tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 128>(b, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<128, 128>(o, [](auto i, auto j) { return tg::index(i, j); }));
  return o;
}
TEGULA_INSTANTIATE("converted_f32_bf16", converted_product<float, tg::bf16>);
TEGULA_INSTANTIATE("converted_s8_f16", converted_product<tg::s8, tg::f16>);

/// The same of a as K x M.
TEGULA_KERNEL tg::array<float, 2> converted_and_turned(matrix<float> a, matrix<tg::f16> b) {
  tg::check(a.dim(0) == b.dim(0), "the inner dimensions of a and b differ");
  auto o = tg::empty<float>(a.dim(1), b.dim(1));
  tg::pallas_call(
      [](auto a, auto b, auto o) { o[tg::all] = tg::dot(tg::astype<tg::f16>(tg::transpose(a[tg::all])), b[tg::all]); },
      tg::in(a), tg::in(b), tg::out(o));
  return o;
}

/// (s a) b, with a number for each row of a, by a loop of the program.
TEGULA_KERNEL tg::array<float, 2> scaled_rows(matrix<tg::bf16> a, tg::array<const float, 1> s, matrix<tg::bf16> b) {
  tg::check(a.dim(1) == b.dim(0) && s.dim(0) == a.dim(0), "a, s and b do not fit");
  auto o = tg::empty<float>(a.dim(0), b.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 64), tg::cdiv(b.dim(1), 256)}},
      [](auto a, auto s, auto b, auto o) {
        auto sum = tg::zeros<float, 64, 256>();
        const auto scale = s[tg::all];
        for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), 64); ++k) {
          const auto rows = tg::astype<float>(a[tg::all, tg::ds<64>(64 * k)]) * scale[tg::all, tg::newaxis];
          sum += tg::dot(tg::astype<tg::bf16>(rows), b[tg::ds<64>(64 * k), tg::all]);
        }
        o[tg::all] = sum;
      },
      tg::in<64, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<64>(s, [](auto i, auto) { return tg::index(i); }),
      tg::in<tg::whole, 256>(b, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<64, 256>(o, [](auto i, auto j) { return tg::index(i, j); }));
  return o;
}

/// (1 / a + g) b, with a number for each column of a: behind its columns there are 0s, and 1 / 0 is infinite.
TEGULA_KERNEL tg::array<float, 2> inverse_product(matrix<tg::bf16> a, tg::array<const float, 1> g, matrix<tg::bf16> b) {
  tg::check(a.dim(1) == b.dim(0) && g.dim(0) == a.dim(1), "a, g and b do not fit");
  auto o = tg::empty<float>(a.dim(0), b.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 128), tg::cdiv(b.dim(1), 128)}},
      [](auto a, auto g, auto b, auto o) {
        const auto left = 1.0f / tg::astype<float>(a[tg::all]) + g[tg::newaxis, tg::all];
        o[tg::all] = tg::dot(tg::astype<tg::bf16>(left), b[tg::all]);
      },
      tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }), tg::in(g),
      tg::in<tg::whole, 128>(b, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<128, 128>(o, [](auto i, auto j) { return tg::index(i, j); }));
  return o;
}

/// The sum of a by two: its rows are read from both arrays.
TEGULA_KERNEL tg::array<float, 2> sum_times(matrix<tg::f16> a, matrix<tg::f16> c, matrix<tg::f16> b) {
  tg::check(a.dim(1) == b.dim(0) && c.dim(0) == a.dim(0) && c.dim(1) == a.dim(1), "a, c and b do not fit");
  auto o = tg::empty<float>(a.dim(0), b.dim(1));
  tg::pallas_call([](auto a, auto c, auto b, auto o) { o[tg::all] = tg::dot(a[tg::all] + c[tg::all], b[tg::all]); },
                  tg::in(a), tg::in(c), tg::in(b), tg::out(o));
  return o;
}

/// a b for b of another type.
template <class A, class B> TEGULA_KERNEL tg::array<float, 2> converted_weights(matrix<A> a, matrix<B> b) {
  tg::check(a.dim(1) == b.dim(0), "the inner dimensions of a and b differ");
  auto o = tg::empty<float>(a.dim(0), b.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 128), tg::cdiv(b.dim(1), 256)}},
      [](auto a, auto b, auto o) { o[tg::all] = tg::dot(a[tg::all], tg::astype<A>(b[tg::all])); },
      tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 256>(b, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<128, 256>(o, [](auto i, auto j) { return tg::index(i, j); }));
  return o;
}
TEGULA_INSTANTIATE("converted_weights_f32", converted_weights<tg::bf16, float>);
TEGULA_INSTANTIATE("converted_weights_s8", converted_weights<tg::f16, tg::s8>);

/// Weights of 8 bits as N x K, each row of them with numbers for 64 neighbours.
TEGULA_KERNEL tg::array<float, 2> quantized_weights(matrix<tg::bf16> a, matrix<tg::s8> b, matrix<float> s) {
  tg::check(a.dim(1) == b.dim(1) && s.dim(0) == tg::cdiv(b.dim(1), 64) && s.dim(1) == b.dim(0),
            "a, b and s do not fit");
  auto o = tg::empty<float>(a.dim(0), b.dim(0));
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 128), tg::cdiv(b.dim(0), 128)}},
      [](auto a, auto b, auto s, auto o) {
        auto sum = tg::zeros<float, 128, 128>();
        for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), 64); ++k) {
          const auto weights =
              tg::astype<float>(tg::transpose(b[tg::all, tg::ds<64>(64 * k)])) * s[k, tg::all][tg::newaxis, tg::all];
          sum += tg::dot(a[tg::all, tg::ds<64>(64 * k)], tg::astype<tg::bf16>(weights));
        }
        o[tg::all] = sum;
      },
      tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<128, tg::whole>(b, [](auto, auto j) { return tg::index(j, 0); }),
      tg::in<tg::whole, 128>(s, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<128, 128>(o, [](auto i, auto j) { return tg::index(i, j); }));
  return o;
}

/// a (1 / b + g), with a number for each row of b and one for each column: behind its rows there are 0s, and 1 / 0 is
/// infinite.
TEGULA_KERNEL tg::array<float, 2> inverse_weights(matrix<tg::bf16> a, matrix<tg::bf16> b, tg::array<const float, 1> g,
                                                  tg::array<const float, 1> h) {
  tg::check(a.dim(1) == b.dim(0) && g.dim(0) == b.dim(0) && h.dim(0) == b.dim(1), "a, b, g and h do not fit");
  auto o = tg::empty<float>(a.dim(0), b.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 128), tg::cdiv(b.dim(1), 128)}},
      [](auto a, auto b, auto g, auto h, auto o) {
        const auto right =
            (1.0f / tg::astype<float>(b[tg::all]) + g[tg::all][tg::all, tg::newaxis]) * h[tg::newaxis, tg::all];
        o[tg::all] = tg::dot(a[tg::all], tg::astype<tg::bf16>(right));
      },
      tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 128>(b, [](auto, auto j) { return tg::index(0, j); }), tg::in(g),
      tg::in<128>(h, [](auto, auto j) { return tg::index(j); }),
      tg::out<128, 128>(o, [](auto i, auto j) { return tg::index(i, j); }));
  return o;
}

/// Of f32, both of them rounded.
TEGULA_KERNEL tg::array<float, 2> rounded_product(matrix<float> a, matrix<float> b) {
  tg::check(a.dim(1) == b.dim(0), "the inner dimensions of a and b differ");
  auto o = tg::empty<float>(a.dim(0), b.dim(1));
  tg::pallas_call(
      [](auto a, auto b, auto o) {
        o[tg::all] = tg::dot(tg::astype<tg::f16>(a[tg::all]), tg::astype<tg::f16>(b[tg::all]));
      },
      tg::in(a), tg::in(b), tg::out(o));
  return o;
}

/// Of 8 bits, one of them doubled and the other one's signs changed.
TEGULA_KERNEL tg::array<tg::s32, 2> integers_computed(matrix<tg::s8> a, matrix<tg::s8> b) {
  tg::check(a.dim(1) == b.dim(0), "the inner dimensions of a and b differ");
  auto o = tg::empty<tg::s32>(a.dim(0), b.dim(1));
  tg::pallas_call([](auto a, auto b, auto o) { o[tg::all] = tg::dot(a[tg::all] + a[tg::all], -b[tg::all]); }, tg::in(a),
                  tg::in(b), tg::out(o));
  return o;
}
