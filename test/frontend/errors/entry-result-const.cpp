// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// An entry returns what it made.
#include <tegula/tegula.h>
namespace tg = tegula;

struct both {
  tg::array<float, 1> sum;
  tg::array<const float, 1> x;
};
// CHECK: entry-result-const.cpp:[[@LINE+1]]:20: error: an entry returns arrays that it made, whose elements are not const, not 'tg::array<const float, 1>': return auto o = tg::empty_like(x), stored to by a launch; the caller already has the arrays that it passed [tegula-entry-result-const]
TEGULA_KERNEL both f(tg::array<const float, 1> x) { return {tg::empty_like(x), x}; }
// CHECK: entry-result-const.cpp:[[@LINE+1]]:41: error: an entry returns arrays that it made, whose elements are not const, not 'tg::array<const float, 1>': return auto o = tg::empty_like(x), stored to by a launch; the caller already has the arrays that it passed [tegula-entry-result-const]
TEGULA_KERNEL tg::array<const float, 1> g(tg::array<const float, 1> x) { return x; }
