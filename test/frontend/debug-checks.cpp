// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tg::debug_check is nothing unless it is asked for.
// RUN: tegulac --emit=tile %s -o - | FileCheck %s --check-prefix=WITHOUT
// RUN: tegulac --emit=tile --debug-checks %s -o - | FileCheck %s
// RUN: tegulac --debug-checks --arch=sm_80 %s -o %t && FileCheck %s --check-prefix=STUB < %t.cpp
#include <tegula/tegula.h>
namespace tg = tegula;

// WITHOUT-LABEL: tile.entry @f
// WITHOUT-NOT: tile.record
// WITHOUT-NOT: scf.if
// CHECK: %[[RECORD:.*]] = tile.record %{{.*}}, 3 : <f64, 2>
// CHECK: tile.launch "f_0"{{.*}}inout %[[ROWS:.*]] = %[[RECORD]]
// CHECK: scf.if
// CHECK: tile.slice %[[ROWS]]{{\[}}element %{{.*}}, element
// CHECK: tile.report %[[RECORD]], ["debug-checks.cpp:[[@LINE+8]]: {} is too large for {}"]
// STUB: auto failed_checks = call.record(x.dim(0), 3);
// STUB: call.report(failed_checks, {"debug-checks.cpp:[[@LINE+6]]: {} is too large for {}"}, {x.dim(0)});
TEGULA_KERNEL void f(tg::array<float, 1> x, int most) {
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [=](auto x) {
        const float value = x[];
        tg::debug_check(value < 7, "{} is too large for {}", value, most);
        x[] = value + 1;
      },
      tg::inout<tg::squeezed>(x, [](auto i) { return tg::index(i); }));
}
