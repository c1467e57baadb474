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
    // expected-error @below {{the program overwrites this array before all of what is read here is used}}
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
// Another team writes what this one would read.
tile.entry @transposed(%x: !tile.array<f32, 2>) attributes {qualified_name = "transposed"} {
  %m = tile.dim %x, 0 : !tile.array<f32, 2>
  %n = tile.dim %x, 1 : !tile.array<f32, 2>
  %eq = arith.cmpi eq, %n, %m : i64
  tile.check %eq, "square"
  tile.launch "transposed_0" grid() args(inout %xr = %x : !tile.array<f32, 2>) {
    // expected-error @below {{the program overwrites this array before all of what is read here is used}}
    %t = tile.load %xr : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    %p = tile.permute %t [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
    tile.store %p, %xr : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return
}
// -----
// One team goes through the pieces of the array, and would come to some that it has overwritten.
tile.entry @swapped(%x: !tile.array<f32, 2>) attributes {qualified_name = "swapped"} {
  %m = tile.dim %x, 0 : !tile.array<f32, 2>
  %n = tile.dim %x, 1 : !tile.array<f32, 2>
  %eq = arith.cmpi eq, %n, %m : i64
  tile.check %eq, "square"
  tile.launch "swapped_0" grid() args(inout %xr = %x : !tile.array<f32, 2>) {
    // expected-error @below {{the program overwrites this array before all of what is read here is used}}
    %t = tile.load %xr : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    %s = tile.reduce sum %t [0, 1] : tensor<?x?xf32> -> tensor<f32>
    %b = tile.broadcast %s [] : tensor<f32> -> tensor<?x?xf32>
    %p = tile.permute %t [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
    %q = tile.add %p, %b : tensor<?x?xf32>
    tile.store %q, %xr : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return
}
// -----
// So it is with what a mask is made of, and with what is read under one.
tile.entry @masked(%x: !tile.array<f32, 2>) attributes {qualified_name = "masked"} {
  %m = tile.dim %x, 0 : !tile.array<f32, 2>
  %n = tile.dim %x, 1 : !tile.array<f32, 2>
  %eq = arith.cmpi eq, %n, %m : i64
  tile.check %eq, "square"
  tile.launch "masked_0" grid() args(inout %xr = %x : !tile.array<f32, 2>) {
    %f = arith.constant 0.0 : f32
    %zero = tile.full %f : f32 -> tensor<?x?xf32>
    // expected-error @below {{the program overwrites this array before all of what is read here is used}}
    %t = tile.load %xr : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    %p = tile.permute %t [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
    %above = tile.gt %p, %zero : tensor<?x?xf32> -> tensor<?x?xi1>
    tile.store %zero, %xr mask %above : tensor<?x?xi1> : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return
}
// -----
tile.entry @under(%x: !tile.array<f32, 2>, %w: !tile.array<i1, 2, const>) attributes {qualified_name = "under"} {
  %m = tile.dim %x, 0 : !tile.array<f32, 2>
  %n = tile.dim %x, 1 : !tile.array<f32, 2>
  %k = tile.dim %w, 0 : !tile.array<i1, 2, const>
  %l = tile.dim %w, 1 : !tile.array<i1, 2, const>
  %eq = arith.cmpi eq, %n, %m : i64
  tile.check %eq, "square"
  %rows = arith.cmpi eq, %k, %m : i64
  tile.check %rows, "rows"
  %columns = arith.cmpi eq, %l, %n : i64
  tile.check %columns, "columns"
  tile.launch "under_0" grid() args(inout %xr = %x : !tile.array<f32, 2>, in %wr = %w : !tile.array<i1, 2, const>) {
    %f = arith.constant 0.0 : f32
    %zero = tile.full %f : f32 -> tensor<?x?xf32>
    %mask = tile.load %wr : !tile.ref<i1, [?, ?]> -> tensor<?x?xi1>
    // expected-error @below {{the program overwrites this array before all of what is read here is used}}
    %t = tile.load %xr mask %mask : tensor<?x?xi1> other %zero : tensor<?x?xf32> : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    %p = tile.permute %t [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
    tile.store %p, %xr : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return
}
