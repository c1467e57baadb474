// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What splitting refuses of places at tiles of indices, beyond what a source can say.
// RUN: tegula-opt --tile-split --split-input-file --verify-diagnostics %s

tile.entry @loaded(%x: !tile.array<i32, 1>, %n: !tile.array<i64, 1, const>) attributes {qualified_name = "loaded"} {
  tile.launch "loaded_0" grid() args(inout %a = %x : !tile.array<i32, 1>, in %b = %n : !tile.array<i64, 1, const>) {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i32
    %e = tile.slice %b[element %zero] : !tile.ref<i64, [?]> -> !tile.ref<i64, []>
    %t = tile.load %e : !tile.ref<i64, []> -> tensor<i64>
    %size = tile.extract %t : tensor<i64> -> i64
    %i = tile.iota 0 extents(%size) : tensor<?xi32>
    %v = tile.full %one : i32 -> tensor<?xi32>
    // expected-error@below {{the extent of dimension 0 of what is stored here must be known in front of the launch, from its arguments}}
    tile.atomic add %v, %a indices(%i : tensor<?xi32>) [0] at 0 : tensor<?xi32>, !tile.ref<i32, [?]>
    tile.yield
  }
  tile.return
}
