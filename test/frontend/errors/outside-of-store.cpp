// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A copy to an array fills nothing in.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 1> x) {
  tg::kernel([=] {
    tg::smem<float, 64> a;
    // CHECK: outside-of-store.cpp:[[@LINE+1]]:51: error: a copy to an array skips elements out of bounds, or promises that there are none, {.oob_mode = tg::oob_fill::promise_in_bounds}: there is nothing to fill [tegula-outside-of-store]
    tg::copy_smem_to_gmem(a, x.at(tg::ds<64>(0)), {.oob_mode = tg::oob_fill::nan});
    // CHECK: outside-of-store.cpp:[[@LINE+1]]:51: error: a copy to an array skips elements {{.*}} [tegula-outside-of-store]
    tg::copy_smem_to_gmem(a, x.at(tg::ds<64>(0)), {.oob_mode = tg::oob_fill::undefined});
    tg::copy_smem_to_gmem(a, x.at(tg::ds<64>(0)), {.oob_mode = tg::oob_fill::promise_in_bounds});
    // CHECK: outside-of-store.cpp:[[@LINE+2]]:75: error: a copy to an array skips elements
    tg::emit_pipeline({.grid = {2}}, [](auto, auto o) { o[tg::all] = 1.0f; },
                      tg::out<64>(x, [](auto i) { return tg::index(i); }, {.oob_mode = tg::oob_fill::nan}));
  });
}
