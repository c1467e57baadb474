// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// The number of threads is a constant.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::s64 n) {
  // CHECK: threads.cpp:[[@LINE+1]]:14: error: a CTA has 1 to 8 warpgroups of 128 threads, and their number must be a compile-time constant, {.threads = {"wg", 3}}: not a run-time value [tegula-threads]
  tg::kernel({.threads = {"wg", n}}, [=] {});
  // CHECK: threads.cpp:[[@LINE+1]]:14: error: a CTA has 1 to 8 warpgroups of 128 threads, and their number must be a compile-time constant, {.threads = {"wg", 3}}: not 9 [tegula-threads]
  tg::kernel({.threads = {"wg", 9}}, [=] {});
}
