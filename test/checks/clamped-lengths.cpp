// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A difference that is clamped at 0 is another integer than one that is not.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void lengths(tg::array<float, 1> o, tg::s64 n, tg::s64 m) {
  tg::check(n >= 0 && m >= 0, "no negative lengths");
  tg::pallas_call(
      [=](auto o) {
        const tg::s64 none = 0, most = 16;
        const tg::s64 clamped = tg::minimum(most, tg::maximum(none, n - m));
        o[0] = tg::sum(tg::full<float>(1, clamped) * tg::full<float>(2, tg::minimum(most, tg::maximum(none, n - m))));
        // CHECK: clamped-lengths.cpp:[[@LINE+1]]:{{[0-9]+}}: error: these tiles may differ in extent along dimension 0: {{.*}}tg::minimum(16, (n - m)){{.*}} and {{.*}}(at most 16 of n from m){{.*}} [tegula-check-extents]
        o[1] = tg::sum(tg::full<float>(1, tg::minimum(most, n - m) + 100) * tg::full<float>(2, clamped + 100));
      },
      tg::out(o));
}
