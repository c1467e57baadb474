// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=ptx --arch=sm_90a %s -o %t
// RUN: FileCheck %s --check-prefix=WIDE < %t
// RUN: FileCheck %s --check-prefix=HALVES < %t
// RUN: FileCheck %s --check-prefix=PARTS < %t
// RUN: FileCheck %s --check-prefix=BYTES < %t
// RUN: FileCheck %s --check-prefix=TF32 < %t
// RUN: FileCheck %s --check-prefix=MOVED < %t
// RUN: tegulac --emit=resources --arch=sm_90a %s -o - 2>&1 | FileCheck %s --check-prefix=RESOURCES
// Accumulators of several instructions, parts of them, and left factors in registers.
#include <tegula/tegula.h>
namespace tg = tegula;

// RESOURCES-COUNT-6: stack 0, spills 0
// RESOURCES-NOT: remark

// Two instructions: the second one begins 192 rows of b further on, of 128 bytes each, in units of 16.
// WIDE: .entry wide_0(
// WIDE: wgmma.fence
// WIDE: add.s64 da, [[A:%rd[0-9]+]], 0;
// WIDE-NEXT: add.s64 db, [[B:%rd[0-9]+]], 0;
// WIDE-NEXT: wgmma.mma_async.sync.aligned.m64n192k16.f32.bf16.bf16
// WIDE: add.s64 da, [[A]], 0;
// WIDE-NEXT: add.s64 db, [[B]], 1536;
// WIDE-NEXT: wgmma.mma_async.sync.aligned.m64n104k16.f32.bf16.bf16
// WIDE: wgmma.commit_group
// WIDE-NOT: wgmma.mma_async
// WIDE: ret;
TEGULA_KERNEL void wide(tg::array<tg::bf16, 2> o) {
  tg::kernel([=] {
    tg::smem<tg::bf16, 64, 64> a;
    tg::smem<tg::bf16, 296, 64> b;
    tg::acc<float, 64, 296> acc;
    tg::wgmma(acc, a.at(tg::all, tg::ds<16>(0)), tg::transpose_ref(b).at(tg::ds<16>(0)));
    o[tg::ds<64>(0), tg::ds<296>(0)] = tg::astype<tg::bf16>(acc[tg::all]);
  });
}

// The other way round it is 4 panels of 64 rows of 128 bytes.
// HALVES: .entry halves_0(
// HALVES: wgmma.mma_async.sync.aligned.m64n256k16.f16.f16.f16
// HALVES: add.s64 db, {{%rd[0-9]+}}, 2048;
// HALVES-NEXT: wgmma.mma_async.sync.aligned.m64n256k16.f16.f16.f16
TEGULA_KERNEL void halves(tg::array<tg::f16, 2> o) {
  tg::kernel([=] {
    tg::smem<tg::f16, 64, 64> a;
    tg::smem<tg::f16, 64, 512> b;
    tg::acc<tg::f16, 64, 512> acc;
    tg::wgmma(acc, a.at(tg::all, tg::ds<16>(0)), b.at(tg::ds<16>(0)));
    o[tg::ds<64>(0), tg::ds<512>(0)] = acc[tg::all];
  });
}

// A product takes the registers of its part, and a wait leaves the rest in flight.
// PARTS: .entry parts_0(
// PARTS: wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 {{{(%f[0-9]+, ){15}%f[0-9]+}}}, da
// PARTS: wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {{{(%f[0-9]+, ){31}%f[0-9]+}}}, da
// PARTS: wgmma.wait_group.sync.aligned 1;
// PARTS: st.global
// PARTS: wgmma.wait_group.sync.aligned 0;
TEGULA_KERNEL void parts(tg::array<float, 2> o, tg::array<float, 2> p) {
  tg::kernel([=] {
    tg::smem<tg::bf16, 64, 16> a;
    tg::smem<tg::bf16, 16, 64> b;
    tg::acc<float, 128, 96> acc;
    const auto all = tg::ds<64>(0);
    tg::wgmma(acc.at(tg::ds<64>(64), tg::ds<32>(64)), a, b.at(tg::all, tg::ds<32>(0)));
    tg::wgmma(acc.at(all, all), a, b);
    o[all, tg::ds<32>(0)] = tg::wgmma_accumulator_load<1>(acc.at(tg::ds<64>(64), tg::ds<32>(64)));
    p[all, all] = acc[all, all];
  });
}

// Four elements of a row, 8 rows further down, and the same 16 columns on: a load from shared memory has them.
// BYTES: .entry of_registers_0(
// BYTES: ldmatrix.sync.aligned.m8n8.x4
// BYTES: wgmma.mma_async.sync.aligned.m64n64k32.s32.s8.u8 {{{(%r[0-9]+, ){31}%r[0-9]+}}}, {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, db
TEGULA_KERNEL void of_registers(tg::array<tg::s32, 2> o) {
  tg::kernel([=] {
    tg::smem<tg::s8, 64, 64> a;
    tg::smem<tg::u8, 64, 64> b;
    tg::acc<tg::s32, 64, 64> acc;
    tg::wgmma(acc, a[tg::all], tg::transpose_ref(b));
    o[tg::ds<64>(0), tg::ds<64>(0)] = acc[tg::all];
  });
}

// TF32: .entry tf32_0(
// TF32: wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32 {{{(%f[0-9]+, ){31}%f[0-9]+}}}, {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, db
TEGULA_KERNEL void tf32(tg::array<float, 2> o) {
  tg::kernel([=] {
    tg::smem<float, 64, 64> a, b;
    tg::acc<float, 64, 64> acc;
    tg::wgmma(acc, a[tg::all], tg::transpose_ref(b));
    o[tg::ds<64>(0), tg::ds<64>(0)] = acc[tg::all];
  });
}

// What a product has made lies otherwise: within quads of lanes.
// MOVED: .entry moved_0(
// MOVED: cvt.rn.satfinite.e4m3x2.f32
// MOVED: shfl.sync
// MOVED-NOT: st.shared
// MOVED: wgmma.mma_async.sync.aligned.m64n64k32.f32.e4m3.e4m3 {{{(%f[0-9]+, ){31}%f[0-9]+}}}, {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, db
TEGULA_KERNEL void moved(tg::array<float, 2> o) {
  tg::kernel([=] {
    tg::smem<tg::e4m3, 64, 64> a, b;
    tg::acc<float, 64, 64> once, twice;
    tg::wgmma(once, a, tg::transpose_ref(b));
    tg::wgmma(twice, tg::astype<tg::e4m3>(once[tg::all]), tg::transpose_ref(b));
    o[tg::ds<64>(0), tg::ds<64>(0)] = twice[tg::all];
  });
}
