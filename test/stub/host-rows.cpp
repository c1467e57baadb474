// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise programs take contiguous arrays as one row.
// RUN: rm -rf %t && mkdir -p %t && tegulac %s --arch sm_80 -o %t/rows && FileCheck %s --input-file %t/rows.cpp
// RUN: %cxx -fsyntax-only %t/rows.cpp
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK:      if (abi::dense(16, abi::flat(x), abi::flat(o))) {
// CHECK-NEXT:   call.launch(tegula::of_{{[a-z_]+}}::negated_0_row_dense, {(abi::flat(o).dim(0) + 1023) / 1024, 256}, abi::flat(x),
// CHECK-NEXT:               abi::flat(o));
// CHECK-NEXT: } else {
TEGULA_KERNEL tg::array<float, 2> negated(tg::array<const float, 2> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = -x[tg::all]; }, tg::in(x), tg::out(o));
  return o;
}
