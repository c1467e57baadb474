// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop or a branch carries is as large as what it meets there, from the beginning.
// RUN: tegulac --emit=cpu -o - %s | FileCheck %s
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK-LABEL: carried_0_cpu
// CHECK: cpu::tile<float, 1> a(tegula::shape<1>{x_block.dim(1)}, 0.0F);
// CHECK: cpu::tile<float, 1> b(tegula::shape<1>{x_block.dim(1)}, 0.0F);
// CHECK: cpu::tile<float, 1> next(tegula::shape<1>{x_block.dim(1)});
TEGULA_KERNEL tg::array<float, 1> carried(tg::array<const float, 2> x) {
  auto o = tg::empty<float>(x.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(1), 64)}},
      [](auto x, auto o) {
        auto a = tg::zeros<float, 64>(), b = a;
        for (tg::s64 j = 0; j < x.dim(0); ++j) {
          a = a + b;
          b += x[j];
        }
        o[tg::all] = a + b;
      },
      tg::in<tg::whole, 64>(x, [](auto i) { return tg::index(0, i); }), tg::out<64>(o, [](auto i) { return tg::index(i); }));
  return o;
}

// A tile that is kept whole, for a loop uses it, is cut where it goes into a variable.
// CHECK-LABEL: cut_0_cpu
// CHECK: cpu::tile<float, 1> whole(tegula::shape<1>{64});
// CHECK: cpu::tile<float, 1> t(tegula::shape<1>{x_block.dim(0)});
// CHECK: t(i0) = whole(i0);
// CHECK: for (std::int32_t k = 0; k < n; ++k)
// CHECK: next(i0) = cpu::add(cpu::mul(t(i0), whole(i0)), x_block(i0));
TEGULA_KERNEL tg::array<float, 1> cut(tg::array<const float, 1> x, int n) {
  auto o = tg::empty<float>(tg::cdiv(x.dim(0), 64));
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 64)}},
      [=](auto x, auto o) {
        const auto whole = tg::exp(tg::astype<float>(tg::iota<int, 64>()));
        auto t = whole;
        for (int k = 0; k < n; ++k)
          t = t * whole + x[tg::all];
        o[0] = tg::sum(t);
      },
      tg::in<64>(x, [](auto i) { return tg::index(i); }), tg::out<1>(o, [](auto i) { return tg::index(i); }));
  return o;
}
