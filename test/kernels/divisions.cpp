// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divisions of f32: of a few elements a thread, of many, and of numbers.
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T, int Rank> using input = tg::array<const T, Rank>;

TEGULA_KERNEL void quotients(input<float, 1> x, input<float, 1> y, tg::array<float, 1> o) {
  tg::check(x.dim(0) == y.dim(0) && x.dim(0) == o.dim(0), "the arrays differ in length");
  tg::pallas_call([](auto x, auto y, auto o) { o[tg::all] = x[tg::all] / y[tg::all]; }, tg::in(x), tg::in(y),
                  tg::out(o));
}

/// Rows are register-resident: a thread has up to 32 elements.
TEGULA_KERNEL void quotients_of_rows(input<float, 2> x, input<float, 2> y, tg::array<float, 2> o,
                                     tg::array<float, 1> greatest) {
  tg::check(x.dim(0) == y.dim(0) && x.dim(0) == o.dim(0) && x.dim(1) == y.dim(1) && x.dim(1) == o.dim(1) &&
                x.dim(0) == greatest.dim(0),
            "the arrays differ in shape");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto y, auto o, auto greatest) {
        const auto q = x[tg::all] / y[tg::all];
        greatest[0] = tg::max(q);
        o[tg::all] = q;
      },
      tg::in<tg::squeezed, tg::whole>(x, [](auto i) { return tg::index(i, 0); }),
      tg::in<tg::squeezed, tg::whole>(y, [](auto i) { return tg::index(i, 0); }),
      tg::out<tg::squeezed, tg::whole>(o, [](auto i) { return tg::index(i, 0); }),
      tg::out<1>(greatest, [](auto i) { return tg::index(i); }));
}

/// A number by a number, once a program.
TEGULA_KERNEL void quotients_of_numbers(input<float, 1> x, input<float, 1> y, tg::array<float, 1> o) {
  tg::check(x.dim(0) == y.dim(0) && x.dim(0) == o.dim(0), "the arrays differ in length");
  const auto number = [](auto i) { return tg::index(i); };
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto y, auto o) {
        const float a = x[], b = y[];
        o[] = a / b;
      },
      tg::in<tg::squeezed>(x, number), tg::in<tg::squeezed>(y, number), tg::out<tg::squeezed>(o, number));
}

/// So many that each is the call of a function, of f32 and f64: each divides by a root, and is divided.
template <class T> TEGULA_KERNEL void many_quotients(input<T, 1> x, input<T, 1> y, tg::array<T, 1> o) {
  tg::check(x.dim(0) == y.dim(0) && x.dim(0) == o.dim(0), "the arrays differ in length");
  tg::pallas_call(
      [](auto x, auto y, auto o) {
        auto v = x[tg::all];
        tg::static_for<200>([&](auto i) { v = (v + y[tg::all] / T(i + 3)) / tg::sqrt(v / y[tg::all] * v + T(i)); });
        o[tg::all] = v;
      },
      tg::in(x), tg::in(y), tg::out(o));
}
TEGULA_INSTANTIATE("many_quotients_f32", many_quotients<float>);
TEGULA_INSTANTIATE("many_quotients_f64", many_quotients<double>);
