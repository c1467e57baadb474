// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders of access that teams cannot keep are refused, not raced.
// RUN: tegula-opt --split-input-file --verify-diagnostics --tile-split %s

tile.entry @shift(%x: !tile.array<f32, 1>, %n: i64) attributes {qualified_name = "shift"} {
  tile.launch "shift_0" grid() args(inout %r = %x : !tile.array<f32, 1>, scalar %m = %n : i64) {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %a = tile.slice %r[window %z size %m] : !tile.ref<f32, [?]> -> !tile.ref<f32, [?]>
    %b = tile.slice %r[window %one size %m] : !tile.ref<f32, [?]> -> !tile.ref<f32, [?]>
    // expected-note @below {{an access that may touch the same elements}}
    %t = tile.load %a : !tile.ref<f32, [?]> -> tensor<?xf32>
    // expected-error @below {{the order of these accesses matters, and the blocks of this program are too large for one team of threads to keep it}}
    // expected-note @below {{write to another array, or use static blocks of at most 8192 elements}}
    tile.store %t, %b : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}
// -----
tile.entry @sliding(%x: !tile.array<f32, 1>, %n: i64) attributes {qualified_name = "sliding"} {
  tile.launch "sliding_0" grid() args(out %r = %x : !tile.array<f32, 1>, scalar %m = %n : i64) {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %f = arith.constant 0.0 : f32
    scf.for %k = %z to %m step %one : i64 {
      %a = tile.slice %r[window %k size %m] : !tile.ref<f32, [?]> -> !tile.ref<f32, [?]>
      %t = tile.full %f : f32 -> tensor<?xf32>
      // expected-error @below {{the order of these accesses matters}}
      // expected-note @below {{windows that overlap from one iteration to the next}}
      // expected-note @below {{write to another array}}
      tile.store %t, %a : tensor<?xf32>, !tile.ref<f32, [?]>
    }
    tile.yield
  }
  tile.return
}
// -----
// A row that is overwritten is also wanted by every other row.
tile.entry @spread(%x: !tile.array<f32, 1>, %o: !tile.array<f32, 2>) attributes {qualified_name = "spread"} {
  %n = tile.dim %x, 0 : !tile.array<f32, 1>
  %m = tile.dim %o, 1 : !tile.array<f32, 2>
  %eq = arith.cmpi eq, %n, %m : i64
  tile.check %eq, "columns"
  tile.launch "spread_0" grid() args(inout %xr = %x : !tile.array<f32, 1>, out %r = %o : !tile.array<f32, 2>) {
    // expected-error @below {{this tile is wanted at several places by a program whose blocks are too large for one team of threads}}
    %t = tile.load %xr : !tile.ref<f32, [?]> -> tensor<?xf32>
    %e = tile.exp %t : tensor<?xf32>
    tile.store %e, %xr : tensor<?xf32>, !tile.ref<f32, [?]>
    %b = tile.broadcast %t [1] : tensor<?xf32> -> tensor<?x?xf32>
    tile.store %b, %r : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return
}
// -----
tile.entry @masked(%x: !tile.array<f32, 1>) attributes {qualified_name = "masked"} {
  tile.launch "masked_0" grid() args(inout %r = %x : !tile.array<f32, 1>) {
    %true = arith.constant true
    %mask = tile.full %true : i1 -> tensor<?xi1>
    %t = tile.load %r : !tile.ref<f32, [?]> -> tensor<?xf32>
    // expected-error @below {{masks are for the CPU alone so far: load the block, and choose with tg::where(mask, x, other)}}
    tile.store %t, %r mask %mask : tensor<?xi1> : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}
