// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plan asks whether TMA can copy the arrays, and chooses its kernel by it: on a driver that records the launches.
// RUN: tegulac --arch sm_90a --ptxas %ptxas -o %t %s && FileCheck %s --input-file %t.cpp
// RUN: %cxx -I%S/../../runtime -I%S/../runtime -include %t.h %S/Inputs/host_can_map.cpp %S/../runtime/fake_driver.cpp %t.cpp %link -o %t.gcc
// RUN: %t.gcc | FileCheck %s --check-prefix=PRINTED --match-full-lines
// RUN: %clangxx -I%S/../../runtime -I%S/../runtime -include %t.h %S/Inputs/host_can_map.cpp %S/../runtime/fake_driver.cpp %t.cpp %link -o %t.clang
// RUN: %t.clang | FileCheck %s --check-prefix=PRINTED --match-full-lines

// PRINTED: dense: zero_0_copies, 2 maps
// PRINTED-NEXT: x begins 4 bytes later: zero_0
// PRINTED-NEXT: rows of x are 36 bytes: zero_0
// PRINTED-NEXT: columns of y are 36 bytes: zero_0
// PRINTED-NEXT: y is stored row by row: zero_0, 1 maps
// PRINTED-NEXT: y ends inside 16 bytes: zero_0
// PRINTED-NEXT: no elements: zero_0_copies, 2 maps

tile.entry @zero(%x: !tile.array<f32, 2, const> {tile.name = "x"}, %y: !tile.array<f32, 2> {tile.name = "y"}) attributes {qualified_name = "zero"} {
  // CHECK: const bool v0 = abi::can_map(abi::read_map("x", x, 128, {64, 32})) &&
  // CHECK-NEXT: abi::can_map(abi::permuted(abi::write_map("y", y, 16, {8, 4}), {1, 0}));
  // CHECK-NEXT: if (v0) {
  // CHECK-NEXT: call.launch(tegula::of_{{[a-z_]+}}::zero_0_copies, {1, 128},
  // CHECK-NEXT: abi::clipped(abi::read_map("x", x, 128, {64, 32}), 0, 8),
  // CHECK-NEXT: abi::permuted(abi::write_map("y", y, 16, {8, 4}), {1, 0}));
  // CHECK: call.launch(tegula::of_{{[a-z_]+}}::zero_0, {1, 128}, x,
  // CHECK-NEXT: abi::optional(abi::write_map("y", y, 16, {8, 4})));
  tile.launch "zero_0" grid() args(in %a = %x : !tile.array<f32, 2, const>, out %b = %y : !tile.array<f32, 2>) {
    %zero = arith.constant 0.0 : f32
    %t = tile.full %zero : f32 -> tensor<?x?xf32>
    tile.store %t, %b : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  } plan (%p, %q) {
    %one = arith.constant 1 : i64
    %xs = tile.can_map %p box [64, 32] swizzle 128 : !tile.array<f32, 2, const>
    %ys = tile.can_map %q permutation [1, 0] box [8, 4] swizzle 16 : !tile.array<f32, 2>
    %both = arith.andi %xs, %ys : i1
    scf.if %both {
      %xm = tile.tensor_map %p box [64, 32] swizzle 128 clipped 0 : !tile.array<f32, 2, const>
      %ym = tile.tensor_map %q permutation [1, 0] box [8, 4] swizzle 16 : !tile.array<f32, 2>
      tile.launch_kernel @zero_0_copies blocks(%one) (%xm, %ym) : !tile.tensor_map, !tile.tensor_map
    } else {
      %om = tile.tensor_map %q box [8, 4] swizzle 16 optional : !tile.array<f32, 2>
      tile.launch_kernel @zero_0 blocks(%one) (%p, %om) : !tile.array<f32, 2, const>, !tile.tensor_map
    }
    tile.yield
  }
  tile.return
}
tile.kernel @zero_0_copies(%a: !tile.tensor_map, %b: !tile.tensor_map) attributes {threads = 128 : i64, group = 128 : i64} {
  tile.return
}
tile.kernel @zero_0(%a: !tile.ref<f32, [?, ?]>, %b: !tile.tensor_map) attributes {threads = 128 : i64, group = 128 : i64} {
  tile.return
}
