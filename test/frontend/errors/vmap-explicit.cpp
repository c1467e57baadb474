// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Programs of the explicit level are CUDA blocks: nothing is put around them.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 2> x) {
  // CHECK: vmap-explicit.cpp:[[@LINE+1]]:25: error: tg::kernel does not run under tg::vmap: give it an axis of its own for the batch, or write it with tg::pallas_call [tegula-vmap-explicit]
  tg::vmap([](auto x) { tg::kernel({.grid = {{"m", 2}}}, [=] { x[0] = 1.0f; }); }, tg::over(x, 0));
}
