// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Entries return arrays, scalars, and structs of them.
#include <tegula/tegula.h>
namespace tg = tegula;

struct nested {
  struct {
    int a;
  } inner;
};
// CHECK: entry-result.cpp:[[@LINE+1]]:22: error: an entry returns nothing, an array, a scalar, or a struct of them; not 'nested' [tegula-entry-result]
TEGULA_KERNEL nested f(int n) { return {{n}}; }
// CHECK: entry-result.cpp:[[@LINE+1]]:41: error: an entry returns arrays that it made, whose elements are not const, not 'tg::array<const float, 1>': return auto o = tg::empty_like(x), stored to by a launch; the caller already has the arrays that it passed [tegula-entry-result-const]
TEGULA_KERNEL tg::array<const float, 1> g(tg::array<const float, 1> x) { return x; }
