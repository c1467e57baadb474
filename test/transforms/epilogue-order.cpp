// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is loaded of an array before the program stores to it is not loaded behind that, by panels.
// RUN: tegulac --arch=sm_90a --emit=tile-expanded %s -o - | FileCheck %s
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK-LABEL: tile.kernel @kept_0_tensor_dense(
// CHECK: tile.load %{{.*}} : <f32, [64?, 256?], align 16> -> tensor<64x256xf32>
// CHECK: tile.wgmma
// CHECK-COUNT-7: tile.load %{{.*}} : <f32, [64?, 32?], align 16>
// CHECK-NOT: tile.load
// CHECK-COUNT-9: tile.copy_to_global commit
// CHECK-NOT: tile.load
// CHECK: tile.wait_group
TEGULA_KERNEL void kept(tg::array<const tg::bf16, 2> a, tg::array<const tg::bf16, 2> b, tg::array<float, 2> c,
                        tg::array<float, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  tg::check(c.dim(0) == a.dim(0) && c.dim(1) == b.dim(1), "c does not fit");
  tg::pallas_call([](auto a, auto b, auto c, auto o) {
    const auto before = c[tg::all], product = tg::dot(a[tg::all], b[tg::all]);
    c[tg::all] = product + before;
    o[tg::all] = product * before;
  }, tg::in(a), tg::in(b), tg::inout(c), tg::out(o));
}
