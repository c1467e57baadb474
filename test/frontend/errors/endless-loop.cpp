// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Loops that nothing ends.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void on_the_host(int n) {
  // CHECK: endless-loop.cpp:[[@LINE+1]]:3: error: this loop never ends: its condition is always true, and nothing in it breaks or returns; give it a condition that changes, or a break [tegula-endless-loop]
  for (;;)
    n += 1;
}

TEGULA_KERNEL void in_a_body(tg::array<float, 1> o) {
  tg::pallas_call(
      [](auto o) {
        o[0] = 1.0f;
        // CHECK: endless-loop.cpp:[[@LINE+1]]:9: error: this loop never ends
        while (true) {
        }
      },
      tg::out(o));
}

TEGULA_KERNEL void behind_its_body(tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto o) {
        o[0] = 1.0f;
        int i = n;
        // CHECK: endless-loop.cpp:[[@LINE+1]]:9: error: this loop never ends
        do {
          for (int j = 0; j < 4; ++j)
            if (j == i)
              break;
          i += 1;
          continue;
        } while (true);
      },
      tg::out(o));
}

/// Left by a break, by a return, by one of an inner loop's.
TEGULA_KERNEL void allowed(tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto o) {
        o[0] = 1.0f;
        int i = n;
        while (true)
          if (++i > 9)
            break;
        do {
          if (i == 12)
            break;
          ++i;
        } while (true);
        for (;;) {
          for (;;)
            if (++i > 20)
              return;
        }
      },
      tg::out(o));
}
