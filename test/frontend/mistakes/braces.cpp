// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=initializer_list
// A range-for over braces, whose type is a header's that is not included.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 1> o) {
  tg::pallas_call(
      [](auto o) {
        // CHECK: braces.cpp:[[@LINE+1]]:28: error: a list in braces has no type in a kernel: name the array, const float values[] = {1, 2}, and use that
        for (float value : {1.0f, 2.0f})
          o[0] = value;
        // As it says.
        const float values[] = {1, 2};
        for (float value : values)
          o[0] = value;
      },
      tg::partial_out(o));
}
