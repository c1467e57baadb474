// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The samples' kernels, each file in a namespace of its own.
#include <tegula/tegula.h>

namespace softmaxes {
#include "softmax/kernels.cpp"
}
namespace layernorms {
#include "layernorm/kernels.cpp"
}
namespace sums {
#include "sums/kernels.cpp"
}
namespace column_sums {
namespace tg = tegula;

template <class T> TEGULA_KERNEL tg::array<T, 1> sums(tg::array<const T, 2> x) {
  auto o = tg::empty<T>(x.dim(1));
  tg::pallas_call([](auto x, auto o) { o[tg::all] = tg::sum<0>(x[tg::all]); }, tg::in(x), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("sums_bf16", sums<tg::bf16>);

struct Gradients {
  tg::array<float, 1> weight, bias;
};

/// Of a layernorm's weight and bias.
TEGULA_KERNEL Gradients gradients(tg::array<const tg::bf16, 2> dy, tg::array<const tg::bf16, 2> x,
                                  tg::array<const float, 1> mean, tg::array<const float, 1> rstd) {
  tg::check(dy.dim(0) == x.dim(0) && dy.dim(1) == x.dim(1) && mean.dim(0) == x.dim(0) && rstd.dim(0) == x.dim(0),
            "the arrays do not fit");
  Gradients result{tg::empty<float>(x.dim(1)), tg::empty<float>(x.dim(1))};
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
} // namespace column_sums
namespace matmuls {
#include "matmul/kernels.cpp"
}
