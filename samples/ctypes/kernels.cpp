// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes C functions, each with its own case of what they take and return.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto row_of = [](auto i) { return tg::index(i, 0); };

/// x + y, of any length.
template <class T> TEGULA_KERNEL tg::array<T, 1> add_vectors(tg::array<const T, 1> x, tg::array<const T, 1> y) {
  tg::check(x.dim(0) == y.dim(0), "x and y differ in length");
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto y, auto o) { o[tg::all] = x[tg::all] + y[tg::all]; }, tg::in(x), tg::in(y),
                  tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("add_vectors", add_vectors<float>);
TEGULA_INSTANTIATE("add_vectors", add_vectors<double>);
TEGULA_INSTANTIATE("add_vectors", add_vectors<tg::bf16>);
TEGULA_INSTANTIATE("add_vectors", add_vectors<tg::s32>);

/// x = x factor + shift, in place; without a shift, x = x factor.
TEGULA_KERNEL void scale(tg::array<float, 2> x, float factor = 2.0f, tg::array<const float, 1> shift = {}) {
  tg::check(!shift || shift.dim(0) == x.dim(1), "shift has one entry per column of x");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [=](auto x, auto shift) {
        auto row = x[tg::all] * factor;
        if (shift)
          row += shift[tg::all];
        x[tg::all] = row;
      },
      tg::inout<tg::squeezed, tg::whole>(x, row_of), tg::in(shift));
}

/// The least and the greatest element of each row, and how many rows there are.
struct Extremes {
  tg::array<float, 1> least, greatest;
  tg::s64 rows;
};
TEGULA_KERNEL Extremes extremes(tg::array<const float, 2> x) {
  Extremes result{tg::empty<float>(x.dim(0)), tg::empty<float>(x.dim(0)), x.dim(0)};
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto least, auto greatest) {
        least[] = tg::min(x[tg::all]);
        greatest[] = tg::max(x[tg::all]);
      },
      tg::in<tg::squeezed, tg::whole>(x, row_of),
      tg::out<tg::squeezed>(result.least, [](auto i) { return tg::index(i); }),
      tg::out<tg::squeezed>(result.greatest, [](auto i) { return tg::index(i); }));
  return result;
}

/// A step of gradient descent, of all parameters in one launch: p -= rate g, in place.
TEGULA_KERNEL void descend(tg::arrays<float, 1> parameters, tg::arrays<const float, 1> gradients, float rate) {
  tg::check(parameters.size() == gradients.size() && parameters.dim(1) == gradients.dim(1),
            "there is a gradient of each parameter, of its length");
  tg::pallas_call(
      {.grid = {parameters.size()}}, [=](auto p, auto g) { p[tg::all] = p[tg::all] - rate * g[tg::all]; },
      tg::inout<tg::squeezed, tg::whole>(parameters, row_of), tg::in<tg::squeezed, tg::whole>(gradients, row_of));
}

/// 0, 1, 2 ... n - 1.
TEGULA_KERNEL tg::array<int, 1> count(int n) {
  tg::check(n >= 0, "n is negative");
  auto o = tg::empty<int>(n);
  tg::pallas_call([](auto o) { o[tg::all] = tg::iota<int>(o.dim(0)); }, tg::out(o));
  return o;
}
