// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes are counted in shared memory: loads of 16, and for each a multiplication that finds its copy. With as many copies
// as lanes, each has a bank for itself. What comes of it is added to the array.
// RUN: tegulac --arch sm_90a --emit=ptx %samples/embedding/kernels.cpp -o %t
// RUN: FileCheck %s < %t
// RUN: tegulac --arch sm_90a --emit=resources %samples/embedding/kernels.cpp -o - | FileCheck %s --check-prefix=RESOURCES
// RUN: tegulac --arch sm_90a -Rsplit --emit=tile-split %samples/embedding/kernels.cpp -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: kernels.cpp:{{.*}}: remark: arrays of at most 32768 bytes that get many updates an element: CTAs combine these in shared memory (count_bytes_0_private_contiguous)

// CHECK: .entry count_bytes_0_private_dense(
// CHECK: .shared .align 128 .b8 {{.*}}[32768];
// CHECK: div.u32 %[[PER:.*]], %{{.*}}, %{{.*}};
// CHECK: min.u32 %{{.*}}, %[[PER]], 32;
// CHECK: bar.sync
// CHECK: ld.global.nc.v4
// CHECK: ld.global.nc.v4
// CHECK: bfe.u32 %{{.*}}, %{{.*}}, 24, 8;
// CHECK: mad.lo.s32 %[[PLACE:.*]], %{{.*}}, %{{.*}}, %{{.*}};
// CHECK-NEXT: red.relaxed.cta.shared.add.u32 [%[[PLACE]]], %{{.*}};
// CHECK-NEXT: mad.lo.s32
// CHECK-NEXT: red.relaxed.cta.shared.add.u32
// CHECK: bar.sync
// CHECK: red.relaxed.gpu.global.add.u32

// RESOURCES: count_bytes_0_private_dense: registers {{.*}}, stack 0, spills 0
