// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes operators of PyTorch, each with its own case of what operators take.
#include <tegula/tegula.h>

#include <type_traits>
namespace tg = tegula;

constexpr auto row_of = [](auto i) { return tg::index(i, 0); };

/// What rows are computed in: float, or double for doubles.
template <class T> using wide = std::conditional_t<std::is_same_v<T, double>, double, float>;

/// x + y, of any length.
template <class T> TEGULA_KERNEL tg::array<T, 1> add_vectors(tg::array<const T, 1> x, tg::array<const T, 1> y) {
  tg::check(x.dim(0) == y.dim(0), "x and y differ in length");
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto y, auto o) { o[tg::all] = x[tg::all] + y[tg::all]; }, tg::in(x), tg::in(y),
                  tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("add_vectors", add_vectors<float>);
TEGULA_INSTANTIATE("add_vectors", add_vectors<tg::f16>);
TEGULA_INSTANTIATE("add_vectors", add_vectors<tg::bf16>);
TEGULA_INSTANTIATE("add_vectors", add_vectors<double>);
TEGULA_INSTANTIATE("add_vectors", add_vectors<tg::s32>);
TEGULA_INSTANTIATE("add_vectors", add_vectors<tg::s64>);
TEGULA_INSTANTIATE("add_vectors", add_vectors<tg::u8>);

/// x = x factor + shift, in place; without a shift, x = x factor.
TEGULA_KERNEL void scale_(tg::array<float, 2> x, float factor = 2.0f, tg::array<const float, 1> shift = {}) {
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

/// p -= rate g of each parameter and its gradient, of lists of one shape.
TEGULA_KERNEL void descend_(tg::arrays<float, 1> p, tg::arrays<const float, 1> g, float rate) {
  tg::check(p.size() == g.size() && p.dim(1) == g.dim(1), "each parameter has a gradient of its shape");
  tg::pallas_call(
      {.grid = {p.size()}}, [=](auto p, auto g) { p[tg::all] = p[tg::all] - rate * g[tg::all]; },
      tg::inout<tg::squeezed, tg::whole>(p, row_of), tg::in<tg::squeezed, tg::whole>(g, row_of));
}

/// Elements below `low` become it, and those above `high`, in place.
TEGULA_KERNEL void clamp_(tg::array<float, 1> x, float low = -tg::inf, float high = tg::inf) {
  tg::pallas_call([=](auto x) { x[tg::all] = tg::minimum(tg::maximum(x[tg::all], low), high); }, tg::inout(x));
}

/// Column i, or that many from the end, of blocks of rows: the last one is repeated, so that there are a multiple
/// of 64.
TEGULA_KERNEL tg::array<float, 1> column(tg::array<const float, 2> x, int i, bool from_end = false) {
  const tg::s64 at = from_end ? x.dim(1) - 1 - i : i;
  tg::check(at >= 0 && at < x.dim(1), "there is no such column");
  tg::check(x.dim(0) > 0, "there are no rows");
  auto o = tg::empty<float>(tg::cdiv(x.dim(0), 64) * 64);
  const auto last = x.dim(0) - 1;
  tg::pallas_call(
      {.grid = {o.dim(0)}}, [=](auto x, auto o) { o[] = x[tg::minimum(tg::program_id(0), last), at]; }, tg::in(x),
      tg::out<tg::squeezed>(o, [](auto i) { return tg::index(i); }));
  return o;
}

/// A step of gradient descent, of all parameters in one launch: p -= rate g, in place.
template <class T>
TEGULA_KERNEL void descend_(tg::arrays<T, 1> parameters, tg::arrays<const T, 1> gradients, float rate) {
  tg::check(parameters.size() == gradients.size() && parameters.dim(1) == gradients.dim(1),
            "there is a gradient of each parameter, of its length");
  const auto map = [](auto i, auto j) { return tg::index(i, j); };
  tg::pallas_call(
      {.grid = {parameters.size(), tg::cdiv(parameters.dim(1), 1024)}},
      [=](auto p, auto g) {
        p[tg::all] = tg::astype<T>(tg::astype<float>(p[tg::all]) - rate * tg::astype<float>(g[tg::all]));
      },
      tg::inout<tg::squeezed, 1024>(parameters, map), tg::in<tg::squeezed, 1024>(gradients, map));
}
TEGULA_INSTANTIATE("descend_", descend_<float>);
TEGULA_INSTANTIATE("descend_", descend_<tg::bf16>);

/// The softmax of each row.
template <class T> TEGULA_KERNEL tg::array<T, 2> softmax(tg::array<const T, 2> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o) {
        const auto row = tg::astype<wide<T>>(x[tg::all]);
        const auto e = tg::exp(row - tg::max(row));
        o[tg::all] = tg::astype<T>(e / tg::sum(e));
      },
      tg::in<tg::squeezed, tg::whole>(x, row_of), tg::out<tg::squeezed, tg::whole>(o, row_of));
  return o;
}
TEGULA_INSTANTIATE("softmax", softmax<float>);
TEGULA_INSTANTIATE("softmax", softmax<double>);
TEGULA_INSTANTIATE("softmax", softmax<tg::bf16>);

/// dx of softmax, whose result y is: y (dy - sum(y dy)).
template <class T> TEGULA_KERNEL tg::array<T, 2> softmax_backward(tg::array<const T, 2> dy, tg::array<const T, 2> y) {
  tg::check(y.dim(0) == dy.dim(0) && y.dim(1) == dy.dim(1), "y and dy have one shape");
  auto dx = tg::empty_like(y);
  tg::pallas_call(
      {.grid = {y.dim(0)}},
      [](auto dy, auto y, auto dx) {
        const auto p = tg::astype<wide<T>>(y[tg::all]), g = tg::astype<wide<T>>(dy[tg::all]);
        dx[tg::all] = tg::astype<T>(p * (g - tg::sum(p * g)));
      },
      tg::in<tg::squeezed, tg::whole>(dy, row_of), tg::in<tg::squeezed, tg::whole>(y, row_of),
      tg::out<tg::squeezed, tg::whole>(dx, row_of));
  return dx;
}
TEGULA_INSTANTIATE("softmax_backward", softmax_backward<float>);
TEGULA_INSTANTIATE("softmax_backward", softmax_backward<double>);
TEGULA_INSTANTIATE("softmax_backward", softmax_backward<tg::bf16>);

/// Rows converted to 8 bits, each by its own scale, and the scales.
struct Quantised {
  tg::array<tg::e4m3, 2> values;
  tg::array<float, 1> scale;
};
TEGULA_KERNEL Quantised quantise(tg::array<const float, 2> x) {
  Quantised result{tg::empty<tg::e4m3>(x.dim(0), x.dim(1)), tg::empty<float>(x.dim(0))};
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto values, auto scale) {
        const float s = tg::maximum(tg::max(tg::abs(x[tg::all])), 1e-12f) / 448.0f;
        values[tg::all] = tg::astype<tg::e4m3>(x[tg::all] / s);
        scale[] = s;
      },
      tg::in<tg::squeezed, tg::whole>(x, row_of), tg::out<tg::squeezed, tg::whole>(result.values, row_of),
      tg::out<tg::squeezed>(result.scale, [](auto i) { return tg::index(i); }));
  return result;
}

/// The sum of all elements: in two passes over scratch memory.
TEGULA_KERNEL tg::array<float, 0> total(tg::array<const float, 1> x) {
  auto o = tg::empty<float>();
  tg::pallas_call([](auto x, auto o) { o[] = tg::sum(x[tg::all]); }, tg::in(x), tg::out(o));
  return o;
}
