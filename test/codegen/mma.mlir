// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tensor cores of a warp in PTX: cp.async into a swizzled ring, ldmatrix from there, mma.sync.
// RUN: tegulac %s --emit=ptx --arch=sm_80 -o - | FileCheck %s
// No register is spilled.
// RUN: tegulac %s --emit=resources --arch=sm_80 --arch=sm_86 --arch=sm_89 -o - | FileCheck %s --check-prefix=RESOURCES

// Beside Hopper's, each architecture has the kernels of its class.
// RUN: tegulac %s --emit=resources --arch=sm_80 --arch=sm_90a -o - | FileCheck %s --check-prefix=BOTH

// BOTH-DAG: sm_80 product_0_tensor_dense:
// BOTH-DAG: sm_90a product_0_tensor:
// BOTH-NOT: sm_80 product_0_tensor:
// BOTH-NOT: sm_90a product_0_tensor_dense:

// RESOURCES: sm_80 product_0_tensor_dense: registers {{[0-9]+}}, stack 0, spills 0
// RESOURCES: sm_86 product_0_tensor_dense: registers {{[0-9]+}}, stack 0, spills 0
// RESOURCES: sm_89 product_0_tensor_dense: registers {{[0-9]+}}, stack 0, spills 0

// CHECK: .entry product_0_tensor_dense(
// CHECK: .reqntid 256
// CHECK: cp.async.wait_group 0;
// CHECK: bar.sync 15, 256;
// 128 x 32 and 32 x 256 elements, by 256 threads. What lies outside of the arrays is not read, and 0.
// CHECK: selp.b32 size, %r{{[0-9]+}}, 0, %p{{[0-9]+}};
// CHECK-COUNT-6: @%p{{[0-9]+}} cp.async.cg.shared.global [%r{{[0-9]+}}], [%rd{{[0-9]+}}], 16, size;
// CHECK: cp.async.commit_group;
// CHECK: cp.async.wait_group 2;
// CHECK: bar.sync 15, 256;
// The first slice: 64 rows of the left factor, and 64 columns of the right one, which are transposed on their way.
// CHECK-COUNT-4: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK-COUNT-4: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// The second slice of this stage, a copy of another one, the product of the first slice.
// CHECK-COUNT-4: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK-COUNT-4: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// CHECK-COUNT-6: cp.async.cg.shared.global
// CHECK: cp.async.commit_group;
// CHECK-COUNT-32: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f{{[0-9]+}}, %f{{[0-9]+}}, %f{{[0-9]+}}, %f{{[0-9]+}}}, {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, {%r{{[0-9]+}}, %r{{[0-9]+}}}, {%f
// CHECK: cp.async.wait_group 2;
// CHECK: bar.sync 15, 256;
// CHECK-COUNT-8: ldmatrix.sync.aligned
// CHECK-COUNT-32: mma.sync.aligned
// Neighbouring columns are stored together.
// CHECK: st.global.b32
tile.entry @product(%x: !tile.array<bf16, 2, const>, %y: !tile.array<bf16, 2, const>, %z: !tile.array<bf16, 2>) attributes {qualified_name = "product"} {
  %k = tile.dim %x, 1 : !tile.array<bf16, 2, const>
  %l = tile.dim %y, 0 : !tile.array<bf16, 2, const>
  %same = arith.cmpi eq, %k, %l : i64
  tile.check %same, "the inner dimensions differ"
  tile.launch "product_0" grid() args(in %a = %x : !tile.array<bf16, 2, const>, in %b = %y : !tile.array<bf16, 2, const>, out %c = %z : !tile.array<bf16, 2>) {
    %s = tile.load %a : !tile.ref<bf16, [?, ?]> -> tensor<?x?xbf16>
    %t = tile.load %b : !tile.ref<bf16, [?, ?]> -> tensor<?x?xbf16>
    %d = tile.dot %s, %t : tensor<?x?xbf16>, tensor<?x?xbf16> -> tensor<?x?xf32>
    %r = tile.cast %d : tensor<?x?xf32> -> tensor<?x?xbf16>
    tile.store %r, %c : tensor<?x?xbf16>, !tile.ref<bf16, [?, ?]>
    tile.yield
  }
  tile.return
}
