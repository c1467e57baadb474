// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that divides, or takes roots, very often calls one function for that: ptxas takes many seconds for so many in
// a row.
// RUN: tegulac %s --emit=ptx --arch=sm_90a -DCOUNT=8 -o - | FileCheck %s --check-prefix=FEW
// RUN: tegulac %s --emit=ptx --arch=sm_90a -DCOUNT=100 -o - | FileCheck %s --check-prefix=MANY
#include <tegula/tegula.h>
namespace tg = tegula;

// FEW-NOT: call.uni
// MANY: .visible .entry roots_0(
// MANY-NOT: sqrt.rn
// MANY: .func {{.*}} tegula_sqrt_f32
// MANY: sqrt.rn.f32
TEGULA_KERNEL void roots(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::check(x.dim(0) == o.dim(0), "lengths differ");
  tg::pallas_call(
      [](auto x, auto o) {
        auto v = x[tg::all];
        tg::static_for<COUNT>([&](auto i) { v = v / tg::sqrt(v + x[tg::all] / (v * float(i))); });
        o[tg::all] = v;
      },
      tg::in(x), tg::out(o));
}

// MANY: .visible .entry divisions_0(
// MANY-NOT: div.rn
// MANY: tegula_divide_f32{{.*}},
// MANY-NOT: div.rn
// MANY: .func {{.*}} tegula_divide_f32
// MANY: div.rn.f32
// MANY: .visible .entry wide_divisions_0(
// MANY-NOT: div.rn
// MANY: .func {{.*}} tegula_divide_f64
// MANY: div.rn.f64
template <class T> TEGULA_KERNEL void divide(tg::array<const T, 1> x, tg::array<T, 1> o) {
  tg::check(x.dim(0) == o.dim(0), "lengths differ");
  tg::pallas_call(
      [](auto x, auto o) {
        auto v = x[tg::all];
        tg::static_for<COUNT>([&](auto i) { v = x[tg::all] / (v + T(i)); });
        o[tg::all] = v / T(4); // A product.
      },
      tg::in(x), tg::out(o));
}
TEGULA_INSTANTIATE("divisions", divide<float>);
TEGULA_INSTANTIATE("wide_divisions", divide<double>);
