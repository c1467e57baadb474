// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The samples' kernels, each file in a namespace of its own.
#include <tegula/tegula.h>

namespace softmaxes {
#include "softmax/kernels.cpp"
}
namespace norms {
#include "norms/forward.cpp"
}
namespace norms_backward {
#include "norms/backward.cpp"
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
} // namespace column_sums
namespace matmuls {
#include "matmul/kernels.cpp"
}
