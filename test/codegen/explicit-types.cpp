// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=ptx --arch=sm_90a %s -o - | FileCheck %s
// RUN: tegulac --emit=ptx --arch=sm_90a %s -o - | FileCheck %s --check-prefix=TF32
// RUN: tegulac --emit=resources --arch=sm_90a %s -o - | FileCheck %s --check-prefix=RESOURCES
// RUN: not tegulac --emit=ptx --arch=sm_90a %s -DLEFT -o /dev/null 2>&1 | FileCheck %s --check-prefix=LEFT
// RUN: not tegulac --emit=ptx --arch=sm_90a %s -DRIGHT -o /dev/null 2>&1 | FileCheck %s --check-prefix=RIGHT
// An instruction for each row of include/tegula/wgmma.def.
#include <tegula/tegula.h>
namespace tg = tegula;

// RESOURCES-COUNT-16: spills 0
// RESOURCES-NOT: remark
template <class A, class B, class Sum> TEGULA_KERNEL void product(tg::array<Sum, 2> o) {
  tg::kernel([=] {
    tg::smem<A, 64, 64> a;
    tg::smem<B, 24, 64> b;
    tg::acc<Sum, 64, 24> acc;
    tg::wgmma(acc, a, tg::transpose_ref(b));
    o[tg::ds<64>(0), tg::ds<24>(0)] = acc[tg::all];
  });
}
// CHECK-DAG: wgmma.mma_async.sync.aligned.m64n24k16.f32.f16.f16 {{{.*}}}, da, db, %p{{[0-9]+}}, 1, 1, 0, 0;
TEGULA_INSTANTIATE("f16_f32", product<tg::f16, tg::f16, float>);
// CHECK-DAG: wgmma.mma_async.sync.aligned.m64n24k16.f16.f16.f16 {{{.*}}}, da, db, %p{{[0-9]+}}, 1, 1, 0, 0;
TEGULA_INSTANTIATE("f16_f16", product<tg::f16, tg::f16, tg::f16>);
// CHECK-DAG: wgmma.mma_async.sync.aligned.m64n24k16.f32.bf16.bf16 {{{.*}}}, da, db, %p{{[0-9]+}}, 1, 1, 0, 0;
TEGULA_INSTANTIATE("bf16_f32", product<tg::bf16, tg::bf16, float>);
// Two panels of 32 elements, of 64 and of 24 rows.
// TF32: .entry f32_f32_0(
// TF32: wgmma.mma_async.sync.aligned.m64n24k8.f32.tf32.tf32 {{{.*}}}, da, db, %p{{[0-9]+}}, 1, 1;
// TF32: add.s64 da, %rd{{[0-9]+}}, 512;
// TF32-NEXT: add.s64 db, %rd{{[0-9]+}}, 192;
// TF32-NEXT: wgmma.mma_async.sync.aligned.m64n24k8.f32.tf32.tf32 {{{.*}}}, da, db, p, 1, 1;
TEGULA_INSTANTIATE("f32_f32", product<float, float, float>);
// CHECK-DAG: wgmma.mma_async.sync.aligned.m64n24k32.f32.e4m3.e4m3 {{{.*}}}, da, db, %p{{[0-9]+}}, 1, 1;
TEGULA_INSTANTIATE("e4m3_e4m3_f32", product<tg::e4m3, tg::e4m3, float>);
// CHECK-DAG: wgmma.mma_async.sync.aligned.m64n24k32.f32.e4m3.e5m2 {{{.*}}}, da, db, %p{{[0-9]+}}, 1, 1;
TEGULA_INSTANTIATE("e4m3_e5m2_f32", product<tg::e4m3, tg::e5m2, float>);
// CHECK-DAG: wgmma.mma_async.sync.aligned.m64n24k32.f32.e5m2.e4m3 {{{.*}}}, da, db, %p{{[0-9]+}}, 1, 1;
TEGULA_INSTANTIATE("e5m2_e4m3_f32", product<tg::e5m2, tg::e4m3, float>);
// CHECK-DAG: wgmma.mma_async.sync.aligned.m64n24k32.f32.e5m2.e5m2 {{{.*}}}, da, db, %p{{[0-9]+}}, 1, 1;
TEGULA_INSTANTIATE("e5m2_e5m2_f32", product<tg::e5m2, tg::e5m2, float>);
// CHECK-DAG: wgmma.mma_async.sync.aligned.m64n24k32.f16.e4m3.e4m3 {{{.*}}}, da, db, %p{{[0-9]+}}, 1, 1;
TEGULA_INSTANTIATE("e4m3_e4m3_f16", product<tg::e4m3, tg::e4m3, tg::f16>);
// CHECK-DAG: wgmma.mma_async.sync.aligned.m64n24k32.f16.e4m3.e5m2 {{{.*}}}, da, db, %p{{[0-9]+}}, 1, 1;
TEGULA_INSTANTIATE("e4m3_e5m2_f16", product<tg::e4m3, tg::e5m2, tg::f16>);
// CHECK-DAG: wgmma.mma_async.sync.aligned.m64n24k32.f16.e5m2.e4m3 {{{.*}}}, da, db, %p{{[0-9]+}}, 1, 1;
TEGULA_INSTANTIATE("e5m2_e4m3_f16", product<tg::e5m2, tg::e4m3, tg::f16>);
// CHECK-DAG: wgmma.mma_async.sync.aligned.m64n24k32.f16.e5m2.e5m2 {{{.*}}}, da, db, %p{{[0-9]+}}, 1, 1;
TEGULA_INSTANTIATE("e5m2_e5m2_f16", product<tg::e5m2, tg::e5m2, tg::f16>);
// Integers have no signs to change.
// CHECK-DAG: wgmma.mma_async.sync.aligned.m64n24k32.s32.s8.s8 {{{.*}}}, da, db, %p{{[0-9]+}};
TEGULA_INSTANTIATE("s8_s8", product<tg::s8, tg::s8, tg::s32>);
// CHECK-DAG: wgmma.mma_async.sync.aligned.m64n24k32.s32.s8.u8 {{{.*}}}, da, db, %p{{[0-9]+}};
TEGULA_INSTANTIATE("s8_u8", product<tg::s8, tg::u8, tg::s32>);
// CHECK-DAG: wgmma.mma_async.sync.aligned.m64n24k32.s32.u8.s8 {{{.*}}}, da, db, %p{{[0-9]+}};
TEGULA_INSTANTIATE("u8_s8", product<tg::u8, tg::s8, tg::s32>);
// CHECK-DAG: wgmma.mma_async.sync.aligned.m64n24k32.s32.u8.u8 {{{.*}}}, da, db, %p{{[0-9]+}};
TEGULA_INSTANTIATE("u8_u8", product<tg::u8, tg::u8, tg::s32>);

#if defined(LEFT) || defined(RIGHT)
TEGULA_KERNEL void wrong(tg::array<float, 2> o) {
  tg::kernel([=] {
    tg::smem<float, 64, 64> a, b;
    tg::acc<float, 64, 64> acc;
#ifdef LEFT
    // LEFT: explicit-types.cpp:[[@LINE+1]]:5: error: wgmma takes operands of 8 and 32 bits only with the contracted dimension innermost: store a as M x K
    tg::wgmma(acc, tg::transpose_ref(a), tg::transpose_ref(b));
#endif
#ifdef RIGHT
    // RIGHT: explicit-types.cpp:[[@LINE+1]]:5: error: wgmma takes operands of 8 and 32 bits only with the contracted dimension innermost: store b as N x K and pass tg::transpose_ref(b)
    tg::wgmma(acc, a, b);
#endif
    o[tg::ds<64>(0), tg::ds<64>(0)] = acc[tg::all];
  });
}
#endif
