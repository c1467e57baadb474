// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A constant pointer is one, too.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 1> o) {
  tg::pallas_call(
      [](auto o) {
        constexpr const char *text = nullptr;
        // CHECK: pointer-value.cpp:[[@LINE+1]]:27: error: kernels have no pointers: pass an object by reference, an array as tg::array, a place in it as ref.at(...) [tegula-pointer]
        const auto same = text;
        o[0] = 1;
      },
      tg::out(o));
}
