// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products with few results and long sums, which many programs share where there is a GPU (split-K).
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> using matrix = tg::array<const T, 2>;
constexpr auto rows_of = [](auto i, auto) { return tg::index(i, 0); };
constexpr auto columns_of = [](auto, auto j) { return tg::index(0, j); };
constexpr auto block_of = [](auto i, auto j) { return tg::index(i, j); };

/// max(a b + bias, 0) in blocks of M x N, summed in steps of K by a loop of the program.
template <int M, int N, int K, class T, class Sum, class Result>
TEGULA_KERNEL tg::array<Result, 2> by_steps(matrix<T> a, matrix<T> b, tg::array<const Sum, 1> bias) {
  tg::check(a.dim(1) == b.dim(0) && b.dim(1) == bias.dim(0), "a, b and bias do not fit");
  auto o = tg::empty<Result>(a.dim(0), b.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), M), tg::cdiv(b.dim(1), N)}},
      [](auto a, auto b, auto bias, auto o) {
        auto sum = tg::zeros<Sum, M, N>();
        for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), K); ++k)
          sum += tg::dot(a[tg::all, tg::ds<K>(K * k)], b[tg::ds<K>(K * k), tg::all]);
        o[tg::all] = tg::astype<Result>(tg::maximum(sum + bias[tg::newaxis, tg::all], Sum(0)));
      },
      tg::in<M, tg::whole>(a, rows_of), tg::in<tg::whole, N>(b, columns_of),
      tg::in<N>(bias, [](auto, auto j) { return tg::index(j); }), tg::out<M, N>(o, block_of));
  return o;
}
TEGULA_INSTANTIATE("steps_bf16", by_steps<128, 256, 64, tg::bf16, float, tg::bf16>);
TEGULA_INSTANTIATE("steps_f16", by_steps<64, 64, 32, tg::f16, float, float>);
TEGULA_INSTANTIATE("steps_f64", by_steps<64, 64, 16, double, double, double>);
TEGULA_INSTANTIATE("steps_f32", by_steps<64, 128, 32, float, float, float>);

/// The same of b as N x K.
template <int M, int N, int K, class T, class Sum, class Result>
TEGULA_KERNEL tg::array<Result, 2> by_steps_of_rows(matrix<T> a, matrix<T> b, tg::array<const Sum, 1> bias) {
  tg::check(a.dim(1) == b.dim(1) && b.dim(0) == bias.dim(0), "a, b and bias do not fit");
  auto o = tg::empty<Result>(a.dim(0), b.dim(0));
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), M), tg::cdiv(b.dim(0), N)}},
      [](auto a, auto b, auto bias, auto o) {
        auto sum = tg::zeros<Sum, M, N>();
        for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), K); ++k)
          sum += tg::dot(a[tg::all, tg::ds<K>(K * k)], tg::transpose(b[tg::all, tg::ds<K>(K * k)]));
        o[tg::all] = tg::astype<Result>(tg::maximum(sum + bias[tg::newaxis, tg::all], Sum(0)));
      },
      tg::in<M, tg::whole>(a, rows_of), tg::in<N, tg::whole>(b, [](auto, auto j) { return tg::index(j, 0); }),
      tg::in<N>(bias, [](auto, auto j) { return tg::index(j); }), tg::out<M, N>(o, block_of));
  return o;
}
TEGULA_INSTANTIATE("rows_bf16", by_steps_of_rows<128, 128, 64, tg::bf16, float, float>);
TEGULA_INSTANTIATE("rows_e4m3", by_steps_of_rows<128, 128, 128, tg::e4m3, float, float>);
TEGULA_INSTANTIATE("rows_s8", by_steps_of_rows<64, 128, 128, tg::s8, tg::s32, tg::s32>);

/// All of a and b at once, stored as they are or transposed.
template <bool A, bool B, class T> TEGULA_KERNEL tg::array<float, 2> of_arrays(matrix<T> a, matrix<T> b) {
  tg::check(a.dim(A ? 0 : 1) == b.dim(B ? 1 : 0), "the inner dimensions of a and b differ");
  auto o = tg::empty<float>(a.dim(A ? 1 : 0), b.dim(B ? 0 : 1));
  tg::pallas_call(
      [](auto a, auto b, auto o) {
        if constexpr (A && B)
          o[tg::all] = tg::dot(tg::transpose(a[tg::all]), tg::transpose(b[tg::all]));
        else if constexpr (A)
          o[tg::all] = tg::dot(tg::transpose(a[tg::all]), b[tg::all]);
        else if constexpr (B)
          o[tg::all] = tg::dot(a[tg::all], tg::transpose(b[tg::all]));
        else
          o[tg::all] = tg::dot(a[tg::all], b[tg::all]);
      },
      tg::in(a), tg::in(b), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("arrays_bf16", of_arrays<false, false, tg::bf16>);
TEGULA_INSTANTIATE("arrays_bf16_at", of_arrays<true, false, tg::bf16>);
TEGULA_INSTANTIATE("arrays_bf16_bt", of_arrays<false, true, tg::bf16>);
TEGULA_INSTANTIATE("arrays_bf16_at_bt", of_arrays<true, true, tg::bf16>);
TEGULA_INSTANTIATE("arrays_f32", of_arrays<false, false, float>);

/// The gradient of weights: x^T g, added to what o has.
TEGULA_KERNEL void add_gradient(matrix<tg::bf16> x, matrix<tg::bf16> g, tg::array<float, 2> o) {
  tg::check(x.dim(0) == g.dim(0) && o.dim(0) == x.dim(1) && o.dim(1) == g.dim(1), "x, g and o do not fit");
  tg::pallas_call(
      [](auto x, auto g, auto o) { o[tg::all] = o[tg::all] + tg::dot(tg::transpose(x[tg::all]), g[tg::all]); },
      tg::in(x), tg::in(g), tg::inout(o));
}

/// x^T x: both factors are of one array.
TEGULA_KERNEL tg::array<float, 2> gram_matrix(matrix<tg::bf16> x) {
  auto o = tg::empty<float>(x.dim(1), x.dim(1));
  tg::pallas_call([](auto x, auto o) { o[tg::all] = tg::dot(tg::transpose(x[tg::all]), x[tg::all]); }, tg::in(x),
                  tg::out(o));
  return o;
}

/// Two by two blocks, whatever the sizes.
TEGULA_KERNEL tg::array<tg::bf16, 2> quarters(matrix<tg::bf16> a, matrix<tg::bf16> b) {
  tg::check(a.dim(1) == b.dim(0), "the inner dimensions of a and b differ");
  const auto m = tg::cdiv(a.dim(0), 2), n = tg::cdiv(b.dim(1), 2), k = a.dim(1);
  auto o = tg::empty<tg::bf16>(a.dim(0), b.dim(1));
  tg::pallas_call(
      {.grid = {2, 2}},
      [](auto a, auto b, auto o) { o[tg::all] = tg::astype<tg::bf16>(tg::dot(a[tg::all], b[tg::all])); },
      tg::in(a, {m, k}, rows_of), tg::in(b, {k, n}, columns_of), tg::out(o, {m, n}, block_of));
  return o;
}

/// (x w) * (x v), of two sums; in a loop that begins with what c has, or of whole rows. The difference is stored, too.
template <bool Loops>
TEGULA_KERNEL void of_two(matrix<tg::bf16> x, matrix<tg::bf16> w, matrix<tg::bf16> v, tg::array<const float, 2> c,
                          tg::array<float, 2> o, tg::array<float, 2> p) {
  tg::check(x.dim(1) == w.dim(0) && x.dim(1) == v.dim(0), "the inner dimensions differ");
  tg::check(o.dim(0) == x.dim(0) && o.dim(1) == w.dim(1) && o.dim(1) == v.dim(1), "o does not fit");
  tg::check(p.dim(0) == o.dim(0) && p.dim(1) == o.dim(1) && c.dim(0) == o.dim(0) && c.dim(1) == o.dim(1), "p, c, o");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 128), tg::cdiv(w.dim(1), 128)}},
      [](auto x, auto w, auto v, auto c, auto o, auto p) {
        if constexpr (Loops) {
          auto first = c[tg::all];
          auto second = tg::zeros<float, 128, 128>();
          for (tg::s64 k = 0; k < tg::cdiv(x.dim(1), 64); ++k) {
            const auto rows = x[tg::all, tg::ds<64>(64 * k)];
            first += tg::dot(rows, w[tg::ds<64>(64 * k), tg::all]);
            second += tg::dot(rows, v[tg::ds<64>(64 * k), tg::all]);
          }
          o[tg::all] = first * second;
          p[tg::all] = first - second;
        } else {
          const auto first = tg::dot(x[tg::all], w[tg::all]) + c[tg::all], second = tg::dot(x[tg::all], v[tg::all]);
          o[tg::all] = first * second;
          p[tg::all] = first - second;
        }
      },
      tg::in<128, tg::whole>(x, rows_of), tg::in<tg::whole, 128>(w, columns_of), tg::in<tg::whole, 128>(v, columns_of),
      tg::in<128, 128>(c, block_of), tg::out<128, 128>(o, block_of), tg::out<128, 128>(p, block_of));
}
TEGULA_INSTANTIATE("two_by_steps", of_two<true>);
TEGULA_INSTANTIATE("two_of_rows", of_two<false>);

/// Of a matrix of each batch, with the batch's number in the grid.
TEGULA_KERNEL tg::array<float, 3> batches(tg::array<const tg::bf16, 3> a, tg::array<const tg::bf16, 3> b) {
  tg::check(a.dim(2) == b.dim(1) && a.dim(0) == b.dim(0), "a and b do not fit");
  auto o = tg::empty<float>(a.dim(0), a.dim(1), b.dim(2));
  tg::pallas_call(
      {.grid = {a.dim(0), tg::cdiv(a.dim(1), 128), tg::cdiv(b.dim(2), 128)}},
      [](auto a, auto b, auto o) { o[tg::all] = tg::dot(a[tg::all], b[tg::all]); },
      tg::in<tg::squeezed, 128, tg::whole>(a, [](auto l, auto i, auto) { return tg::index(l, i, 0); }),
      tg::in<tg::squeezed, tg::whole, 128>(b, [](auto l, auto, auto j) { return tg::index(l, 0, j); }),
      tg::out<tg::squeezed, 128, 128>(o, [](auto l, auto i, auto j) { return tg::index(l, i, j); }));
  return o;
}

/// Factors that are computed: of a each column times a number, of b from where it is s8.
TEGULA_KERNEL tg::array<float, 2> computed(matrix<tg::bf16> a, matrix<tg::s8> b, tg::array<const tg::bf16, 1> scale) {
  tg::check(a.dim(1) == b.dim(0) && a.dim(1) == scale.dim(0), "a, b and scale do not fit");
  auto o = tg::empty<float>(a.dim(0), b.dim(1));
  tg::pallas_call(
      [](auto a, auto b, auto scale, auto o) {
        const auto left = a[tg::all] * scale[tg::newaxis, tg::all];
        o[tg::all] = tg::dot(left, tg::astype<tg::bf16>(b[tg::all]));
      },
      tg::in(a), tg::in(b), tg::in(scale), tg::out(o));
  return o;
}

/// A product of the first `depth` columns and rows, stored where a condition holds: beyond them there is NaN.
TEGULA_KERNEL void of_first(matrix<tg::bf16> a, matrix<tg::bf16> b, tg::array<float, 2> o, tg::s64 depth,
                            tg::s64 more) {
  tg::check(depth <= a.dim(1) && depth <= b.dim(0) && depth >= 0, "so many columns there are not");
  tg::check(o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  tg::pallas_call(
      [=](auto a, auto b, auto o) {
        const auto product = tg::dot(a[tg::all, tg::ds(0, depth)], b[tg::ds(0, depth), tg::all]);
        o[tg::all] = product;
        if (more > 0)
          o[tg::all] = product + 1.0f;
      },
      tg::in(a), tg::in(b), tg::inout(o));
}
