// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gated linear units of what a product of twice as many columns made: x is (rows, 2, columns), the gate and what it
// opens. A matrix of rows x 2 columns in memory is such an array.
#include <tegula/tegula.h>
namespace tg = tegula;

// A program has a block of both halves.
constexpr int rows = 4, columns = 1024;
constexpr auto halves_of = [](auto i, auto j) { return tg::index(i, 0, j); };
constexpr auto block_of = [](auto i, auto j) { return tg::index(i, j); };

// Both activations are x sigmoid(inner(x)); slope is the derivative of inner. At the speed of memory there are some 70
// instructions for each element: what tg::fma joins is one.
struct Silu {
  static constexpr auto inner = [](const auto &x) { return x; };
  static constexpr auto slope = [](const auto &) { return 1.0f; };
};
// The gelu of tanh.
struct Gelu {
  static constexpr float scale = 1.5957691216057308f, cubic = 0.044715f * scale;
  static constexpr auto inner = [](const auto &x) { return x * tg::fma(tg::square(x), cubic, scale); };
  static constexpr auto slope = [](const auto &x) { return tg::fma(tg::square(x), 3 * cubic, scale); };
};

/// activation(gate) up.
template <class T, class Activation> TEGULA_KERNEL tg::array<T, 2> gated(tg::array<const T, 3> x) {
  tg::check(x.dim(1) == 2, "x is (rows, 2, columns): a gate, and what it opens");
  auto y = tg::empty<T>(x.dim(0), x.dim(2));
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), rows), tg::cdiv(x.dim(2), columns)}},
      [](auto x, auto y) {
        const auto gate = tg::astype<float>(x[tg::all, 0]), up = tg::astype<float>(x[tg::all, 1]);
        y[tg::all] = tg::astype<T>(gate * tg::sigmoid(Activation::inner(gate)) * up);
      },
      tg::in<rows, 2, columns>(x, halves_of), tg::out<rows, columns>(y, block_of));
  return y;
}
TEGULA_INSTANTIATE("swiglu", gated<float, Silu>);
TEGULA_INSTANTIATE("swiglu", gated<tg::bf16, Silu>);
TEGULA_INSTANTIATE("geglu", gated<float, Gelu>);
TEGULA_INSTANTIATE("geglu", gated<tg::bf16, Gelu>);

/// dx, (rows, 2, columns): the activation is computed again.
template <class T, class Activation>
TEGULA_KERNEL tg::array<T, 3> gated_backward(tg::array<const T, 2> dy, tg::array<const T, 3> x) {
  tg::check(x.dim(1) == 2, "x is (rows, 2, columns): a gate, and what it opens");
  tg::check(dy.dim(0) == x.dim(0) && dy.dim(1) == x.dim(2), "dy has the rows and columns of x");
  auto dx = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), rows), tg::cdiv(x.dim(2), columns)}},
      [](auto dy, auto x, auto dx) {
        const auto gate = tg::astype<float>(x[tg::all, 0]), up = tg::astype<float>(x[tg::all, 1]);
        const auto d = tg::astype<float>(dy[tg::all]);
        const auto open = tg::sigmoid(Activation::inner(gate));
        const auto opened = d * open;
        const auto more = tg::fma(gate * Activation::slope(gate), 1.0f - open, 1.0f); // Of its derivative, beside open.
        dx[tg::all, 0] = tg::astype<T>(opened * up * more);
        dx[tg::all, 1] = tg::astype<T>(opened * gate);
      },
      tg::in<rows, columns>(dy, block_of), tg::in<rows, 2, columns>(x, halves_of),
      tg::out<rows, 2, columns>(dx, halves_of));
  return dx;
}
TEGULA_INSTANTIATE("swiglu_backward", gated_backward<float, Silu>);
TEGULA_INSTANTIATE("swiglu_backward", gated_backward<tg::bf16, Silu>);
TEGULA_INSTANTIATE("geglu_backward", gated_backward<float, Gelu>);
TEGULA_INSTANTIATE("geglu_backward", gated_backward<tg::bf16, Gelu>);
