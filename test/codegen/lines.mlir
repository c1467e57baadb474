// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Source lines of the innermost function, through names and inlined calls, in the files that they are in.
// RUN: tegulac --arch sm_90a --emit ptx --lineinfo %s | FileCheck %s

// CHECK-LABEL: .entry lines(
// CHECK-NOT: debug
// CHECK: .loc [[MAIN:[0-9]+]] 7 3
// CHECK: ld.global
// CHECK: .loc [[HELPER:[0-9]+]] 40 5
// CHECK: add.rn.f32
// CHECK: .loc [[MAIN]] 9 1
// CHECK: st.global
// CHECK-DAG: .file [[MAIN]] "{{(/src/)?}}kernels.cpp"
// CHECK-DAG: .file [[HELPER]] "{{(/src/)?}}helper.h"
tile.kernel @lines(%x: !tile.ref<f32, [32]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [32]> -> tensor<32xf32> loc("x"("/src/kernels.cpp":7:3))
  %1 = tile.add %0, %0 : tensor<32xf32> loc(callsite("/src/helper.h":40:5 at "/src/kernels.cpp":8:4))
  tile.store %1, %x : tensor<32xf32>, !tile.ref<f32, [32]> loc("/src/kernels.cpp":9:1)
  tile.return loc("/src/kernels.cpp":10:1)
} loc("/src/kernels.cpp":5:1)
