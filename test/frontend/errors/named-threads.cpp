// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A named barrier is for threads that the block has.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(int n) {
  tg::kernel({.threads = {"wg", 3}}, [=] {
    // CHECK: named-threads.cpp:[[@LINE+1]]:25: error: a named barrier is for 1 to 3 warpgroups, as many as the CTA has, and their number must be a compile-time constant, {.num_threads = 2}: not 4 [tegula-named-threads]
    tg::named_barrier<> more{.num_threads = 4};
    // CHECK: named-threads.cpp:[[@LINE+1]]:26: error: a named barrier is for 1 to 3 warpgroups, as many as the CTA has, and their number must be a compile-time constant, {.num_threads = 2}: not 0 [tegula-named-threads]
    tg::named_barrier<2> none{.num_threads = 0};
    // CHECK: named-threads.cpp:[[@LINE+1]]:25: error: a named barrier is for 1 to 3 warpgroups, as many as the CTA has, and their number must be a compile-time constant, {.num_threads = 2}: not a run-time value [tegula-named-threads]
    tg::named_barrier<> some{.num_threads = n};
    tg::named_barrier<> all{.num_threads = 3};
  });
  tg::kernel([=] {
    // CHECK: named-threads.cpp:[[@LINE+1]]:25: error: a named barrier is for 1 to 1 warpgroups, as many as the CTA has, and their number must be a compile-time constant, {.num_threads = 2}: not 2 [tegula-named-threads]
    tg::named_barrier<> both;
  });
}
