// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators on tiles of every element type.
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> using input = tg::array<const T, 1>;
template <class T> using output = tg::array<T, 1>;

template <class T>
TEGULA_KERNEL void arithmetic(input<T> x, input<T> y, output<T> sum, output<T> difference, output<T> product,
                              output<T> quotient, output<T> negated) {
  tg::check(x.dim(0) == y.dim(0) && x.dim(0) == sum.dim(0) && x.dim(0) == difference.dim(0) &&
                x.dim(0) == product.dim(0) && x.dim(0) == quotient.dim(0) && x.dim(0) == negated.dim(0),
            "the arrays differ in length");
  tg::pallas_call(
      [](auto x, auto y, auto sum, auto difference, auto product, auto quotient, auto negated) {
        const auto a = x[tg::all], b = y[tg::all];
        sum[tg::all] = a + b;
        difference[tg::all] = a - b;
        product[tg::all] = a * b;
        quotient[tg::all] = a / b;
        negated[tg::all] = -a;
      },
      tg::in(x), tg::in(y), tg::out(sum), tg::out(difference), tg::out(product), tg::out(quotient), tg::out(negated));
}
TEGULA_INSTANTIATE("arithmetic_s8", arithmetic<tg::s8>);
TEGULA_INSTANTIATE("arithmetic_s16", arithmetic<tg::s16>);
TEGULA_INSTANTIATE("arithmetic_s32", arithmetic<tg::s32>);
TEGULA_INSTANTIATE("arithmetic_s64", arithmetic<tg::s64>);
TEGULA_INSTANTIATE("arithmetic_u8", arithmetic<tg::u8>);
TEGULA_INSTANTIATE("arithmetic_u16", arithmetic<tg::u16>);
TEGULA_INSTANTIATE("arithmetic_u32", arithmetic<tg::u32>);
TEGULA_INSTANTIATE("arithmetic_u64", arithmetic<tg::u64>);
TEGULA_INSTANTIATE("arithmetic_f16", arithmetic<tg::f16>);
TEGULA_INSTANTIATE("arithmetic_bf16", arithmetic<tg::bf16>);
TEGULA_INSTANTIATE("arithmetic_f32", arithmetic<tg::f32>);
TEGULA_INSTANTIATE("arithmetic_f64", arithmetic<tg::f64>);

/// What integers have and floats lack. One array per operator; the shifts take any amount.
template <class T>
TEGULA_KERNEL void bitwise(input<T> x, input<T> y, input<T> amount, output<T> remainder, output<T> conjunction,
                           output<T> disjunction, output<T> exclusive, output<T> complement, output<T> left,
                           output<T> right) {
  tg::check(x.dim(0) == y.dim(0) && x.dim(0) == amount.dim(0) && x.dim(0) == remainder.dim(0) &&
                x.dim(0) == conjunction.dim(0) && x.dim(0) == disjunction.dim(0) && x.dim(0) == exclusive.dim(0) &&
                x.dim(0) == complement.dim(0) && x.dim(0) == left.dim(0) && x.dim(0) == right.dim(0),
            "the arrays differ in length");
  tg::pallas_call(
      [](auto x, auto y, auto amount, auto remainder, auto conjunction, auto disjunction, auto exclusive,
         auto complement, auto left, auto right) {
        const auto a = x[tg::all], b = y[tg::all], n = amount[tg::all];
        remainder[tg::all] = a % b;
        conjunction[tg::all] = a & b;
        disjunction[tg::all] = a | b;
        exclusive[tg::all] = a ^ b;
        complement[tg::all] = ~a;
        left[tg::all] = a << n;
        right[tg::all] = a >> n;
      },
      tg::in(x), tg::in(y), tg::in(amount), tg::out(remainder), tg::out(conjunction), tg::out(disjunction),
      tg::out(exclusive), tg::out(complement), tg::out(left), tg::out(right));
}
TEGULA_INSTANTIATE("bitwise_s8", bitwise<tg::s8>);
TEGULA_INSTANTIATE("bitwise_s16", bitwise<tg::s16>);
TEGULA_INSTANTIATE("bitwise_s32", bitwise<tg::s32>);
TEGULA_INSTANTIATE("bitwise_s64", bitwise<tg::s64>);
TEGULA_INSTANTIATE("bitwise_u8", bitwise<tg::u8>);
TEGULA_INSTANTIATE("bitwise_u16", bitwise<tg::u16>);
TEGULA_INSTANTIATE("bitwise_u32", bitwise<tg::u32>);
TEGULA_INSTANTIATE("bitwise_u64", bitwise<tg::u64>);

template <class T>
TEGULA_KERNEL void comparison(input<T> x, input<T> y, output<bool> less, output<bool> less_equal, output<bool> greater,
                              output<bool> greater_equal, output<bool> equal, output<bool> different) {
  tg::check(x.dim(0) == y.dim(0) && x.dim(0) == less.dim(0) && x.dim(0) == less_equal.dim(0) &&
                x.dim(0) == greater.dim(0) && x.dim(0) == greater_equal.dim(0) && x.dim(0) == equal.dim(0) &&
                x.dim(0) == different.dim(0),
            "the arrays differ in length");
  tg::pallas_call(
      [](auto x, auto y, auto less, auto less_equal, auto greater, auto greater_equal, auto equal, auto different) {
        const auto a = x[tg::all], b = y[tg::all];
        less[tg::all] = a < b;
        less_equal[tg::all] = a <= b;
        greater[tg::all] = a > b;
        greater_equal[tg::all] = a >= b;
        equal[tg::all] = a == b;
        different[tg::all] = a != b;
      },
      tg::in(x), tg::in(y), tg::out(less), tg::out(less_equal), tg::out(greater), tg::out(greater_equal),
      tg::out(equal), tg::out(different));
}
TEGULA_INSTANTIATE("comparison_bool", comparison<bool>);
TEGULA_INSTANTIATE("comparison_s8", comparison<tg::s8>);
TEGULA_INSTANTIATE("comparison_s16", comparison<tg::s16>);
TEGULA_INSTANTIATE("comparison_s32", comparison<tg::s32>);
TEGULA_INSTANTIATE("comparison_s64", comparison<tg::s64>);
TEGULA_INSTANTIATE("comparison_u8", comparison<tg::u8>);
TEGULA_INSTANTIATE("comparison_u16", comparison<tg::u16>);
TEGULA_INSTANTIATE("comparison_u32", comparison<tg::u32>);
TEGULA_INSTANTIATE("comparison_u64", comparison<tg::u64>);
TEGULA_INSTANTIATE("comparison_f16", comparison<tg::f16>);
TEGULA_INSTANTIATE("comparison_bf16", comparison<tg::bf16>);
TEGULA_INSTANTIATE("comparison_f32", comparison<tg::f32>);
TEGULA_INSTANTIATE("comparison_f64", comparison<tg::f64>);

TEGULA_KERNEL void logic(input<bool> x, input<bool> y, bool flag, output<bool> both, output<bool> either,
                         output<bool> neither, output<bool> one, output<bool> chosen) {
  tg::check(x.dim(0) == y.dim(0) && x.dim(0) == both.dim(0) && x.dim(0) == either.dim(0) &&
                x.dim(0) == neither.dim(0) && x.dim(0) == one.dim(0) && x.dim(0) == chosen.dim(0),
            "the arrays differ in length");
  tg::pallas_call(
      [=](auto x, auto y, auto both, auto either, auto neither, auto one, auto chosen) {
        const auto a = x[tg::all], b = y[tg::all];
        both[tg::all] = a && b & true;
        either[tg::all] = a || b | false;
        neither[tg::all] = !(a || b);
        one[tg::all] = a ^ b;
        chosen[tg::all] = tg::where(a, b, flag) && (flag || !b);
      },
      tg::in(x), tg::in(y), tg::out(both), tg::out(either), tg::out(neither), tg::out(one), tg::out(chosen));
}

/// Run-time scalars of every type, and constants that adapt: (x * a + 3) - a.
template <class T> TEGULA_KERNEL output<T> with_scalar(input<T> x, T a) {
  auto o = tg::empty_like(x);
  tg::pallas_call([=](auto x, auto o) { o[tg::all] = (x[tg::all] * a + 3) - a; }, tg::in(x), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("with_scalar_s8", with_scalar<tg::s8>);
TEGULA_INSTANTIATE("with_scalar_s16", with_scalar<tg::s16>);
TEGULA_INSTANTIATE("with_scalar_s32", with_scalar<tg::s32>);
TEGULA_INSTANTIATE("with_scalar_s64", with_scalar<tg::s64>);
TEGULA_INSTANTIATE("with_scalar_u8", with_scalar<tg::u8>);
TEGULA_INSTANTIATE("with_scalar_u16", with_scalar<tg::u16>);
TEGULA_INSTANTIATE("with_scalar_u32", with_scalar<tg::u32>);
TEGULA_INSTANTIATE("with_scalar_u64", with_scalar<tg::u64>);
TEGULA_INSTANTIATE("with_scalar_f16", with_scalar<tg::f16>);
TEGULA_INSTANTIATE("with_scalar_bf16", with_scalar<tg::bf16>);
TEGULA_INSTANTIATE("with_scalar_f32", with_scalar<tg::f32>);
TEGULA_INSTANTIATE("with_scalar_f64", with_scalar<tg::f64>);

/// Every compound assignment: x becomes (((((x + y) * 3 - y) / 2) % 100 << 2) ^ y) & 0x7f | 1, all >> 1.
TEGULA_KERNEL void compound(tg::array<int, 1> x, input<int> y) {
  tg::check(x.dim(0) == y.dim(0), "x and y differ in length");
  tg::pallas_call(
      [](auto x, auto y) {
        x[tg::all] += y[tg::all];
        auto t = x[tg::all];
        t *= 3;
        t -= y[tg::all];
        t /= 2;
        t %= 100;
        t <<= 2;
        t ^= y[tg::all];
        t &= 0x7f;
        t |= 1;
        t >>= 1;
        x[tg::all] = t;
      },
      tg::inout(x), tg::in(y));
}

/// Numbers where elements have no scalars: constants and run-time ones, of any shape, beside tiles and in places.
template <class T>
TEGULA_KERNEL void numbers(tg::array<const T, 2> x, tg::array<T, 2> o, tg::array<T, 2> p, tg::array<T, 2> q,
                           tg::array<T, 2> r, tg::s64 n, int k, float f) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(0) == p.dim(0) && x.dim(0) == q.dim(0) && x.dim(0) == r.dim(0), "rows");
  tg::check(x.dim(1) == o.dim(1) && x.dim(1) == p.dim(1) && x.dim(1) == q.dim(1) && x.dim(1) == r.dim(1), "columns");
  constexpr bool is_integer = __is_same(T, tg::s4) || __is_same(T, tg::u4);
  tg::pallas_call(
      [=](auto x, auto o, auto p, auto q, auto r) {
        const auto column = tg::iota<tg::s64>(x.dim(1));
        const auto mask = column < n;
        o[tg::all] = tg::where(mask, tg::load(x, column > 1, 3), 2);
        p[tg::all] = k;
        tg::store(p, 5, mask);
        auto t = tg::zeros_like(x[tg::all]);
        if (n > 2)
          t = 1;
        q[tg::all] = tg::where(mask, t, tg::full_like(t, k));
        if constexpr (is_integer)
          r[tg::all] = tg::where(mask, tg::full<T>(k, x.dim(0), x.dim(1)), tg::iota_like<T, 1>(t));
        else
          r[tg::all] = tg::where(mask, tg::full<T>(f, x.dim(0), x.dim(1)), 0.75);
      },
      tg::in(x), tg::out(o), tg::out(p), tg::out(q), tg::out(r));
}
TEGULA_INSTANTIATE("numbers_e4m3", numbers<tg::e4m3>);
TEGULA_INSTANTIATE("numbers_e5m2", numbers<tg::e5m2>);
TEGULA_INSTANTIATE("numbers_e8m0", numbers<tg::e8m0>);
TEGULA_INSTANTIATE("numbers_s4", numbers<tg::s4>);
TEGULA_INSTANTIATE("numbers_u4", numbers<tg::u4>);
TEGULA_INSTANTIATE("numbers_e2m1", numbers<tg::e2m1>);
