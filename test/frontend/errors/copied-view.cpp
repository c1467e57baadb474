// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Tensor maps describe arrays as these are.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<tg::f16, 2> x) {
  tg::kernel([=] {
    tg::smem<tg::f16, 16, 64> s;
    tg::barrier here;
    const auto window = x.at(tg::ds<16>(0), tg::ds<64>(0));
    const auto view = tg::reshape_ref<2, 8, 64>(window);
    // CHECK: copied-view.cpp:[[@LINE+1]]:5: error: copies between arrays and shared memory take windows of arrays, not of reshaped or cast ones: reshape or cast the shared memory instead, tg::reshape_ref<...>(smem) [tegula-copied-view]
    tg::copy_gmem_to_smem(view.at(0), s.at(tg::ds<8>(0)), here);
    // CHECK: copied-view.cpp:[[@LINE+1]]:5: error: copies between arrays and shared memory take windows of arrays, not of reshaped
    tg::copy_smem_to_gmem(tg::bitcast_ref<tg::u16>(s), tg::bitcast_ref<tg::u16>(window));
    // CHECK: copied-view.cpp:[[@LINE+1]]:5: error: copies between arrays and shared memory take windows of arrays, not of reshaped
    tg::async_prefetch(view);
    // CHECK: copied-view.cpp:[[@LINE+1]]:5: error: copies between arrays and shared memory take windows of arrays, not of reshaped
    tg::cp_async(view.at(1), s.at(tg::ds<8>(0)));
    tg::copy_gmem_to_smem(x.at(tg::ds<8>(0), tg::ds<64>(0)), tg::reshape_ref<2, 8, 64>(s).at(1), here);
  });
}
