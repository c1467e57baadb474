// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows whose elements are neighbours, but not aligned, have a kernel where nothing is reduced: its threads know what is
// between the places of their elements, and have twice as many of these.
// RUN: tegulac --arch=sm_90a --emit=tile-split %s -o - | FileCheck %s
// RUN: tegulac --arch=sm_90a --emit=ptx %s -o - | FileCheck %s --check-prefix=PTX
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK-LABEL: tile.launch "shifted_0"
// CHECK: %[[ALIGNED:.*]] = tile.dense 16,
// CHECK: tile.launch_kernel @shifted_0_dense
// CHECK: %[[NEIGHBOURS:.*]] = tile.dense 1, %{{.*}}, %{{.*}}, %{{.*}} :
// CHECK: scf.if %[[NEIGHBOURS]]
// CHECK: tile.launch_kernel @shifted_0_contiguous
// CHECK: tile.launch_kernel @shifted_0 blocks
// CHECK: tile.kernel @shifted_0_dense({{.*}}group = 256
// CHECK: tile.kernel @shifted_0_contiguous({{.*}}<bf16, [?, ?], align 2>{{.*}}<f32, [?], align 4>{{.*}}group = 128
// CHECK: tile.kernel @shifted_0({{.*}}<bf16, [?, ?]>,{{.*}}group = 128

// A row outside has no room, so that each element of it takes one comparison, and no stride.
// PTX-LABEL: .entry shifted_0_contiguous(
// PTX: selp.b32 %[[ROOM:r[0-9]+]],
// PTX-NEXT: setp.gt.s32 %{{p[0-9]+}}, %[[ROOM]], 0;
// PTX: setp.gt.s32 %{{p[0-9]+}}, %[[ROOM]], 128;
// PTX-NOT: and.pred
// PTX: @%{{p[0-9]+}} ld.global.nc
// PTX: ret;
TEGULA_KERNEL void shifted(tg::array<const tg::bf16, 2> x, tg::array<const float, 1> bias, tg::array<tg::bf16, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1) && x.dim(1) == bias.dim(0), "x, bias and o do not fit");
  tg::pallas_call({.grid = {tg::cdiv(x.dim(0), 4), tg::cdiv(x.dim(1), 1024)}},
                  [](auto x, auto bias, auto o) {
    o[tg::all] = tg::astype<tg::bf16>(tg::astype<float>(x[tg::all]) + bias[tg::all]);
  }, tg::in<4, 1024>(x, [](auto i, auto j) { return tg::index(i, j); }),
     tg::in<1024>(bias, [](auto, auto j) { return tg::index(j); }),
     tg::out<4, 1024>(o, [](auto i, auto j) { return tg::index(i, j); }));
}

// A number for each row does not end where rows end: these still consist of whole vectors.
// CHECK: tile.kernel @scaled_0_dense(%x: !tile.ref<bf16, [?, ?], align 16 even>, %scale: !tile.ref<f32, [?], align 16>,
// CHECK-SAME: %o: !tile.ref<bf16, [?, ?], align 16 even>
TEGULA_KERNEL void scaled(tg::array<const tg::bf16, 2> x, tg::array<const float, 1> scale, tg::array<tg::bf16, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1) && x.dim(0) == scale.dim(0), "x, scale and o do not fit");
  tg::pallas_call({.grid = {x.dim(0)}}, [](auto x, auto scale, auto o) {
    o[tg::all] = tg::astype<tg::bf16>(tg::astype<float>(x[tg::all]) * scale[]);
  }, tg::in<tg::squeezed, tg::whole>(x, [](auto i) { return tg::index(i, 0); }),
     tg::in<tg::squeezed>(scale, [](auto i) { return tg::index(i); }),
     tg::out<tg::squeezed, tg::whole>(o, [](auto i) { return tg::index(i, 0); }));
}

// Sums of rows have none: nothing is known of what it gains.
// CHECK-NOT: @sums_0_contiguous
// CHECK: tile.kernel @sums_0(
TEGULA_KERNEL void sums(tg::array<const float, 2> x, tg::array<float, 1> o) {
  tg::check(x.dim(0) == o.dim(0), "x and o do not fit");
  tg::pallas_call({.grid = {x.dim(0)}}, [](auto x, auto o) { o[0] = tg::sum(x[tg::all]); },
                  tg::in<tg::squeezed, tg::whole>(x, [](auto i) { return tg::index(i, 0); }),
                  tg::out<1>(o, [](auto i) { return tg::index(i); }));
}
