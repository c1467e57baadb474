// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// Semaphores are arrays that the host makes for a launch, and clears.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void semaphores(tg::s64 n) {
  tg::kernel({.grid = {{"m", n}}}, [=] {
    auto some = tg::get_global<tg::semaphore<4, 2>>();
    auto one = tg::get_global<tg::semaphore<>>();
    const auto m = tg::axis_index("m");
    tg::semaphore_signal(one);
    const auto again = some;
    tg::semaphore_signal(again.at(m, 1), m + 2, {.scope = tg::memory_scope::sys});
    tg::semaphore_wait(one, n);
    tg::semaphore_wait(some.at(3, 0), 2, {.decrement = false});
    tg::semaphore_signal_parallel({{one, 1}, {some.at(0, m), -m}});
    tg::semaphore_signal(one, tg::semaphore_read(some.at(m, m)));
  });
}
// CHECK-LABEL: tile.entry @semaphores
// CHECK-DAG:   %[[FOUR:.*]] = arith.constant 4 : i64
// CHECK-DAG:   %[[TWO:.*]] = arith.constant 2 : i64
// CHECK:       %[[SOME:.*]] = tile.empty zeroed(%[[FOUR]], %[[TWO]]) : <i32, 2>
// CHECK:       %[[ONE:.*]] = tile.empty zeroed() : <i32, 0>
// CHECK:       tile.launch "semaphores_0" grid({{.*}}) args(inout %[[S:.*]] = %[[SOME]] : !tile.array<i32, 2>, inout %[[O:.*]] = %[[ONE]] : !tile.array<i32, 0>
// CHECK-SAME:  tile.resident_at_once
// CHECK:       %[[M:.*]] = tile.program_id 0
// CHECK:       tile.semaphore_signal %[[O]] by %c1_i64 : !tile.ref<i32, []>
// CHECK:       %[[P:.*]] = tile.slice %[[S]][element %[[M]], element %c1_i64]
// CHECK:       tile.semaphore_signal %[[P]] by %{{.*}} scope sys
// CHECK:       tile.semaphore_wait decrement %[[O]] for %{{.*}} :
// CHECK:       %[[Q:.*]] = tile.slice %[[S]][element %c3_i64, element %c0_i64]
// CHECK:       tile.semaphore_wait %[[Q]] for %c2_i64{{[_0-9]*}} :
// CHECK:       tile.semaphore_signal %[[O]], %{{.*}} by %c1_i64, %{{.*}} : !tile.ref<i32, []>, !tile.ref<i32, []>
// CHECK:       %[[SEEN:.*]] = tile.semaphore_read %{{.*}} :
// CHECK:       arith.extsi %[[SEEN]] : i32 to i64

// One semaphore is behind all barriers of a launch. Who only signals waits for nobody.
TEGULA_KERNEL void grids(tg::s64 n) {
  tg::kernel({.grid = {{"m", n}}}, [=] {
    tg::grid_barrier();
    tg::grid_barrier();
  });
  tg::kernel({.grid = {{"m", n}}}, [=] { tg::semaphore_signal(tg::get_global<tg::semaphore<>>()); });
  tg::kernel({.grid = {{"m", n}}, .waiting_for = tg::earlier_blocks},
             [=] { tg::semaphore_wait(tg::get_global<tg::semaphore<>>(), 0); });
}
// CHECK-LABEL: tile.entry @grids
// CHECK:       tile.empty zeroed()
// CHECK-NEXT:  tile.launch "grids_0" {{.*}}inout %[[G:[a-z_0-9]*]] ={{.*}}tile.resident_at_once
// CHECK:       tile.grid_barrier %[[G]] :
// CHECK-NEXT:  tile.grid_barrier %[[G]] :
// CHECK:       tile.launch "grids_1"
// CHECK-NOT:   resident
// CHECK:       tile.launch "grids_2" {{.*}}tile.waits_for_earlier
