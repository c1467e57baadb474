// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A second run that writes the same leaves the files alone only where it is told to.
// RUN: tegulac %s -o %t --arch=sm_80 && touch -d 2001-01-01 %t.h %t.cpp
// RUN: tegulac %s -o %t --arch=sm_80 --keep-unchanged && find %t.h %t.cpp ! -newermt 2001-01-02 | wc -l | FileCheck %s --check-prefix=KEPT
// KEPT: 2
// What changed is written, the header, which says nothing of architectures, is not.
// RUN: tegulac %s -o %t --arch=sm_90a --keep-unchanged && find %t.h %t.cpp ! -newermt 2001-01-02 | FileCheck %s --check-prefix=HEADER
// HEADER-NOT: tmp.cpp
// HEADER: tmp.h
// RUN: tegulac %s -o %t --arch=sm_90a && find %t.h %t.cpp ! -newermt 2001-01-02 | wc -l | FileCheck %s --check-prefix=NEW
// NEW: 0
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void twice(tg::array<float, 1> x) {
  tg::pallas_call([](auto x) { x[tg::all] = 2 * x[tg::all]; }, tg::inout(x));
}
