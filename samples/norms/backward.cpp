// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backward passes. x is what was normalised, which is sum if there was a residual. dsum, if it is there, is the
// gradient that reaches the sum by itself: dx, the gradient of x and of the residual, contains it.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto row_of = [](auto i) { return tg::index(i, 0); };
constexpr auto entry_of = [](auto i) { return tg::index(i); };

/// dx of rmsnorm: with g = dy weight and n = x rstd, (g - n mean(g n)) rstd. rstd is taken out of the sum, where it
/// would be multiplied with each element.
template <class T>
TEGULA_KERNEL tg::array<T, 2> rmsnorm_backward(tg::array<const T, 2> dy, tg::array<const T, 2> x,
                                               tg::array<const T, 1> weight, tg::array<const float, 1> rstd,
                                               tg::array<const T, 2> dsum = {}) {
  tg::check(x.dim(0) == dy.dim(0) && x.dim(1) == dy.dim(1), "x and dy have one shape");
  tg::check(x.dim(1) == weight.dim(0) && x.dim(0) == rstd.dim(0), "weight and rstd fit x");
  tg::check(!dsum || (dsum.dim(0) == x.dim(0) && dsum.dim(1) == x.dim(1)), "x and dsum have one shape");
  auto dx = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [=](auto dy, auto x, auto weight, auto rstd, auto dsum, auto dx) {
        const float r = rstd[];
        const auto g = tg::astype<float>(dy[tg::all]) * tg::astype<float>(weight[tg::all]);
        const auto row = tg::astype<float>(x[tg::all]);
        const float slope = tg::mean(g * row) * (-r * r);
        auto d = tg::fma(row, slope, g) * r;
        if (dsum)
          d += tg::astype<float>(dsum[tg::all]);
        dx[tg::all] = tg::astype<T>(d);
      },
      tg::in<tg::squeezed, tg::whole>(dy, row_of), tg::in<tg::squeezed, tg::whole>(x, row_of), tg::in(weight),
      tg::in<tg::squeezed>(rstd, entry_of), tg::in<tg::squeezed, tg::whole>(dsum, row_of),
      tg::out<tg::squeezed, tg::whole>(dx, row_of));
  return dx;
}
TEGULA_INSTANTIATE("rmsnorm_backward", rmsnorm_backward<float>);
TEGULA_INSTANTIATE("rmsnorm_backward", rmsnorm_backward<tg::bf16>);

/// dx of layernorm: with g = dy weight and n = (x - mean) rstd, (g - mean(g) - n mean(g n)) rstd, rstd as above.
template <class T>
TEGULA_KERNEL tg::array<T, 2> layernorm_backward(tg::array<const T, 2> dy, tg::array<const T, 2> x,
                                                 tg::array<const T, 1> weight, tg::array<const float, 1> mean,
                                                 tg::array<const float, 1> rstd, tg::array<const T, 2> dsum = {}) {
  tg::check(x.dim(0) == dy.dim(0) && x.dim(1) == dy.dim(1), "x and dy have one shape");
  tg::check(x.dim(1) == weight.dim(0) && x.dim(0) == mean.dim(0) && x.dim(0) == rstd.dim(0),
            "weight, mean and rstd fit x");
  tg::check(!dsum || (dsum.dim(0) == x.dim(0) && dsum.dim(1) == x.dim(1)), "x and dsum have one shape");
  auto dx = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [=](auto dy, auto x, auto weight, auto mean, auto rstd, auto dsum, auto dx) {
        const float r = rstd[];
        const auto g = tg::astype<float>(dy[tg::all]) * tg::astype<float>(weight[tg::all]);
        const auto centred = tg::astype<float>(x[tg::all]) - mean[];
        const float shift = tg::mean(g), slope = tg::mean(g * centred) * (-r * r);
        auto d = (tg::fma(centred, slope, g) - shift) * r;
        if (dsum)
          d += tg::astype<float>(dsum[tg::all]);
        dx[tg::all] = tg::astype<T>(d);
      },
      tg::in<tg::squeezed, tg::whole>(dy, row_of), tg::in<tg::squeezed, tg::whole>(x, row_of), tg::in(weight),
      tg::in<tg::squeezed>(mean, entry_of), tg::in<tg::squeezed>(rstd, entry_of),
      tg::in<tg::squeezed, tg::whole>(dsum, row_of), tg::out<tg::squeezed, tg::whole>(dx, row_of));
  return dx;
}
TEGULA_INSTANTIATE("layernorm_backward", layernorm_backward<float>);
TEGULA_INSTANTIATE("layernorm_backward", layernorm_backward<tg::bf16>);

/// The gradient of rmsnorm's weight: sums over rows, in one program, which tegulac divides among many and combines.
template <class T>
TEGULA_KERNEL tg::array<float, 1> rmsnorm_gradient(tg::array<const T, 2> dy, tg::array<const T, 2> x,
                                                   tg::array<const float, 1> rstd) {
  tg::check(x.dim(0) == dy.dim(0) && x.dim(1) == dy.dim(1) && x.dim(0) == rstd.dim(0), "dy and rstd fit x");
  auto dweight = tg::empty<float>(x.dim(1));
  tg::pallas_call(
      [](auto dy, auto x, auto rstd, auto dweight) {
        const auto n = tg::astype<float>(x[tg::all]) * rstd[tg::all, tg::newaxis];
        dweight[tg::all] = tg::sum<0>(tg::astype<float>(dy[tg::all]) * n);
      },
      tg::in(dy), tg::in(x), tg::in(rstd), tg::out(dweight));
  return dweight;
}
TEGULA_INSTANTIATE("rmsnorm_gradient", rmsnorm_gradient<float>);
TEGULA_INSTANTIATE("rmsnorm_gradient", rmsnorm_gradient<tg::bf16>);

struct LayerNormGradients {
  tg::array<float, 1> weight, bias;
};

/// The gradients of layernorm's weight and bias: two sums over rows in one pass.
template <class T>
TEGULA_KERNEL LayerNormGradients layernorm_gradients(tg::array<const T, 2> dy, tg::array<const T, 2> x,
                                                     tg::array<const float, 1> mean, tg::array<const float, 1> rstd) {
  tg::check(x.dim(0) == dy.dim(0) && x.dim(1) == dy.dim(1) && x.dim(0) == mean.dim(0) && x.dim(0) == rstd.dim(0),
            "dy, mean and rstd fit x");
  LayerNormGradients result{tg::empty<float>(x.dim(1)), tg::empty<float>(x.dim(1))};
  tg::pallas_call(
      [](auto dy, auto x, auto mean, auto rstd, auto weight, auto bias) {
        const auto g = tg::astype<float>(dy[tg::all]);
        const auto centred = tg::astype<float>(x[tg::all]) - mean[tg::all, tg::newaxis];
        weight[tg::all] = tg::sum<0>(g * centred * rstd[tg::all, tg::newaxis]);
        bias[tg::all] = tg::sum<0>(g);
      },
      tg::in(dy), tg::in(x), tg::in(mean), tg::in(rstd), tg::out(result.weight), tg::out(result.bias));
  return result;
}
TEGULA_INSTANTIATE("layernorm_gradients", layernorm_gradients<float>);
TEGULA_INSTANTIATE("layernorm_gradients", layernorm_gradients<tg::bf16>);
