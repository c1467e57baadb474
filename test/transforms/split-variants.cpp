// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of a launch: six, which the host chooses among by the length of the rows. Arrays that have a row say that
// it consists of whole vectors, so that no access is partly inside; others do not.
// RUN: tegulac --arch sm_90a --emit=tile-split %s -o %t
// RUN: grep -c 'tile.kernel @rmsnorm_0' %t | FileCheck %s --check-prefix=SIX
// RUN: FileCheck %s --input-file %t
// RUN: tegulac --arch sm_90a --emit=tile-split --split-variants=none %s -o - | grep -c 'tile.kernel @rmsnorm_0' | FileCheck %s --check-prefix=ONE
// RUN: tegulac --arch sm_90a --emit=tile-split --split-variants=vector %s -o - | grep -c 'tile.kernel @rmsnorm_0' | FileCheck %s --check-prefix=TWO
// RUN: tegulac --arch sm_90a --emit=tile-split --split-variants=vector,block %s -o - | grep -c 'tile.kernel @rmsnorm_0' | FileCheck %s --check-prefix=THREE
// RUN: tegulac --arch sm_90a --emit=ptx %s -o - | FileCheck %s --check-prefix=PTX
// SIX: {{^}}6{{$}}
// ONE: {{^}}1{{$}}
// TWO: {{^}}2{{$}}
// THREE: {{^}}3{{$}}
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto row_of = [](auto i) { return tg::index(i, 0); };

// bf16 vectors have 8 elements, and are the longest here.
// CHECK: %[[ODD:.*]] = arith.andi %{{.*}}, %c7
// CHECK: arith.cmpi eq, %[[ODD]], %c0
// CHECK: tile.kernel @rmsnorm_0_resident4096_dense({{.*}}) attributes {group = 128 : i64, threads = 256 : i64}
// CHECK: tile.kernel @rmsnorm_0_resident8192_dense(%x: !tile.ref<bf16, [?, ?], align 16 even>,
// CHECK-SAME: %weight: !tile.ref<f32, [?], align 16 even>, %o: !tile.ref<bf16, [?, ?], align 16 even>,
// CHECK-SAME: %scales: !tile.ref<f32, [?], align 16>
// CHECK: tile.load %{{.*}} : <bf16, [8192?], align 16 even>
// CHECK: tile.store %{{.*}}, %{{.*}} : tensor<8192xbf16>, <bf16, [8192?], align 16 even>
// CHECK: tile.kernel @rmsnorm_0_cluster8192_dense(
// CHECK: tile.cp_async %{{.*}} : <bf16, [8192?], align 16 even>, <bf16, [8192], smem>
// CHECK: tile.store %{{.*}}, %{{.*}} : tensor<8192xbf16>, <bf16, [8192?], align 16 even>
//
// What is held moves in accesses of 16 bytes alone.
// PTX: .entry rmsnorm_0_resident8192_dense(
// PTX-NOT: ld.global{{.*}}.b16
// PTX-NOT: st.global{{.*}}.b16
// PTX: ld.global.nc.v4.b32
// PTX-NOT: ld.global{{.*}}.b16
// PTX-NOT: st.global{{.*}}.b16
// PTX: st.global.v4.b32
// PTX-NOT: st.global{{.*}}.b16
// PTX: ret;
TEGULA_KERNEL void rmsnorm(tg::array<const tg::bf16, 2> x, tg::array<const float, 1> weight, tg::array<tg::bf16, 2> o,
                           tg::array<float, 1> scales) {
  tg::check(x.dim(1) == weight.dim(0) && x.dim(1) == o.dim(1), "the columns differ");
  tg::check(x.dim(0) == scales.dim(0) && x.dim(0) == o.dim(0), "the rows differ");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [=](auto x, auto weight, auto o, auto scales) {
        const auto row = tg::astype<float>(x[tg::all]);
        const float r = tg::rsqrt(tg::sum(tg::square(row)) / static_cast<float>(x.dim(0)) + 1e-5F);
        o[tg::all] = tg::astype<tg::bf16>(row * r * weight[tg::all]);
        scales[0] = r;
      },
      tg::in<tg::squeezed, tg::whole>(x, row_of), tg::in(weight), tg::out<tg::squeezed, tg::whole>(o, row_of),
      tg::out<1>(scales, [](auto i) { return tg::index(i); }));
}
