// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes that load by ldmatrix what other lanes of their warp have stored in the same layout: once, and where the program
// orders its warps itself, too.
// RUN: tegulac --arch=sm_90a --emit=ptx %s -o - | FileCheck %s
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK: .entry ordered_0(
// CHECK: st.shared.f32
// CHECK-NOT: bar.sync
// CHECK: bar.warp.sync -1;
// CHECK-NOT: bar.
// CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK-NOT: bar.
// CHECK: .entry ordered_0_dense(
// CHECK: .entry by_program_0(
// CHECK: st.shared.f32
// CHECK: bar.warp.sync -1;
// CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16
template <bool IsByProgram> void there_and_back(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::kernel({.unsafe_no_auto_barriers = IsByProgram}, [=] {
    tg::smem<float, 64, 16> y;
    const auto m = tg::ds<64>(0);
    const auto n = tg::ds<16>(0);
    y[tg::all] = tg::load(x.at(m, n), {.layout = tg::layout::mma_lhs});
    const auto once = tg::load(y, {.layout = tg::layout::mma_lhs});
    o[m, n] = once + tg::load(y, {.layout = tg::layout::mma_lhs});
  });
}
TEGULA_KERNEL void ordered(tg::array<const float, 2> x, tg::array<float, 2> o) { there_and_back<false>(x, o); }
TEGULA_KERNEL void by_program(tg::array<const float, 2> x, tg::array<float, 2> o) { there_and_back<true>(x, o); }
