// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto row_of = [](auto i) { return tg::index(i, 0); };
constexpr auto entry_of = [](auto i) { return tg::index(i); };

template <class T> struct LayerNorm {
  tg::array<T, 2> y;
  tg::array<float, 1> mean, rstd;
};

/// y = (x - mean) * rstd * weight + bias, and the statistics of the rows for the backward pass.
template <class T>
TEGULA_KERNEL LayerNorm<T> layernorm(tg::array<const T, 2> x, tg::array<const T, 1> weight, tg::array<const T, 1> bias,
                                     float epsilon) {
  tg::check(x.dim(1) == weight.dim(0) && x.dim(1) == bias.dim(0), "weight and bias have one entry per column of x");
  LayerNorm<T> result{tg::empty_like(x), tg::empty<float>(x.dim(0)), tg::empty<float>(x.dim(0))};
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [=](auto x, auto weight, auto bias, auto y, auto mean, auto rstd) {
        const auto columns = static_cast<float>(x.dim(0));
        const auto row = tg::astype<float>(x[tg::all]);
        const float mu = tg::sum(row) / columns;
        const auto centred = row - mu;
        const float r = tg::rsqrt(tg::sum(tg::square(centred)) / columns + epsilon);
        y[tg::all] = tg::astype<T>(centred * r * tg::astype<float>(weight[tg::all]) + tg::astype<float>(bias[tg::all]));
        mean[0] = mu;
        rstd[0] = r;
      },
      tg::in<tg::squeezed, tg::whole>(x, row_of), tg::in(weight), tg::in(bias),
      tg::out<tg::squeezed, tg::whole>(result.y, row_of), tg::out<1>(result.mean, entry_of),
      tg::out<1>(result.rstd, entry_of));
  return result;
}
TEGULA_INSTANTIATE("layernorm_f32", layernorm<float>);
TEGULA_INSTANTIATE("layernorm_bf16", layernorm<tg::bf16>);
