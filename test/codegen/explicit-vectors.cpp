// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=ptx --arch=sm_90a %s -o - | FileCheck %s
// RUN: tegulac --arch=sm_90a %s -o %t && FileCheck %s --input-file=%t.cpp --check-prefix=STUB
// Where threads access arrays by themselves, a kernel for arrays that the host finds dense does so by vectors.
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK-LABEL: .entry moves_0(
// CHECK:       ld.global{{(\.nc)?}}.b32
// CHECK-NOT:   .v4
// CHECK:       red.relaxed.gpu.global.add.f32
// CHECK-NOT:   .v4
// CHECK:       ret;
// CHECK-LABEL: .entry moves_0_dense(
// CHECK:       ld.global{{(\.nc)?}}.v4.b32
// CHECK:       red.relaxed.gpu.global.add.v4.f32
// CHECK-NOT:   red.relaxed.gpu.global.add.f32
// CHECK:       ret;
// STUB:        if (abi::dense(16, x, o)) {
// STUB-NEXT:     call.launch(tegula::of_{{[a-z_]+}}::moves_0_dense,
// STUB:        } else {
// STUB-NEXT:     call.launch(tegula::of_{{[a-z_]+}}::moves_0,
TEGULA_KERNEL void moves(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::kernel({.grid = {{"m", x.dim(0)}}}, [=] {
    const auto m = tg::axis_index("m");
    tg::atomic_add(o.at(m, tg::ds<1024>(0)), x[m, tg::ds<1024>(0)]);
  });
}

// Halves go by 16 bytes, too: eight of them.
// CHECK-LABEL: .entry halves_0_dense(
// CHECK:       red.relaxed.gpu.global.add.noftz.v4.bf16x2
TEGULA_KERNEL void halves(tg::array<const tg::bf16, 2> x, tg::array<tg::bf16, 2> o) {
  tg::kernel({.grid = {{"m", x.dim(0)}}}, [=] {
    const auto m = tg::axis_index("m");
    tg::atomic_add(o.at(m, tg::ds<1024>(0)), x[m, tg::ds<1024>(0)]);
  });
}

// An accumulator has two neighbours in a thread.
// CHECK-LABEL: .entry sums_0_dense(
// CHECK:       red.relaxed.gpu.global.add.v2.f32
// CHECK-NOT:   red.relaxed.gpu.global.add.f32
// CHECK:       ret;
TEGULA_KERNEL void sums(tg::array<const tg::bf16, 2> a, tg::array<float, 2> o) {
  tg::kernel([=] {
    tg::smem<tg::bf16, 64, 64> left, right;
    tg::barrier full{.num_arrivals = 2};
    tg::copy_gmem_to_smem(a.at(tg::ds<64>(0), tg::ds<64>(0)), left, full);
    tg::copy_gmem_to_smem(a.at(tg::ds<64>(64), tg::ds<64>(0)), right, full);
    tg::barrier_wait(full);
    tg::acc<float, 64, 64> acc;
    tg::wgmma(acc, left, right);
    tg::atomic_add(o.at(tg::ds<64>(0), tg::ds<64>(0)), acc[tg::all]);
  });
}

// What TMA copies is dense, or the call is refused: one kernel.
// CHECK-LABEL: .entry both_0(
// CHECK:       st.global.v4.b32
// CHECK-NOT:   .entry both_0_dense
TEGULA_KERNEL void both(tg::array<float, 2> x) {
  tg::kernel({.grid = {{"m", x.dim(0)}}}, [=] {
    tg::smem<float, 1024> row;
    tg::barrier full;
    const auto m = tg::axis_index("m");
    tg::copy_gmem_to_smem(x.at(m, tg::ds<1024>(0)), row, full);
    tg::barrier_wait(full);
    x[m, tg::ds<1024>(0)] = row[tg::all] * 2.0f;
  });
}

// So few elements, one for each lane, gain nothing; and nobody knows where this window begins.
// CHECK-NOT:   _dense
// STUB:        call.launch(tegula::of_{{[a-z_]+}}::few_0,
TEGULA_KERNEL void few(tg::array<const float, 2> x, tg::array<float, 2> o, tg::s64 n) {
  tg::kernel({.grid = {{"m", x.dim(0)}}}, [=] {
    const auto m = tg::axis_index("m");
    o[m, tg::ds<128>(0)] = x[m, tg::ds<128>(0)];
    o[m, tg::ds<1024>(n)] = tg::zeros<float, 1024>();
  });
}
