// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One plan for each class of architectures that differ, one kernel for what they have in common.
// RUN: tegula-opt --tile-split=classes=7.5,8.x,9.0a,10.x --canonicalize --cse %s | FileCheck %s
// RUN: not tegula-opt --tile-split=classes=8.6 %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: unknown class of architectures '8.6'

// Nothing here depends on the class.
// CHECK-LABEL: tile.launch "twice_0"
// CHECK-NOT: tile.is_class
// CHECK: tile.launch_kernel @twice_0
tile.entry @twice(%x: !tile.array<f32, 1>) attributes {qualified_name = "twice"} {
  tile.launch "twice_0" grid() args(inout %a = %x : !tile.array<f32, 1>) {
    %t = tile.load %a : !tile.ref<f32, [?]> -> tensor<?xf32>
    %d = tile.add %t, %t : tensor<?xf32>
    tile.store %d, %a : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}

// Those with clusters first, then all others.
// CHECK-LABEL: tile.launch "shares_0"
// CHECK: %[[IS:.*]] = tile.is_class ["9.0a", "10.x"]
// CHECK-NOT: tile.is_class
// CHECK: scf.if %[[IS]]
// CHECK: tile.launch_kernel @shares_0_{{.*}}cluster{{.*}} cluster(
// CHECK: tile.launch_kernel @shares_0 blocks
// CHECK-NOT: cluster(
// CHECK: tile.launch_kernel @shares_0 blocks
tile.entry @shares(%x: !tile.array<f32, 2, const>, %o: !tile.array<f32, 2>) attributes {qualified_name = "shares"} {
  %m = tile.dim %x, 0 : !tile.array<f32, 2, const>
  %n = tile.dim %x, 1 : !tile.array<f32, 2, const>
  %on = tile.dim %o, 1 : !tile.array<f32, 2>
  %same = arith.cmpi eq, %n, %on : i64
  tile.check %same, "x and o differ in length"
  tile.launch "shares_0" grid(%m) args(in %a = %x : !tile.array<f32, 2, const>, out %r = %o : !tile.array<f32, 2>) {
    %i = tile.program_id 0
    %xb = tile.slice %a[element %i, whole] {spec} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?]>
    %ob = tile.slice %r[element %i, whole] {spec} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?]>
    %t = tile.load %xb : !tile.ref<f32, [?]> -> tensor<?xf32>
    %s = tile.reduce sum %t [0] : tensor<?xf32> -> tensor<f32>
    %b = tile.broadcast %s [] : tensor<f32> -> tensor<?xf32>
    %q = tile.div %t, %b : tensor<?xf32>
    tile.store %q, %ob : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}

// CHECK-COUNT-1: tile.kernel @shares_0(
// CHECK-NOT: tile.kernel @shares_0(
// CHECK: tile.kernel @shares_0_{{.*}}cluster{{.*}} attributes {classes = ["9.0a", "10.x"], cluster = 16
