// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The extents of variables, where an operand has none of its own.
// RUN: tegulac --emit=cpu %s | grep -v '^#line' | FileCheck %s
// RUN: tegulac --emit=cpu %s | %cxx -x c++ -c - -o %t.o

// A scalar meets an iota: the iota says how many there are.
// CHECK-LABEL: void shifted_0_cpu(
// CHECK: cpu::tile<float, 1> [[T:.*]](tegula::shape<1>{x.dim(0)});
// CHECK: [[T]](i0) = cpu::add(s, cpu::cast<float>(i0));
tile.entry @shifted(%x: !tile.array<f32, 1> {tile.name = "x"}, %y: !tile.array<f32, 0> {tile.name = "y"}, %s: f32 {tile.name = "s"}) attributes {qualified_name = "shifted"} {
  tile.launch "shifted_0" grid() args(inout %a = %x : !tile.array<f32, 1>, out %b = %y : !tile.array<f32, 0>, scalar %f = %s : f32) {
    %0 = arith.constant 0 : i64
    %n = tile.dim %a, 0 : !tile.ref<f32, [?]>
    %t = tile.full %f : f32 -> tensor<?xf32>
    %i = tile.iota 0 extents(%n) : tensor<?xf32>
    %u = tile.add %t, %i : tensor<?xf32>
    %e = tile.subtile %u[element %0] : tensor<?xf32> -> tensor<f32>
    tile.store %e, %b : tensor<f32>, !tile.ref<f32, []>
    tile.yield
  }
  tile.return
}

// A column of one is repeated along an extent that the row tells, not once.
// CHECK-LABEL: void outer_0_cpu(
// CHECK: cpu::tile<float, 2> [[T:.*]](tegula::shape<2>{2, x.dim(0)});
tile.entry @outer(%x: !tile.array<f32, 1, const> {tile.name = "x"}, %y: !tile.array<f32, 1> {tile.name = "y"}, %s: f32 {tile.name = "s"}) attributes {qualified_name = "outer"} {
  %dx = tile.dim %x, 0 : !tile.array<f32, 1, const>
  %dy = tile.dim %y, 0 : !tile.array<f32, 1>
  %same = arith.cmpi eq, %dx, %dy : i64
  tile.check %same, "x and y differ in length"
  tile.launch "outer_0" grid() args(in %a = %x : !tile.array<f32, 1, const>, out %b = %y : !tile.array<f32, 1>, scalar %f = %s : f32) {
    %1 = arith.constant 1 : i64
    %column = tile.full %f : f32 -> tensor<2x1xf32>
    %c = tile.broadcast %column [0, 1] : tensor<2x1xf32> -> tensor<2x?xf32>
    %row = tile.load %a : !tile.ref<f32, [?]> -> tensor<?xf32>
    %r = tile.broadcast %row [1] : tensor<?xf32> -> tensor<2x?xf32>
    %u = tile.mul %c, %r : tensor<2x?xf32>
    %v = tile.subtile %u[element %1, whole] : tensor<2x?xf32> -> tensor<?xf32>
    tile.store %v, %b : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}
