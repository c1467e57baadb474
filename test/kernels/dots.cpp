// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products and transpositions: every element type, operands transposed and computed, batches, blocks, loops.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto same = [](auto... i) { return tg::index(i...); };

template <class T, int Rank> using input = tg::array<const T, Rank>;

/// a b, in one program.
template <class T, class Sum> TEGULA_KERNEL tg::array<Sum, 2> product(input<T, 2> a, input<T, 2> b) {
  tg::check(a.dim(1) == b.dim(0), "the inner dimensions of a and b differ");
  auto c = tg::empty<Sum>(a.dim(0), b.dim(1));
  tg::pallas_call([](auto a, auto b, auto c) { c[tg::all] = tg::dot(a[tg::all], b[tg::all]); }, tg::in(a), tg::in(b),
                  tg::out(c));
  return c;
}
TEGULA_INSTANTIATE("product_s8", product<tg::s8, int>);
TEGULA_INSTANTIATE("product_u8", product<tg::u8, int>);
TEGULA_INSTANTIATE("product_s16", product<tg::s16, int>);
TEGULA_INSTANTIATE("product_u16", product<tg::u16, int>);
TEGULA_INSTANTIATE("product_s32", product<tg::s32, tg::s32>);
TEGULA_INSTANTIATE("product_u32", product<tg::u32, tg::u32>);
TEGULA_INSTANTIATE("product_s64", product<tg::s64, tg::s64>);
TEGULA_INSTANTIATE("product_u64", product<tg::u64, tg::u64>);
TEGULA_INSTANTIATE("product_f16", product<tg::f16, float>);
TEGULA_INSTANTIATE("product_bf16", product<tg::bf16, float>);
TEGULA_INSTANTIATE("product_f32", product<tg::f32, tg::f32>);
TEGULA_INSTANTIATE("product_f64", product<tg::f64, tg::f64>);

/// With operands that are transposed: tiles of a, places of b.
template <bool A, bool B> TEGULA_KERNEL tg::array<float, 2> transposed_product(input<float, 2> a, input<float, 2> b) {
  tg::check(a.dim(A ? 0 : 1) == b.dim(B ? 1 : 0), "the inner dimensions of a and b differ");
  auto c = tg::empty<float>(a.dim(A ? 1 : 0), b.dim(B ? 0 : 1));
  tg::pallas_call(
      [](auto a, auto b, auto c) {
        if constexpr (A && B)
          c[tg::all] = tg::dot(tg::transpose(a[tg::all]), tg::transpose_ref(b)[tg::all]);
        else if constexpr (A)
          c[tg::all] = tg::dot(tg::transpose<1, 0>(a[tg::all]), b[tg::all]);
        else
          c[tg::all] = tg::dot(a[tg::all], tg::transpose(b[tg::all]));
      },
      tg::in(a), tg::in(b), tg::out(c));
  return c;
}
TEGULA_INSTANTIATE("product_at_b", transposed_product<true, false>);
TEGULA_INSTANTIATE("product_a_bt", transposed_product<false, true>);
TEGULA_INSTANTIATE("product_at_bt", transposed_product<true, true>);

/// Two by two blocks, whatever the sizes.
TEGULA_KERNEL tg::array<float, 2> product_of_quarters(input<float, 2> a, input<float, 2> b) {
  tg::check(a.dim(1) == b.dim(0), "the inner dimensions of a and b differ");
  const auto m = tg::cdiv(a.dim(0), 2), n = tg::cdiv(b.dim(1), 2), k = a.dim(1);
  auto c = tg::empty<float>(a.dim(0), b.dim(1));
  tg::pallas_call(
      {.grid = {2, 2}}, [](auto a, auto b, auto c) { c[tg::all] = tg::dot(a[tg::all], b[tg::all]); },
      tg::in(a, {m, k}, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in(b, {k, n}, [](auto, auto j) { return tg::index(0, j); }), tg::out(c, {m, n}, same));
  return c;
}

/// Static blocks, and a loop over slices of K that extend past its edge.
template <int M, int N, int K, class T> TEGULA_KERNEL tg::array<float, 2> sliced_product(input<T, 2> a, input<T, 2> b) {
  tg::check(a.dim(1) == b.dim(0), "the inner dimensions of a and b differ");
  auto c = tg::empty<float>(a.dim(0), b.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), M), tg::cdiv(b.dim(1), N)}},
      [](auto a, auto b, auto c) {
        auto sum = tg::zeros<float, M, N>();
        for (tg::s64 k = 0; k < a.dim(1); k += K)
          sum += tg::dot(a[tg::all, tg::ds<K>(k)], b[tg::ds<K>(k), tg::all]);
        c[tg::all] = sum;
      },
      tg::in<M, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, N>(b, [](auto, auto j) { return tg::index(0, j); }), tg::out<M, N>(c, same));
  return c;
}
TEGULA_INSTANTIATE("sliced_product_f32", sliced_product<32, 64, 16, float>);
TEGULA_INSTANTIATE("sliced_product_bf16", sliced_product<64, 32, 32, tg::bf16>);
/// Sides that are no powers of two: 96 as it is, and 72 in 96.
TEGULA_INSTANTIATE("sliced_product_96", sliced_product<96, 72, 24, float>);
TEGULA_INSTANTIATE("sliced_product_odd", sliced_product<5, 3, 7, float>);

/// Operands and results that are computed: (2 a) b + c c^T, clamped.
TEGULA_KERNEL tg::array<float, 2> computed_product(input<float, 2> a, input<tg::bf16, 2> b, input<float, 2> c) {
  tg::check(a.dim(1) == b.dim(0) && a.dim(0) == c.dim(0) && b.dim(1) == c.dim(0), "a b and c c^T differ in shape");
  auto o = tg::empty<float>(c.dim(0), c.dim(0));
  tg::pallas_call(
      [](auto a, auto b, auto c, auto o) {
        const auto t = c[tg::all];
        auto sum = tg::dot(2 * a[tg::all], tg::astype<float>(b[tg::all]));
        sum += tg::dot(t, tg::transpose(t));
        o[tg::all] = tg::maximum(sum, -3.0f);
      },
      tg::in(a), tg::in(b), tg::in(c), tg::out(o));
  return o;
}

/// One product feeds the next, and a reduction: the scores of attention.
TEGULA_KERNEL tg::array<float, 2> attention(input<float, 2> q, input<float, 2> k, input<float, 2> v) {
  tg::check(q.dim(1) == k.dim(1) && k.dim(0) == v.dim(0), "q, k and v do not fit");
  auto o = tg::empty<float>(q.dim(0), v.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(q.dim(0), 16)}},
      [](auto q, auto k, auto v, auto o) {
        const auto s = tg::dot(q[tg::all], tg::transpose(k[tg::all]));
        const auto p = tg::exp(s - tg::max<1>(s, tg::keepdims));
        o[tg::all] = tg::dot(p, v[tg::all]) / tg::sum<1>(p, tg::keepdims);
      },
      tg::in<16, tg::whole>(q, [](auto i) { return tg::index(i, 0); }), tg::in(k), tg::in(v),
      tg::out<16, tg::whole>(o, [](auto i) { return tg::index(i, 0); }));
  return o;
}

/// Batches, of rank 3 and 4.
TEGULA_KERNEL tg::array<float, 3> batched_product(input<float, 3> a, input<float, 3> b) {
  tg::check(a.dim(0) == b.dim(0) && a.dim(2) == b.dim(1), "a and b do not fit");
  auto c = tg::empty<float>(a.dim(0), a.dim(1), b.dim(2));
  tg::pallas_call([](auto a, auto b, auto c) { c[tg::all] = tg::dot(a[tg::all], b[tg::all]); }, tg::in(a), tg::in(b),
                  tg::out(c));
  return c;
}
TEGULA_KERNEL tg::array<int, 4> batched_product_4(input<tg::s8, 4> a, input<tg::s8, 4> b) {
  tg::check(a.dim(0) == b.dim(0) && a.dim(1) == b.dim(1) && a.dim(3) == b.dim(3), "a and b do not fit");
  auto c = tg::empty<int>(a.dim(0), a.dim(1), a.dim(2), b.dim(2));
  tg::pallas_call(
      {.grid = {a.dim(0)}}, [](auto a, auto b, auto c) { c[tg::all] = tg::dot(a[tg::all], tg::transpose(b[tg::all])); },
      tg::in<1, tg::whole, tg::whole, tg::whole>(a, [](auto i) { return tg::index(i, 0, 0, 0); }),
      tg::in<1, tg::whole, tg::whole, tg::whole>(b, [](auto i) { return tg::index(i, 0, 0, 0); }),
      tg::out<1, tg::whole, tg::whole, tg::whole>(c, [](auto i) { return tg::index(i, 0, 0, 0); }));
  return c;
}

/// The greatest of the products of a batch, which a thread group thus has whole; in blocks.
template <class T> TEGULA_KERNEL tg::array<T, 2> greatest_product(input<T, 3> a, input<T, 3> b) {
  tg::check(a.dim(0) == b.dim(0) && a.dim(2) == b.dim(1) && a.dim(0) <= 3 && b.dim(2) <= 5, "a and b do not fit");
  auto c = tg::empty<T>(a.dim(1), b.dim(2));
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(1), 16)}},
      [](auto a, auto b, auto c) { c[tg::all] = tg::max<0>(tg::dot(a[tg::all], b[tg::all])); },
      tg::in<3, 16, tg::whole>(a, [](auto i) { return tg::index(0, i, 0); }),
      tg::in<3, tg::whole, 5>(b, [](auto) { return tg::index(0, 0, 0); }),
      tg::out<16, 5>(c, [](auto i) { return tg::index(i, 0); }));
  return c;
}
TEGULA_INSTANTIATE("greatest_product_s32", greatest_product<int>);
TEGULA_INSTANTIATE("greatest_product_f32", greatest_product<float>);
TEGULA_INSTANTIATE("greatest_product_s64", greatest_product<tg::s64>);

/// Products of all of a batch as factors of others: their rows in another order, and 4 x 8 of them together.
TEGULA_KERNEL tg::array<int, 3> product_across_batches(input<int, 3> a, input<int, 3> b, input<int, 3> c) {
  tg::check(a.dim(0) == 4 && a.dim(1) == 8 && a.dim(2) == b.dim(1) && b.dim(0) == 4 && b.dim(2) == 16 &&
                c.dim(0) == 8 && c.dim(1) == 4,
            "a, b and c do not fit");
  auto o = tg::empty<int>(8, 16, c.dim(2));
  tg::pallas_call(
      [](auto a, auto b, auto c, auto o) {
        const auto p = tg::dot(a[tg::all], b[tg::all]);
        o[tg::all] = tg::dot(tg::transpose<1, 2, 0>(p), c[tg::all]);
      },
      tg::in<4, 8, tg::whole>(a, [] { return tg::index(0, 0, 0); }),
      tg::in<4, tg::whole, 16>(b, [] { return tg::index(0, 0, 0); }),
      tg::in<8, 4, tg::whole>(c, [] { return tg::index(0, 0, 0); }),
      tg::out<8, 16, tg::whole>(o, [] { return tg::index(0, 0, 0); }));
  return o;
}

/// What is summed over is computed and long: factors take more memory than there is, all at a time.
TEGULA_KERNEL tg::array<float, 2> deep_product(input<float, 2> x, input<float, 2> y) {
  tg::check(x.dim(1) == y.dim(0) && x.dim(1) <= 256 && y.dim(1) <= 64, "x and y do not fit");
  auto o = tg::empty<float>(x.dim(0), y.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 32)}},
      [](auto x, auto y, auto o) {
        const auto t = x[tg::all];
        o[tg::all] = tg::dot(t - tg::max<1>(t)[tg::all, tg::newaxis], y[tg::all]);
      },
      tg::in<32, 256>(x, [](auto i) { return tg::index(i, 0); }),
      tg::in<256, 64>(y, [](auto) { return tg::index(0, 0); }),
      tg::out<32, 64>(o, [](auto i) { return tg::index(i, 0); }));
  return o;
}

/// A matrix times a vector, which is a matrix of one column.
TEGULA_KERNEL tg::array<double, 1> matrix_vector(input<double, 2> a, input<double, 1> x) {
  tg::check(a.dim(1) == x.dim(0), "a and x do not fit");
  auto y = tg::empty<double>(a.dim(0));
  tg::pallas_call([](auto a, auto x, auto y) { y[tg::all] = tg::dot(a[tg::all], x[tg::all, tg::newaxis])[tg::all, 0]; },
                  tg::in(a), tg::in(x), tg::out(y));
  return y;
}

// ---- Transposition --------------------------------------------------------------------------------------------------

template <class T> TEGULA_KERNEL tg::array<T, 2> transposed(input<T, 2> x) {
  auto o = tg::empty<T>(x.dim(1), x.dim(0));
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 32), tg::cdiv(x.dim(1), 64)}},
      [](auto x, auto o) { o[tg::all] = tg::transpose(x[tg::all]); }, tg::in<32, 64>(x, same),
      tg::out<64, 32>(o, [](auto i, auto j) { return tg::index(j, i); }));
  return o;
}
TEGULA_INSTANTIATE("transposed_u8", transposed<tg::u8>);
TEGULA_INSTANTIATE("transposed_bf16", transposed<tg::bf16>);
TEGULA_INSTANTIATE("transposed_f32", transposed<float>);
TEGULA_INSTANTIATE("transposed_s64", transposed<tg::s64>);

/// The transposed place is read, or written.
TEGULA_KERNEL tg::array<float, 2> read_transposed(input<float, 2> x) {
  auto o = tg::empty<float>(x.dim(1), x.dim(0));
  tg::pallas_call([](auto x, auto o) { o[tg::all] = 2 * tg::transpose_ref(x)[tg::all]; }, tg::in(x), tg::out(o));
  return o;
}
TEGULA_KERNEL tg::array<float, 2> write_transposed(input<float, 2> x) {
  auto o = tg::empty<float>(x.dim(1), x.dim(0));
  tg::pallas_call([](auto x, auto o) { tg::transpose_ref(o)[tg::all] = 3 * x[tg::all]; }, tg::in(x), tg::out(o));
  return o;
}

/// x + x^T, in place, of blocks along the diagonal: what is read is read before anything is written.
TEGULA_KERNEL void symmetric(tg::array<float, 2> x) {
  tg::check(x.dim(0) == x.dim(1) && x.dim(0) % 64 == 0, "x is not square, or not made of blocks of 64");
  tg::pallas_call(
      {.grid = {x.dim(0) / 64}}, [](auto x) { x[tg::all] = x[tg::all] + tg::transpose(x[tg::all]); },
      tg::inout<64, 64>(x, [](auto i) { return tg::index(i, i); }));
}

/// The same block stored twice, by other threads the second time: the later value is what stays.
TEGULA_KERNEL tg::array<float, 2> stored_twice(input<float, 2> x, input<float, 2> y, bool again) {
  tg::check(x.dim(0) == x.dim(1) && x.dim(0) % 64 == 0, "x is not square, or not made of blocks of 64");
  tg::check(y.dim(0) == x.dim(0) && y.dim(1) == x.dim(1), "x and y differ in shape");
  auto o = tg::empty_like(x);
  const auto here = [](auto i, auto j) { return tg::index(i, j); };
  tg::pallas_call(
      {.grid = {x.dim(0) / 64, x.dim(0) / 64}},
      [=](auto x, auto y, auto o) {
        o[tg::all] = x[tg::all];
        if (again)
          o[tg::all] = tg::transpose(y[tg::all]);
      },
      tg::in<64, 64>(x, here), tg::in<64, 64>(y, here), tg::out<64, 64>(o, here));
  return o;
}

/// o[k, i, j] = x[i, j, k] - the greatest x[i, j, :], one plane a program.
TEGULA_KERNEL tg::array<int, 3> rotated(input<int, 3> x) {
  auto o = tg::empty<int>(x.dim(2), x.dim(0), x.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 2)}},
      [](auto x, auto o) {
        const auto t = x[tg::all];
        o[tg::all] = tg::transpose<2, 0, 1>(t - tg::max<2>(t, tg::keepdims));
      },
      tg::in<2, tg::whole, tg::whole>(x, [](auto i) { return tg::index(i, 0, 0); }),
      tg::out<tg::whole, 2, tg::whole>(o, [](auto i) { return tg::index(0, i, 0); }));
  return o;
}
