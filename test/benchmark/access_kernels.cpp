// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The samples' kernels that are about how memory is accessed, each file in a namespace of its own.
#include <tegula/tegula.h>

namespace transposes {
#include "transpose/kernels.cpp"
}
namespace stencils {
#include "stencil/kernels.cpp"
}
namespace randoms {
#include "random/kernels.cpp"
/// What a write of nothing but a constant takes.
TEGULA_KERNEL tg::array<float, 1> ones(tg::s64 size) {
  auto o = tg::empty<float>(size);
  tg::pallas_call([](auto o) { o[tg::all] = tg::full<float>(1, o.dim(0)); }, tg::out(o));
  return o;
}
} // namespace randoms
namespace sums {
#include "sums/kernels.cpp"
}
