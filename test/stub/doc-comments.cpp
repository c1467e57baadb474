// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A doc comment stays one, whatever it ends in.
// RUN: rm -rf %t && mkdir -p %t && tegulac %s --arch sm_80 -o %t/docs && FileCheck %s --input-file %t/docs.h
// RUN: %cxx -fsyntax-only %t/docs.cpp
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK: {{^}}/// In C:{{$}}
// CHECK-NEXT: {{^}}/// and in D:{{$}}
// CHECK-NEXT: {{^}}void folders(
/** In C:\
    and in D:\ */
TEGULA_KERNEL void folders(tg::array<float, 1> o) {
  tg::pallas_call([](auto o) { o[tg::all] = 1; }, tg::out(o));
}
