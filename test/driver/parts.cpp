// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Much code becomes several cubins, which name their kernels; after a change of one kernel, the others' stay.
// RUN: rm -rf %t && mkdir -p %t
// RUN: printf '#!/bin/sh\necho run >> %t/runs\nexec %ptxas "$@"\n' > %t/ptxas && chmod +x %t/ptxas
// RUN: tegulac %s -o %t/k --arch=sm_90a --ptxas %t/ptxas --reuse-cubins && wc -l < %t/runs | FileCheck %s --check-prefix=FIRST
// FIRST: {{^ *3$}}
// RUN: FileCheck %s --input-file=%t/k.cpp
// CHECK: constexpr unsigned char cubin_sm_90a[] =
// CHECK: constexpr const char *kernels_of_cubin_sm_90a[] = {"scale_0_dense", "scale_0_contiguous", "scale_0", "sine_0_dense", nullptr};
// CHECK: constexpr unsigned char cubin_sm_90a_2[] =
// CHECK: constexpr const char *kernels_of_cubin_sm_90a_2[] = {"sine_0_contiguous", nullptr};
// CHECK: constexpr unsigned char cubin_sm_90a_3[] =
// CHECK: constexpr const char *kernels_of_cubin_sm_90a_3[] = {"sine_0", nullptr};
// CHECK: {90, 'a', abi::image_kind::cubin, cubin_sm_90a, sizeof cubin_sm_90a - 1, 2, true, kernels_of_cubin_sm_90a},
// CHECK-NEXT: {90, 'a', abi::image_kind::cubin, cubin_sm_90a_2, sizeof cubin_sm_90a_2 - 1, 2, true, kernels_of_cubin_sm_90a_2},
// CHECK-NEXT: {90, 'a', abi::image_kind::cubin, cubin_sm_90a_3, sizeof cubin_sm_90a_3 - 1, 2, true, kernels_of_cubin_sm_90a_3},
// CHECK-NEXT: };
// RUN: rm %t/runs
// RUN: tegulac -DFACTOR=3 %s -o %t/k --arch=sm_90a --ptxas %t/ptxas --reuse-cubins && wc -l < %t/runs | FileCheck %s --check-prefix=CHANGED
// CHANGED: {{^ *1$}}
// What is told of resources is told of all, and kept, too.
// RUN: rm %t/runs && cp %t/k.cubins %t/report.cubins
// RUN: tegulac -DFACTOR=3 %s --emit=resources --arch=sm_90a --ptxas %t/ptxas --reuse-cubins -o %t/report && not ls %t/runs
// RUN: grep -c registers %t/report | FileCheck %s --check-prefix=SIX
// RUN: tegulac -DFACTOR=3 %s --emit=resources --arch=sm_90a --ptxas %ptxas | diff - %t/report
// RUN: sed 's/kernel sine_0 /kernel sine_0 1/' %t/report.cubins > %t/damaged.cubins
// RUN: tegulac -DFACTOR=3 %s --emit=resources --arch=sm_90a --ptxas %t/ptxas --reuse-cubins -o %t/damaged && ls %t/runs && diff %t/report %t/damaged
// A cubin is one file.
// RUN: rm %t/runs
// RUN: tegulac %s --emit=cubin --arch=sm_90a --ptxas %t/ptxas -o %t/cubin && wc -l < %t/runs | FileCheck %s --check-prefix=CHANGED
// RUN: grep -q sine_0_dense %t/cubin && grep -q scale_0_dense %t/cubin
// SIX: {{^6$}}
#include <tegula/tegula.h>
namespace tg = tegula;

#ifndef FACTOR
#define FACTOR 2
#endif
TEGULA_KERNEL void scale(tg::array<float, 1> x) {
  tg::pallas_call([](auto x) { x[tg::all] = FACTOR * x[tg::all]; }, tg::inout(x));
}
TEGULA_KERNEL void sine(tg::array<double, 1> x) {
  tg::pallas_call(
      [](auto x) {
        auto t = x[tg::all];
        tg::static_for<8>([&](auto) { t = tg::sin(tg::cos(t)); });
        x[tg::all] = t;
      },
      tg::inout(x));
}
