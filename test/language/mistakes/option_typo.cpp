// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %clangxx -D__TEGULA__ -std=c++23 -w -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

// Options are named.
void f(tg::array<const float, 1> x) {
  // CHECK: option_typo.cpp:[[@LINE+1]]:{{.*}} error: no matching function for call to 'pallas_call'
  tg::pallas_call({.grids = {8}}, [](auto x) { (void)x; }, tg::in(x));
}
