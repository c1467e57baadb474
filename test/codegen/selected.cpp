// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is selected and then converted stays in this order: as f32, of which one instruction converts two.
// RUN: tegulac --arch=sm_90a --emit=ptx %s -o - | FileCheck %s
// RUN: tegulac --arch=sm_75 --emit=ptx %s -o /dev/null
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK: .entry kept_0_dense(
// CHECK-NOT: selp.b16
// CHECK: selp.f32 [[ELEMENT:%f[0-9]+]], {{%f[0-9]+}}, {{%f[0-9]+}}, {{%p[0-9]+}};
// CHECK-NOT: selp.b16
// CHECK: cvt.rn.bf16.f32 {{.*}}, [[ELEMENT]];
// CHECK-NOT: selp.b16
TEGULA_KERNEL void kept(tg::array<const float, 1> x, tg::array<const float, 1> keep, tg::array<tg::bf16, 1> o) {
  tg::check(x.dim(0) == o.dim(0) && keep.dim(0) == o.dim(0), "the arrays have one length");
  tg::pallas_call(
      [](auto x, auto keep, auto o) {
        o[tg::all] = tg::astype<tg::bf16>(tg::where(keep[tg::all] > 0.5f, x[tg::all] * 2.0f, 0.0f));
      },
      tg::in(x), tg::in(keep), tg::out(o));
}
