// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A part of a tile that is the same everywhere is no longer than what it meets, which may be nothing. Found by random
// programs.
// RUN: tegulac --emit=cpu -o - %s | grep -v '^#line' | FileCheck %s

// CHECK-LABEL: void part_0_cpu(
// CHECK:       cpu::min<std::int32_t> min;
// CHECK-NEXT:  for (std::int64_t i0 = 0; i0 < v0_block.dim(0); ++i0)
tile.entry @part(%x: !tile.array<i32, 1, const>, %n: i64, %v: i32) -> !tile.array<i32, 0> attributes {qualified_name = "part"} {
  %o = tile.empty() : !tile.array<i32, 0>
  tile.launch "part_0" grid() args(in %a = %x : !tile.array<i32, 1, const>, scalar %at = %n : i64, scalar %value = %v : i32, out %r = %o : !tile.array<i32, 0>) {
    %f = tile.full %value : i32 -> tensor<9xi32>
    %p = tile.subtile %f[window %at] : tensor<9xi32> -> tensor<4xi32>
    %w = tile.slice %a[window %at] : !tile.ref<i32, [?]> -> !tile.ref<i32, [4?]>
    %t = tile.load %w : !tile.ref<i32, [4?]> -> tensor<4xi32>
    %q = tile.sub %p, %t : tensor<4xi32>
    %m = tile.reduce min %q [0] : tensor<4xi32> -> tensor<i32>
    tile.store %m, %r : tensor<i32>, !tile.ref<i32, []>
    tile.yield
  }
  tile.return %o : !tile.array<i32, 0>
}
