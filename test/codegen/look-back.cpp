// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of few long rows that thread groups share: each loads its part in accesses of 16 bytes, and asks for the part that
// a later thread group will load, 192 further, of a line for each thread. Where rows may begin anywhere, nobody asks.
// Full parts and the last one differ in their loads and stores alone: looking back stands there once.
// RUN: tegulac --arch sm_90a --emit=ptx %s -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --check-prefix=ANYWHERE --input-file=%t
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK: .entry sums_0_shared_dense(
// CHECK: %ctaid.x
// CHECK: add.s64 %[[AHEAD:rd[0-9]+]], %{{rd[0-9]+}}, 6291456;
// CHECK: setp.le.and.u64 %there, %[[AHEAD]], %{{rd[0-9]+}}, %p{{[0-9]+}}; @%there prefetch.global.L2 [%[[AHEAD]]];
// CHECK-NOT: prefetch.global
// CHECK-COUNT-8: ld.global.nc.v4.f32
// CHECK: st.relaxed.gpu.global.b64
// CHECK-COUNT-2: ld.relaxed.gpu.global.b64
// CHECK: st.relaxed.gpu.global.b64
// CHECK: ld.relaxed.gpu.global.b64
// CHECK: st.relaxed.gpu.global.b64
// CHECK-NOT: relaxed.gpu
// CHECK-COUNT-8: st.global.v4.f32
// CHECK: ret;
// ANYWHERE: .entry sums_0_shared(
// ANYWHERE-NOT: prefetch.global
// ANYWHERE: ret;
TEGULA_KERNEL void sums(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::check(x.dim(0) == o.dim(0), "x and o differ in length");
  tg::pallas_call([](auto x, auto o) { o[tg::all] = tg::cumsum<0>(x[tg::all]); }, tg::in(x), tg::out(o));
}
