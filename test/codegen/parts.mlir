// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Large modules go through LLVM in parts. Put together they are one module: one head, external functions declared once,
// tables of libdevice apart.
// RUN: tegulac --arch sm_90a --emit ptx --lineinfo %s -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --check-prefix=ORDER --input-file=%t
// However its parts meet, the text is the same: calls are not numbered.
// RUN: FileCheck %s --check-prefix=CALLS --input-file=%t
// CALLS: vprintf
// CALLS-NOT: callseq
// RUN: tegulac --arch sm_90a --emit resources %s | FileCheck %s --check-prefix=RESOURCES

// CHECK: .version
// CHECK-NOT: .version
// CHECK: .extern .func (.param .b32 func_retval0) vprintf
// CHECK-NOT: .extern
// CHECK: .global {{.*}} __cudart_i2opi_f[24]
// CHECK: .global {{.*}} __cudart_i2opi_f_part1[24]
// CHECK: .file 1
// CHECK-NOT: .file

// ORDER-DAG: .visible .entry first(
// ORDER-DAG: .visible .entry second(
// ORDER-DAG: .visible .entry third(
// ORDER-DAG: .visible .entry fourth(
// RESOURCES-DAG: {{^}}sm_90a first:
// RESOURCES-DAG: {{^}}sm_90a second:
// RESOURCES-DAG: {{^}}sm_90a third:
// RESOURCES-DAG: {{^}}sm_90a fourth:
tile.kernel @first(%x: !tile.ref<f32, [4096], align 16>, %y: !tile.ref<f32, []>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [4096], align 16> -> tensor<4096xf32>
  %1 = tile.cast %0 : tensor<4096xf32> -> tensor<4096xi8>
  %2 = tile.cast %1 : tensor<4096xi8> -> tensor<4096xf32>
  tile.store %2, %x : tensor<4096xf32>, !tile.ref<f32, [4096], align 16>
  %3 = tile.load %y : !tile.ref<f32, []> -> tensor<f32>
  %4 = tile.sin %3 : tensor<f32>
  %5 = tile.extract %4 : tensor<f32> -> f32
  tile.debug_print "first {}", %5 : f32
  tile.return
}
tile.kernel @second(%x: !tile.ref<f32, [4096], align 16>, %y: !tile.ref<f32, []>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [4096], align 16> -> tensor<4096xf32>
  %1 = tile.cast %0 : tensor<4096xf32> -> tensor<4096xi8>
  %2 = tile.cast %1 : tensor<4096xi8> -> tensor<4096xf32>
  tile.store %2, %x : tensor<4096xf32>, !tile.ref<f32, [4096], align 16>
  %3 = tile.load %y : !tile.ref<f32, []> -> tensor<f32>
  %4 = tile.sin %3 : tensor<f32>
  %5 = tile.extract %4 : tensor<f32> -> f32
  tile.debug_print "second {}", %5 : f32
  tile.return
}
tile.kernel @third(%x: !tile.ref<f32, [4096], align 16>, %y: !tile.ref<f32, []>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [4096], align 16> -> tensor<4096xf32>
  %1 = tile.cast %0 : tensor<4096xf32> -> tensor<4096xi8>
  %2 = tile.cast %1 : tensor<4096xi8> -> tensor<4096xf32>
  tile.store %2, %x : tensor<4096xf32>, !tile.ref<f32, [4096], align 16>
  %3 = tile.load %y : !tile.ref<f32, []> -> tensor<f32>
  %4 = tile.sin %3 : tensor<f32>
  %5 = tile.extract %4 : tensor<f32> -> f32
  tile.debug_print "third {}", %5 : f32
  tile.return
}
tile.kernel @fourth(%x: !tile.ref<f32, [4096], align 16>, %y: !tile.ref<f32, []>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [4096], align 16> -> tensor<4096xf32>
  %1 = tile.cast %0 : tensor<4096xf32> -> tensor<4096xi8>
  %2 = tile.cast %1 : tensor<4096xi8> -> tensor<4096xf32>
  tile.store %2, %x : tensor<4096xf32>, !tile.ref<f32, [4096], align 16>
  %3 = tile.load %y : !tile.ref<f32, []> -> tensor<f32>
  %4 = tile.sin %3 : tensor<f32>
  %5 = tile.extract %4 : tensor<f32> -> f32
  tile.debug_print "fourth {}", %5 : f32
  tile.return
}
