// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %clangxx -D__TEGULA__ -std=c++23 -w -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

void f(tg::gmem<const float, 8, 4> x, tg::gmem<float, 8, 4> o, tg::tile<float, 8, 4> t, tg::tile<bool, 4> mask) {
  // CHECK: error: {{.*}}a mask must have bool elements: compare first, mask != 0
  // CHECK: masks.cpp:[[@LINE+1]]:
  (void)tg::load(x, t, 0);
  // CHECK: error: {{.*}}the element type of `other` differs from the array's, and a load does not convert: write tg::astype<...>(other)
  // CHECK: masks.cpp:[[@LINE+1]]:
  (void)tg::load(x, mask, tg::astype<int>(t));
  // CHECK: error: {{.*}}the mask does not broadcast to the shape of the block: mask[tg::all, tg::newaxis] inserts a dimension
  // CHECK: masks.cpp:[[@LINE+1]]:
  (void)tg::load(x, tg::zeros<int, 8>() == 0, 0);
  // CHECK: error: {{.*}}the value for masked-out elements does not broadcast to the shape of the block
  // CHECK: masks.cpp:[[@LINE+1]]:
  (void)tg::load(x, mask, tg::zeros<float, 8>());
  // CHECK: error: {{.*}}a mask must have bool elements: compare first, mask != 0
  // CHECK: masks.cpp:[[@LINE+1]]:
  (void)tg::load(x, t);
  // CHECK: error: {{.*}}the mask does not broadcast to the shape of the block: mask[tg::all, tg::newaxis] inserts a dimension
  // CHECK: masks.cpp:[[@LINE+1]]:
  (void)tg::load(x, tg::zeros<int, 8>() == 0);
  // CHECK: error: {{.*}}a mask must have bool elements: compare first, mask != 0
  // CHECK: masks.cpp:[[@LINE+1]]:
  tg::store(o, t, 1);
  // CHECK: error: {{.*}}the mask does not broadcast to the shape of the block: mask[tg::all, tg::newaxis] inserts a dimension
  // CHECK: masks.cpp:[[@LINE+1]]:
  tg::store(o, t, tg::zeros<int, 3>() == 0);
  // CHECK: error: {{.*}}this place is read-only
  // CHECK: masks.cpp:[[@LINE+1]]:
  tg::store(x, t, mask);
  // CHECK: error: {{.*}}a ref is a place, not a value: load it, ref[tg::all]
  // CHECK: masks.cpp:[[@LINE+1]]:
  (void)tg::load(x, mask, o);
  // CHECK: masks.cpp:[[@LINE+1]]:{{.*}} error: {{.*}}tg::load takes a ref, not a loaded value: write tg::load(x, mask, 0), or for a part tg::load(x.at(i), mask, 0)
  (void)tg::load(t, mask, 0);
  // CHECK: masks.cpp:[[@LINE+1]]:{{.*}} error: {{.*}}tg::store takes a ref, not a loaded value: write tg::store(o, value, mask), or for a part tg::store(o.at(i), value, mask)
  tg::store(t, t, mask);
}
