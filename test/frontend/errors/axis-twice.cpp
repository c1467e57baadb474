// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// An axis is named once.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::s64 n) {
  // CHECK: axis-twice.cpp:[[@LINE+1]]:14: error: two axes of the kernel are called "m": rename one [tegula-axis-twice]
  tg::kernel({.grid = {{"m", n}}, .cluster = {{"m", 2}}}, [=] {});
}
