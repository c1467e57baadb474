// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions down the columns of arrays, and of whole arrays, that are long enough for two passes.
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T, int Rank> using input = tg::array<const T, Rank>;
template <class T, int Rank> using output = tg::array<T, Rank>;

/// All reductions of each column.
template <class T>
TEGULA_KERNEL void columns(input<T, 2> x, output<T, 1> sum, output<T, 1> product, output<T, 1> greatest,
                           output<T, 1> least) {
  tg::check(x.dim(1) == sum.dim(0) && x.dim(1) == product.dim(0) && x.dim(1) == greatest.dim(0) &&
                x.dim(1) == least.dim(0),
            "the results differ in length from x");
  tg::pallas_call(
      [](auto x, auto sum, auto product, auto greatest, auto least) {
        const auto t = x[tg::all];
        sum[tg::all] = tg::sum<0>(t);
        product[tg::all] = tg::prod<0>(t);
        greatest[tg::all] = tg::max<0>(t);
        least[tg::all] = tg::min<0>(t);
      },
      tg::in(x), tg::out(sum), tg::out(product), tg::out(greatest), tg::out(least));
}
TEGULA_INSTANTIATE("columns_u8", columns<tg::u8>);
TEGULA_INSTANTIATE("columns_s32", columns<tg::s32>);
TEGULA_INSTANTIATE("columns_f16", columns<tg::f16>);
TEGULA_INSTANTIATE("columns_bf16", columns<tg::bf16>);
TEGULA_INSTANTIATE("columns_f32", columns<tg::f32>);
TEGULA_INSTANTIATE("columns_f64", columns<tg::f64>);

/// Whether one or all of a column's elements are above a limit.
TEGULA_KERNEL void columns_above(input<float, 2> x, float limit, output<bool, 1> any, output<bool, 1> all) {
  tg::check(x.dim(1) == any.dim(0) && x.dim(1) == all.dim(0), "the results differ in length from x");
  tg::pallas_call(
      [=](auto x, auto any, auto all) {
        const auto is_above = x[tg::all] > limit;
        any[tg::all] = tg::any_of<0>(is_above);
        all[tg::all] = tg::all_of<0>(is_above);
      },
      tg::in(x), tg::out(any), tg::out(all));
}

/// The gradients of a layernorm's weight and bias: two sums of what several arrays, of rows and of elements, make.
TEGULA_KERNEL void weight_gradients(input<tg::bf16, 2> dy, input<tg::bf16, 2> x, input<float, 1> mean,
                                    input<float, 1> rstd, output<float, 1> dweight, output<float, 1> dbias) {
  tg::check(dy.dim(0) == x.dim(0) && dy.dim(1) == x.dim(1) && mean.dim(0) == x.dim(0) && rstd.dim(0) == x.dim(0) &&
                dweight.dim(0) == x.dim(1) && dbias.dim(0) == x.dim(1),
            "the arrays do not fit");
  tg::pallas_call(
      [](auto dy, auto x, auto mean, auto rstd, auto dweight, auto dbias) {
        const auto g = tg::astype<float>(dy[tg::all]);
        const auto centred = tg::astype<float>(x[tg::all]) - mean[tg::all, tg::newaxis];
        dweight[tg::all] = tg::sum<0>(g * centred * rstd[tg::all, tg::newaxis]);
        dbias[tg::all] = tg::sum<0>(g);
      },
      tg::in(dy), tg::in(x), tg::in(mean), tg::in(rstd), tg::out(dweight), tg::out(dbias));
}

/// A mean and a mean of squares; beside them the array, twice as large.
TEGULA_KERNEL void column_statistics(input<float, 2> x, output<float, 1> mean, output<float, 1> square,
                                     output<float, 2> twice) {
  tg::check(x.dim(1) == mean.dim(0) && x.dim(1) == square.dim(0) && x.dim(0) == twice.dim(0) &&
                x.dim(1) == twice.dim(1),
            "the results do not fit x");
  tg::pallas_call(
      [](auto x, auto mean, auto square, auto twice) {
        const auto t = x[tg::all];
        const auto rows = static_cast<float>(x.dim(0));
        mean[tg::all] = tg::sum<0>(t) / rows;
        square[tg::all] = tg::sum<0>(t * t) / rows;
        twice[tg::all] = t + t;
      },
      tg::in(x), tg::out(mean), tg::out(square), tg::out(twice));
}

/// Over all but the last of three dimensions, and over the one in the middle.
TEGULA_KERNEL void of_three(input<float, 3> x, output<float, 1> last, output<float, 2> outer) {
  tg::check(x.dim(2) == last.dim(0) && x.dim(0) == outer.dim(0) && x.dim(2) == outer.dim(1),
            "the results do not fit x");
  tg::pallas_call([](auto x, auto last) { last[tg::all] = tg::sum<0, 1>(x[tg::all]); }, tg::in(x), tg::out(last));
  tg::pallas_call([](auto x, auto outer) { outer[tg::all] = tg::sum<1>(x[tg::all]); }, tg::in(x), tg::out(outer));
}

/// All of a matrix, whose rows are divided among programs, and each element as a part of it.
TEGULA_KERNEL void of_matrix(input<float, 2> x, output<float, 0> sum, output<float, 0> greatest,
                             output<float, 2> part) {
  tg::check(x.dim(0) == part.dim(0) && x.dim(1) == part.dim(1), "part has the shape of x");
  tg::pallas_call(
      [](auto x, auto sum, auto greatest) {
        sum[] = tg::sum(x[tg::all]);
        greatest[] = tg::max(x[tg::all]);
      },
      tg::in(x), tg::out(sum), tg::out(greatest));
  tg::pallas_call([](auto x, auto part) { part[tg::all] = x[tg::all] / tg::max(x[tg::all]); }, tg::in(x),
                  tg::out(part));
}
