// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CTAs of a stencil prefetch to L2 the window that one below will load: 8 rows of 8 lines, by 64 threads, 4 MiB further
// or more, a power of two of rows. Rows of any stride have no lines, and the last sub-tiles no need.
// RUN: tegulac --arch sm_90a --emit=ptx %s -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: tegulac --emit=tile-split %s -o - | FileCheck %s --check-prefix=SPLIT
#include <tegula/tegula.h>
namespace tg = tegula;

// SPLIT: tile.kernel @below_0_dense({{.*}}tile.prefetches_windows
// CHECK-LABEL: .entry below_0_dense(
// CHECK: clz.b64
// CHECK: mov.u64 %[[ELEMENTS:rd[0-9]+]], 1048576;
// CHECK: shr.u64 %{{rd[0-9]+}}, %[[ELEMENTS]],
// CHECK: setp.lt.u32 %[[HAS_LINE:p[0-9]+]], %{{r[0-9]+}}, 64;
// CHECK: setp.le.and.u64 %there, %[[AHEAD:rd[0-9]+]], %{{rd[0-9]+}}, %[[HAS_LINE]]; @%there prefetch.global.L2 [%[[AHEAD]]];
// CHECK-NOT: prefetch.global
// CHECK: ret;
// CHECK-LABEL: .entry below_0(
// CHECK-NOT: prefetch.global
TEGULA_KERNEL void below(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::check(x.dim(0) >= 1 && o.dim(0) == x.dim(0) - 1 && o.dim(1) == x.dim(1), "o is a row shorter");
  tg::pallas_call(
      [](auto x, auto o) {
        const auto rows = o.dim(0);
        o[tg::all] = x[tg::ds(0, rows), tg::all] + x[tg::ds(1, rows), tg::all];
      },
      tg::in(x), tg::out(o));
}
