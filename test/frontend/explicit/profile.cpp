// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile --profile=32 %s | FileCheck %s
// RUN: tegulac --emit=tile %s | FileCheck %s --check-prefix=NONE
// RUN: tegulac --emit=ptx --arch=sm_90a --profile %s -o - | FileCheck %s --check-prefix=PTX
// RUN: tegulac --arch=sm_90a --profile %s -o %t && FileCheck %s --input-file=%t.cpp --check-prefix=STUB
// RUN: not tegulac --emit=tile -DMISUSE %s 2>&1 | FileCheck %s --check-prefix=MISUSE
// A scope is an event of the thread that comes by: it ends where its block does, also for those that jump out of it.
#include <tegula/tegula.h>
namespace tg = tegula;

// NONE-NOT: tile.trace
TEGULA_KERNEL void scopes(tg::s64 n) {
  tg::kernel({.grid = {{"m", n}}, .cluster = {{"c", 2}}, .threads = {"wg", 3}}, [=] {
    tg::profile_scope all("all");
    const auto wg = tg::axis_index("wg");
    if (wg == 2)
      return;
    auto rest = tg::profile_scope("rest");
    for (tg::s64 i = 0; i < n; ++i) {
      if (i == wg)
        continue;
      tg::profile_scope again("all");
    }
  });
}
// CHECK-LABEL: tile.entry @scopes
// CHECK-DAG:   %[[SIX:.*]] = arith.constant 6 : i64
// CHECK:       %[[THREADS:.*]] = arith.muli %{{.*}}, %{{.*}} : i64
// CHECK:       %[[TRACE:.*]] = tile.trace %[[THREADS]], 64 : <i64, 2>
// CHECK:       tile.launch "scopes_0" {{.*}}inout %[[T:[a-z_0-9]*]] = %[[TRACE]]{{.*}}tile.traced = 1 : i64
// CHECK:       tile.trace_thread %[[T]] :
// CHECK:       tile.trace_event 0 of 64, %[[T]] :
// CHECK:       scf.if
// CHECK:       tile.trace_event 1 of 64, %[[T]] :
// CHECK:       scf.for
// CHECK:       scf.if
// CHECK:       tile.trace_event 0 of 64, %[[T]] :
// CHECK:       tile.trace_event end 0 of 64, %[[T]] :
// CHECK:       }
// CHECK:       }
// CHECK:       tile.trace_event end 1 of 64, %[[T]] :
// CHECK:       }
// CHECK:       tile.trace_event end 0 of 64, %[[T]] :
// CHECK:       tile.trace_thread end %[[T]] :
// CHECK:       tile.trace_report %[[TRACE]] "scopes_0" ["all", "rest"] threads 3 rows 1

// PTX-LABEL: .entry scopes_0(
// PTX:       mov.u64 time, %globaltimer;
// PTX:       st.global.v2.b64 [%{{.*}} + 16], {time, clock};
// PTX:       mov.u64 clock, %clock64;
// PTX:       mov.u64 what, 2;
// PTX:       st.global.v2.b64 [%{{.*}} + 64], {what, clock};
// PTX:       setp.lt.u32 %{{.*}}, 512;
// PTX:       mov.u64 what, 1;
// PTX:       st.global.v2.b64 [%{{.*}} + 32], {time, clock};

// STUB: auto trace = call.trace({{.*}}, 512);
// STUB: call.launch(tegula::of_{{[a-z_]+}}::scopes_0,
// STUB-NEXT: {{.*}}, 384, 0, false}, trace,
// STUB: call.keep_trace(trace, "scopes_0", {"all", "rest"}, 3, 1);

// Of warps: a row of each, behind that of the thread.
TEGULA_KERNEL void of_warps(tg::array<float, 2> o) {
  tg::kernel({.grid = {{"m", o.dim(0)}}, .threads = {"wg", 2}}, [=] {
    tg::warp_map([&](auto warp) {
      tg::profile_scope all("all");
      if (warp == 3)
        return;
      tg::profile_scope step("step");
      o[tg::axis_index("m"), warp] = 1.0f;
    });
  });
}
// CHECK-LABEL: tile.entry @of_warps
// CHECK:       %[[TEN:.*]] = arith.constant 10 : i64
// CHECK:       %[[ROWS:.*]] = arith.muli %{{.*}}, %[[TEN]] : i64
// CHECK:       %[[TRACE:.*]] = tile.trace %[[ROWS]], 64 : <i64, 2>
// CHECK:       tile.launch "of_warps_0" {{.*}}inout %[[T:[a-z_0-9]*]] = %[[TRACE]]{{.*}}tile.traced = 5 : i64
// CHECK:       tile.trace_thread %[[T]] :
// CHECK:       tile.warp_map {
// CHECK:       tile.trace_event 0 of 64, %[[T]] :
// CHECK:       scf.if
// CHECK:       tile.trace_event 1 of 64, %[[T]] :
// CHECK:       tile.trace_event end 1 of 64, %[[T]] :
// CHECK:       }
// CHECK:       tile.trace_event end 0 of 64, %[[T]] :
// CHECK-NEXT:  tile.warp_done
// CHECK:       tile.trace_thread end %[[T]] :
// CHECK:       tile.trace_report %[[TRACE]] "of_warps_0" ["all", "step"] threads 2 rows 5

// PTX-LABEL: .entry of_warps_0(
// PTX:       mov.u64 what, 0;
// PTX:       mov.u64 what, 3;
// PTX:       mov.u64 what, 1;
// PTX:       st.global.v2.b64 [%{{.*}} + 32], {time, clock};
// PTX:       st.global.b64 [%{{.*}} + 0], count;

// STUB: auto trace = call.trace(o.dim(0) * 10, 512);
// STUB: call.keep_trace(trace, "of_warps_0", {"all", "step"}, 2, 5);

#ifdef MISUSE
// One without a name would end at once.
TEGULA_KERNEL void at_once(tg::array<float, 1> x) {
  tg::kernel([=] {
    // MISUSE: profile.cpp:[[@LINE+1]]:5: warning: expression result unused
    tg::profile_scope("at once");
    x[0] = 1.0f;
  });
}
TEGULA_KERNEL void outside(tg::array<float, 1> x) {
  // MISUSE: profile.cpp:[[@LINE+1]]:21: error: tg::profile_scope is allowed only in the body of tg::kernel, whose programs have warpgroups and shared memory [tegula-explicit-only]
  tg::profile_scope outside("outside");
  tg::kernel([=] { x[0] = 1.0f; });
}
#endif
