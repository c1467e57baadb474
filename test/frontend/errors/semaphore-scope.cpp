// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Semaphores are for blocks of a grid.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::s64 n) {
  tg::kernel({.grid = {{"m", n}}}, [=] {
    auto s = tg::get_global<tg::semaphore<2>>();
    // CHECK: semaphore-scope.cpp:[[@LINE+1]]:5: error: a semaphore synchronizes the CTAs of a grid, not the warpgroups of one CTA: its scope is tg::memory_scope::gpu or sys; within a CTA, use tg::barrier [tegula-semaphore-scope]
    tg::semaphore_signal(s.at(0), 1, {.scope = tg::memory_scope::cta});
    // CHECK: semaphore-scope.cpp:[[@LINE+1]]:5: error: a semaphore synchronizes the CTAs of {{.*}} [tegula-semaphore-scope]
    tg::semaphore_wait(s.at(1), 1, {.scope = tg::memory_scope::cta});
    // CHECK: semaphore-scope.cpp:[[@LINE+1]]:5: error: a semaphore synchronizes the CTAs of {{.*}} [tegula-semaphore-scope]
    tg::semaphore_signal_parallel({{s.at(0), 1}, {s.at(1), 1}}, {.scope = tg::memory_scope::cta});
    tg::semaphore_wait(s.at(1), 1, {.scope = tg::memory_scope::sys});
  });
}
