// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A value that the frontend loses without a message is never passed over in silence.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 1> o) {
  tg::pallas_call(
      [](auto o) {
        // A constant that is a null pointer has no value in a kernel, and no message of its own.
        constexpr const char *text = nullptr;
        // CHECK: value-lost.cpp:[[@LINE+1]]:27: error: internal error: the value of this expression was lost; please report it with the kernel [tegula-value-lost]
        const auto same = text;
        o[0] = 1.F;
      },
      tg::out(o));
}
