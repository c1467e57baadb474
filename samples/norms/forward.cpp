// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto row_of = [](auto i) { return tg::index(i, 0); };
constexpr auto entry_of = [](auto i) { return tg::index(i); };

// x + residual of a row, rounded as it is stored: the backward pass, which loads it, finds the same statistics.
template <class T>
constexpr auto add = [](const auto &x, const auto &residual) {
  return tg::astype<T>(tg::astype<float>(x[tg::all]) + tg::astype<float>(residual[tg::all]));
};

template <class T> struct RmsNorm {
  tg::array<T, 2> y;
  tg::array<float, 1> rstd;
};
template <class T> struct AddedRmsNorm {
  tg::array<T, 2> sum, y;
  tg::array<float, 1> rstd;
};

// y = x rstd weight, with rstd = 1 / sqrt(mean(x^2) + epsilon), of a row of x in float.
template <class T>
constexpr auto rms_normalise = [](const auto &row, const auto &weight, float epsilon, const auto &y, const auto &rstd) {
  const float r = tg::rsqrt(tg::mean(tg::square(row)) + epsilon);
  y[tg::all] = tg::astype<T>(row * r * tg::astype<float>(weight[tg::all]));
  rstd[] = r;
};

/// Divides rows by their root mean square, and scales columns: y = x rstd weight. The backward pass takes rstd.
template <class T>
TEGULA_KERNEL RmsNorm<T> rmsnorm(tg::array<const T, 2> x, tg::array<const T, 1> weight, float epsilon) {
  tg::check(x.dim(1) == weight.dim(0), "weight has one entry per column of x");
  RmsNorm<T> result{tg::empty_like(x), tg::empty<float>(x.dim(0))};
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [=](auto x, auto weight, auto y, auto rstd) {
        rms_normalise<T>(tg::astype<float>(x[tg::all]), weight, epsilon, y, rstd);
      },
      tg::in<tg::squeezed, tg::whole>(x, row_of), tg::in(weight), tg::out<tg::squeezed, tg::whole>(result.y, row_of),
      tg::out<tg::squeezed>(result.rstd, entry_of));
  return result;
}
TEGULA_INSTANTIATE("rmsnorm", rmsnorm<float>);
TEGULA_INSTANTIATE("rmsnorm", rmsnorm<tg::bf16>);

/// The same of sum = x + residual, which is a result, too.
template <class T>
TEGULA_KERNEL AddedRmsNorm<T> add_rmsnorm(tg::array<const T, 2> x, tg::array<const T, 2> residual,
                                          tg::array<const T, 1> weight, float epsilon) {
  tg::check(x.dim(1) == weight.dim(0), "weight has one entry per column of x");
  tg::check(x.dim(0) == residual.dim(0) && x.dim(1) == residual.dim(1), "x and residual have one shape");
  AddedRmsNorm<T> result{tg::empty_like(x), tg::empty_like(x), tg::empty<float>(x.dim(0))};
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [=](auto x, auto residual, auto weight, auto sum, auto y, auto rstd) {
        const auto row = add<T>(x, residual);
        sum[tg::all] = row;
        rms_normalise<T>(tg::astype<float>(row), weight, epsilon, y, rstd);
      },
      tg::in<tg::squeezed, tg::whole>(x, row_of), tg::in<tg::squeezed, tg::whole>(residual, row_of), tg::in(weight),
      tg::out<tg::squeezed, tg::whole>(result.sum, row_of), tg::out<tg::squeezed, tg::whole>(result.y, row_of),
      tg::out<tg::squeezed>(result.rstd, entry_of));
  return result;
}
TEGULA_INSTANTIATE("add_rmsnorm", add_rmsnorm<float>);
TEGULA_INSTANTIATE("add_rmsnorm", add_rmsnorm<tg::bf16>);

template <class T> struct LayerNorm {
  tg::array<T, 2> y;
  tg::array<float, 1> mean, rstd;
};
template <class T> struct AddedLayerNorm {
  tg::array<T, 2> sum, y;
  tg::array<float, 1> mean, rstd;
};

// y = (x - mean) rstd weight + bias, with rstd = 1 / sqrt(var(x) + epsilon), of a row of x in float.
template <class T>
constexpr auto normalise = [](const auto &row, const auto &weight, const auto &bias, float epsilon, const auto &y,
                              const auto &mean, const auto &rstd) {
  const float mu = tg::mean(row);
  const auto centred = row - mu;
  const float r = tg::rsqrt(tg::mean(tg::square(centred)) + epsilon);
  y[tg::all] = tg::astype<T>(centred * r * tg::astype<float>(weight[tg::all]) + tg::astype<float>(bias[tg::all]));
  mean[] = mu;
  rstd[] = r;
};

/// Normalises rows, and scales and shifts columns: y = (x - mean) rstd weight + bias. The backward pass takes mean and
/// rstd.
template <class T>
TEGULA_KERNEL LayerNorm<T> layernorm(tg::array<const T, 2> x, tg::array<const T, 1> weight, tg::array<const T, 1> bias,
                                     float epsilon) {
  tg::check(x.dim(1) == weight.dim(0) && x.dim(1) == bias.dim(0), "weight and bias have one entry per column of x");
  LayerNorm<T> result{tg::empty_like(x), tg::empty<float>(x.dim(0)), tg::empty<float>(x.dim(0))};
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [=](auto x, auto weight, auto bias, auto y, auto mean, auto rstd) {
        normalise<T>(tg::astype<float>(x[tg::all]), weight, bias, epsilon, y, mean, rstd);
      },
      tg::in<tg::squeezed, tg::whole>(x, row_of), tg::in(weight), tg::in(bias),
      tg::out<tg::squeezed, tg::whole>(result.y, row_of), tg::out<tg::squeezed>(result.mean, entry_of),
      tg::out<tg::squeezed>(result.rstd, entry_of));
  return result;
}
TEGULA_INSTANTIATE("layernorm", layernorm<float>);
TEGULA_INSTANTIATE("layernorm", layernorm<tg::bf16>);

/// The same of sum = x + residual, which is a result, too.
template <class T>
TEGULA_KERNEL AddedLayerNorm<T> add_layernorm(tg::array<const T, 2> x, tg::array<const T, 2> residual,
                                              tg::array<const T, 1> weight, tg::array<const T, 1> bias, float epsilon) {
  tg::check(x.dim(1) == weight.dim(0) && x.dim(1) == bias.dim(0), "weight and bias have one entry per column of x");
  tg::check(x.dim(0) == residual.dim(0) && x.dim(1) == residual.dim(1), "x and residual have one shape");
  AddedLayerNorm<T> result{tg::empty_like(x), tg::empty_like(x), tg::empty<float>(x.dim(0)),
                           tg::empty<float>(x.dim(0))};
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [=](auto x, auto residual, auto weight, auto bias, auto sum, auto y, auto mean, auto rstd) {
        const auto row = add<T>(x, residual);
        sum[tg::all] = row;
        normalise<T>(tg::astype<float>(row), weight, bias, epsilon, y, mean, rstd);
      },
      tg::in<tg::squeezed, tg::whole>(x, row_of), tg::in<tg::squeezed, tg::whole>(residual, row_of), tg::in(weight),
      tg::in(bias), tg::out<tg::squeezed, tg::whole>(result.sum, row_of),
      tg::out<tg::squeezed, tg::whole>(result.y, row_of), tg::out<tg::squeezed>(result.mean, entry_of),
      tg::out<tg::squeezed>(result.rstd, entry_of));
  return result;
}
TEGULA_INSTANTIATE("add_layernorm", add_layernorm<float>);
TEGULA_INSTANTIATE("add_layernorm", add_layernorm<tg::bf16>);
