// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders of access that thread groups cannot keep are refused, not raced, where a program is to be split at once. In
// stages, all of them can be.
// RUN: tegula-opt --split-input-file --verify-diagnostics --tile-split=stages=false %s
// RUN: tegula-opt --split-input-file --tile-split %s -o /dev/null

tile.entry @shift(%x: !tile.array<f32, 1>, %n: i64) attributes {qualified_name = "shift"} {
  tile.launch "shift_0" grid() args(inout %r = %x : !tile.array<f32, 1>, scalar %m = %n : i64) {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %a = tile.slice %r[window %z size %m] : !tile.ref<f32, [?]> -> !tile.ref<f32, [?]>
    %b = tile.slice %r[window %one size %m] : !tile.ref<f32, [?]> -> !tile.ref<f32, [?]>
    // expected-note @below {{that load}}
    %t = tile.load %a : !tile.ref<f32, [?]> -> tensor<?xf32>
    // expected-error @below {{this store may overwrite what the program reads elsewhere in the array, and its blocks are too large for one thread group to keep the order}}
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
      // expected-error @below {{the windows that this store writes may overlap from one iteration to the next}}
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
    // expected-error @below {{another thread group may have overwritten what is read here, for the array is stored to at other places than it is read}}
    // expected-note @below {{write to another array, or use static blocks of at most 8192 elements}}
    %t = tile.load %xr : !tile.ref<f32, [?]> -> tensor<?xf32>
    %e = tile.exp %t : tensor<?xf32>
    // expected-note @below {{that store}}
    tile.store %e, %xr : tensor<?xf32>, !tile.ref<f32, [?]>
    %b = tile.broadcast %t [1] : tensor<?xf32> -> tensor<?x?xf32>
    tile.store %b, %r : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return
}
// -----
// Another thread group writes what this one would read.
tile.entry @transposed(%x: !tile.array<f32, 2>) attributes {qualified_name = "transposed"} {
  %m = tile.dim %x, 0 : !tile.array<f32, 2>
  %n = tile.dim %x, 1 : !tile.array<f32, 2>
  %eq = arith.cmpi eq, %n, %m : i64
  tile.check %eq, "square"
  tile.launch "transposed_0" grid() args(inout %xr = %x : !tile.array<f32, 2>) {
    // expected-error @below {{another thread group may have overwritten what is read here, for the array is stored to at other places than it is read}}
    // expected-note @below {{write to another array, or use static blocks of at most 8192 elements}}
    %t = tile.load %xr : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    %p = tile.permute %t [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
    // expected-note @below {{that store}}
    tile.store %p, %xr : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return
}
// -----
// One thread group loops over the chunks of the array, and would come to some that it has overwritten.
tile.entry @swapped(%x: !tile.array<f32, 2>) attributes {qualified_name = "swapped"} {
  %m = tile.dim %x, 0 : !tile.array<f32, 2>
  %n = tile.dim %x, 1 : !tile.array<f32, 2>
  %eq = arith.cmpi eq, %n, %m : i64
  tile.check %eq, "square"
  tile.launch "swapped_0" grid() args(inout %xr = %x : !tile.array<f32, 2>) {
    // expected-error @below {{this dimension is sequential, chunk by chunk, and chunks of the array are overwritten before others are read}}
    // expected-note @below {{write to another array, or use static blocks of at most 8192 elements}}
    %t = tile.load %xr : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    %s = tile.reduce sum %t [0, 1] : tensor<?x?xf32> -> tensor<f32>
    %b = tile.broadcast %s [] : tensor<f32> -> tensor<?x?xf32>
    %p = tile.permute %t [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
    %q = tile.add %p, %b : tensor<?x?xf32>
    // expected-note @below {{that store}}
    tile.store %q, %xr : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return
}
// -----
tile.entry @stored_twice(%x: !tile.array<f32, 1>, %n: i64, %at: i64) attributes {qualified_name = "stored_twice"} {
  tile.launch "stored_twice_0" grid() args(inout %r = %x : !tile.array<f32, 1>, scalar %m = %n : i64, scalar %s = %at : i64) {
    %z = arith.constant 0 : i64
    %f = arith.constant 0.0 : f32
    %a = tile.slice %r[window %z size %m] : !tile.ref<f32, [?]> -> !tile.ref<f32, [?]>
    %b = tile.slice %r[window %s size %m] : !tile.ref<f32, [?]> -> !tile.ref<f32, [?]>
    %t = tile.full %f : f32 -> tensor<?xf32>
    // expected-note @below {{that store}}
    tile.store %t, %a : tensor<?xf32>, !tile.ref<f32, [?]>
    // expected-error @below {{this store may write where the program has written before, and its blocks are too large for one thread group to keep the order}}
    // expected-note @below {{write to another array}}
    tile.store %t, %b : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}
// -----
tile.entry @loaded_after(%x: !tile.array<f32, 1>, %n: i64) attributes {qualified_name = "loaded_after"} {
  tile.launch "loaded_after_0" grid() args(inout %r = %x : !tile.array<f32, 1>, scalar %m = %n : i64) {
    %f = arith.constant 0.0 : f32
    %t = tile.full %f : f32 -> tensor<?xf32>
    // expected-note @below {{that store}}
    tile.store %t, %r : tensor<?xf32>, !tile.ref<f32, [?]>
    %e = tile.slice %r[element %m] : !tile.ref<f32, [?]> -> !tile.ref<f32, []>
    // expected-error @below {{this load may read what the program writes elsewhere in the array, and its blocks are too large for one thread group to keep the order}}
    // expected-note @below {{write to another array}}
    %s = tile.load %e : !tile.ref<f32, []> -> tensor<f32>
    %b = tile.broadcast %s [] : tensor<f32> -> tensor<?xf32>
    tile.store %b, %r : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}
// -----
// A loop over the rows finds the greatest before the second store, when the first one has been everywhere.
tile.entry @used_after(%x: !tile.array<f32, 2>) attributes {qualified_name = "used_after"} {
  tile.launch "used_after_0" grid() args(inout %xr = %x : !tile.array<f32, 2>) {
    // expected-error @below {{the program overwrites this array before all of what is read here is used, and its blocks are too large for one thread group to keep the value}}
    // expected-note @below {{write to another array}}
    %t = tile.load %xr : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    %d = tile.add %t, %t : tensor<?x?xf32>
    // expected-note @below {{that store}}
    tile.store %d, %xr : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    %s = tile.reduce max %t [1] : tensor<?x?xf32> -> tensor<?xf32>
    %b = tile.broadcast %s [0] : tensor<?xf32> -> tensor<?x?xf32>
    tile.store %b, %xr : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return
}
// -----
tile.entry @used_in_loop(%x: !tile.array<f32, 2>, %count: i64) attributes {qualified_name = "used_in_loop"} {
  tile.launch "used_in_loop_0" grid() args(inout %xr = %x : !tile.array<f32, 2>, scalar %m = %count : i64) {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    // expected-error @below {{what is read here is used in a loop that overwrites the array, and its blocks are too large for one thread group to keep the value}}
    // expected-note @below {{write to another array}}
    %t = tile.load %xr : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    scf.for %k = %z to %m step %one : i64 {
      %f = arith.sitofp %k : i64 to f32
      %c = tile.full %f : f32 -> tensor<?x?xf32>
      %p = tile.mul %t, %c : tensor<?x?xf32>
      %s = tile.reduce max %p [1] : tensor<?x?xf32> -> tensor<?xf32>
      %b = tile.broadcast %s [0] : tensor<?xf32> -> tensor<?x?xf32>
      // expected-note @below {{that store}}
      tile.store %b, %xr : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    }
    tile.yield
  }
  tile.return
}
// -----
// A reduction of what has gone round a loop: the loop would have to run for each chunk of a row.
tile.entry @reduced_afterwards(%x: !tile.array<f32, 2, const>, %o: !tile.array<f32, 2>, %count: i64) attributes {qualified_name = "reduced_afterwards"} {
  %xm = tile.dim %x, 0 : !tile.array<f32, 2, const>
  %xn = tile.dim %x, 1 : !tile.array<f32, 2, const>
  %om = tile.dim %o, 0 : !tile.array<f32, 2>
  %on = tile.dim %o, 1 : !tile.array<f32, 2>
  %rows = arith.cmpi eq, %xm, %om : i64
  %columns = arith.cmpi eq, %xn, %on : i64
  tile.check %rows, "rows"
  tile.check %columns, "columns"
  tile.launch "reduced_afterwards_0" grid() args(in %xr = %x : !tile.array<f32, 2, const>, out %or = %o : !tile.array<f32, 2>, scalar %c = %count : i64) {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %t = tile.load %xr : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    // expected-error @below {{a loop carries this tile, and all of it is wanted at once, which may be more than a thread group can hold}}
    // expected-note @below {{use static blocks of at most 8192 elements, or read it from an array that the program does not write}}
    %r = scf.for %k = %z to %c step %one iter_args(%v = %t) -> (tensor<?x?xf32>) : i64 {
      %w = tile.add %v, %v : tensor<?x?xf32>
      scf.yield %w : tensor<?x?xf32>
    }
    // expected-note @below {{this reduction combines all of it}}
    %s = tile.reduce max %r [1] : tensor<?x?xf32> -> tensor<?xf32>
    %b = tile.broadcast %s [0] : tensor<?xf32> -> tensor<?x?xf32>
    %d = tile.sub %r, %b : tensor<?x?xf32>
    tile.store %d, %or : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return
}
// -----
// One inside the loop.
tile.entry @reduced_inside(%x: !tile.array<f32, 2, const>, %o: !tile.array<f32, 2>, %count: i64) attributes {qualified_name = "reduced_inside"} {
  %xm = tile.dim %x, 0 : !tile.array<f32, 2, const>
  %xn = tile.dim %x, 1 : !tile.array<f32, 2, const>
  %om = tile.dim %o, 0 : !tile.array<f32, 2>
  %on = tile.dim %o, 1 : !tile.array<f32, 2>
  %rows = arith.cmpi eq, %xm, %om : i64
  %columns = arith.cmpi eq, %xn, %on : i64
  tile.check %rows, "rows"
  tile.check %columns, "columns"
  tile.launch "reduced_inside_0" grid() args(in %xr = %x : !tile.array<f32, 2, const>, out %or = %o : !tile.array<f32, 2>, scalar %c = %count : i64) {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %t = tile.load %xr : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    // expected-error @below {{a loop carries this tile, and all of it is wanted at once, which may be more than a thread group can hold}}
    // expected-note @below {{use static blocks of at most 8192 elements, or read it from an array that the program does not write}}
    %r = scf.for %k = %z to %c step %one iter_args(%v = %t) -> (tensor<?x?xf32>) : i64 {
      // expected-note @below {{this reduction combines all of it}}
      %s = tile.reduce sum %v [1] : tensor<?x?xf32> -> tensor<?xf32>
      %b = tile.broadcast %s [0] : tensor<?xf32> -> tensor<?x?xf32>
      %w = tile.div %v, %b : tensor<?x?xf32>
      scf.yield %w : tensor<?x?xf32>
    }
    tile.store %r, %or : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return
}
// -----
// A product with itself.
tile.entry @power(%x: !tile.array<f32, 2, const>, %o: !tile.array<f32, 2>, %count: i64) attributes {qualified_name = "power"} {
  %xm = tile.dim %x, 0 : !tile.array<f32, 2, const>
  %xn = tile.dim %x, 1 : !tile.array<f32, 2, const>
  %om = tile.dim %o, 0 : !tile.array<f32, 2>
  %on = tile.dim %o, 1 : !tile.array<f32, 2>
  %rows = arith.cmpi eq, %xm, %om : i64
  %columns = arith.cmpi eq, %xn, %on : i64
  tile.check %rows, "rows"
  tile.check %columns, "columns"
  %square = arith.cmpi eq, %xm, %xn : i64
  tile.check %square, "square"
  tile.launch "power_0" grid() args(in %xr = %x : !tile.array<f32, 2, const>, out %or = %o : !tile.array<f32, 2>, scalar %c = %count : i64) {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %t = tile.load %xr : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    // expected-error @below {{a loop carries this tile, and all of it is wanted at once, which may be more than a thread group can hold}}
    // expected-note @below {{use static blocks of at most 8192 elements, or read it from an array that the program does not write}}
    %r = scf.for %k = %z to %c step %one iter_args(%v = %t) -> (tensor<?x?xf32>) : i64 {
      // expected-note @below {{this product sums over all of it}}
      %w = tile.dot %v, %t : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
      scf.yield %w : tensor<?x?xf32>
    }
    tile.store %r, %or : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return
}
// -----
// Each thread group has a part of the tile, and would want another one, too.
tile.entry @both_sides(%x: !tile.array<f32, 2, const>, %o: !tile.array<f32, 2>, %count: i64) attributes {qualified_name = "both_sides"} {
  %xm = tile.dim %x, 0 : !tile.array<f32, 2, const>
  %xn = tile.dim %x, 1 : !tile.array<f32, 2, const>
  %om = tile.dim %o, 0 : !tile.array<f32, 2>
  %on = tile.dim %o, 1 : !tile.array<f32, 2>
  %rows = arith.cmpi eq, %xm, %om : i64
  %columns = arith.cmpi eq, %xn, %on : i64
  tile.check %rows, "rows"
  tile.check %columns, "columns"
  %square = arith.cmpi eq, %xm, %xn : i64
  tile.check %square, "square"
  tile.launch "both_sides_0" grid() args(in %xr = %x : !tile.array<f32, 2, const>, out %or = %o : !tile.array<f32, 2>, scalar %c = %count : i64) {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %t = tile.load %xr : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    // expected-error @below {{a loop carries this tile, and it is wanted at two places: each of the thread groups that share its blocks has but one part of it}}
    // expected-note @below {{use static blocks of at most 8192 elements}}
    %r = scf.for %k = %z to %c step %one iter_args(%v = %t) -> (tensor<?x?xf32>) : i64 {
      // expected-note @below {{one of its dimensions becomes another one here}}
      %p = tile.permute %v [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
      %w = tile.sub %v, %p : tensor<?x?xf32>
      scf.yield %w : tensor<?x?xf32>
    }
    tile.store %r, %or : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return
}
// -----
tile.entry @chosen(%x: !tile.array<f32, 2, const>, %y: !tile.array<f32, 2, const>, %o: !tile.array<f32, 2>, %p: i1) attributes {qualified_name = "chosen"} {
  %xm = tile.dim %x, 0 : !tile.array<f32, 2, const>
  %xn = tile.dim %x, 1 : !tile.array<f32, 2, const>
  %om = tile.dim %o, 0 : !tile.array<f32, 2>
  %on = tile.dim %o, 1 : !tile.array<f32, 2>
  %rows = arith.cmpi eq, %xm, %om : i64
  %columns = arith.cmpi eq, %xn, %on : i64
  tile.check %rows, "rows"
  tile.check %columns, "columns"
  %ym = tile.dim %y, 0 : !tile.array<f32, 2, const>
  %yn = tile.dim %y, 1 : !tile.array<f32, 2, const>
  %ry = arith.cmpi eq, %ym, %om : i64
  %cy = arith.cmpi eq, %yn, %on : i64
  tile.check %ry, "rows"
  tile.check %cy, "columns"
  tile.launch "chosen_0" grid() args(in %xr = %x : !tile.array<f32, 2, const>, in %yr = %y : !tile.array<f32, 2, const>, out %or = %o : !tile.array<f32, 2>, scalar %c = %p : i1) {
    // expected-error @below {{a branch makes this tile, and all of it is wanted at once, which may be more than a thread group can hold}}
    // expected-note @below {{use static blocks of at most 8192 elements}}
    %r = scf.if %c -> tensor<?x?xf32> {
      %t = tile.load %xr : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
      scf.yield %t : tensor<?x?xf32>
    } else {
      %t = tile.load %yr : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
      scf.yield %t : tensor<?x?xf32>
    }
    // expected-note @below {{this reduction combines all of it}}
    %s = tile.reduce max %r [1] : tensor<?x?xf32> -> tensor<?xf32>
    %b = tile.broadcast %s [0] : tensor<?xf32> -> tensor<?x?xf32>
    %d = tile.sub %r, %b : tensor<?x?xf32>
    tile.store %d, %or : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return
}
// -----
// A vector along both sides of a square.
tile.entry @outer(%x: !tile.array<f32, 1, const>, %o: !tile.array<f32, 2>, %count: i64) attributes {qualified_name = "outer"} {
  tile.launch "outer_0" grid() args(in %xr = %x : !tile.array<f32, 1, const>, out %or = %o : !tile.array<f32, 2>, scalar %c = %count : i64) {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %t = tile.load %xr : !tile.ref<f32, [?]> -> tensor<?xf32>
    // expected-error @below {{a loop carries this tile, and it is wanted at two places}}
    // expected-note @below {{use static blocks of at most 8192 elements}}
    %r = scf.for %k = %z to %c step %one iter_args(%v = %t) -> (tensor<?xf32>) : i64 {
      %w = tile.add %v, %v : tensor<?xf32>
      scf.yield %w : tensor<?xf32>
    }
    // expected-note @below {{one of its dimensions becomes another one here}}
    %a = tile.broadcast %r [0] : tensor<?xf32> -> tensor<?x?xf32>
    %b = tile.broadcast %r [1] : tensor<?xf32> -> tensor<?x?xf32>
    %p = tile.mul %a, %b : tensor<?x?xf32>
    tile.store %p, %or : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return
}
// -----
// One element of what a loop carries, though a thread group holds all of it.
tile.entry @part(%x: !tile.array<f32, 1, const>, %o: !tile.array<f32, 1>, %count: i64) attributes {qualified_name = "part"} {
  tile.launch "part_0" grid() args(in %xr = %x : !tile.array<f32, 1, const>, out %or = %o : !tile.array<f32, 1>, scalar %c = %count : i64) {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %xw = tile.slice %xr[window %z] {in_bounds} : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
    %ow = tile.slice %or[window %z] {in_bounds} : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
    %t = tile.load %xw : !tile.ref<f32, [64]> -> tensor<64xf32>
    // expected-error @below {{a loop carries this tile, and no part of it can be taken: the threads of a thread group have its elements in registers}}
    // expected-note @below {{keep the part in a variable of its own as well, or reduce tg::where of it}}
    %r = scf.for %k = %z to %c step %one iter_args(%v = %t) -> (tensor<64xf32>) : i64 {
      %w = tile.add %v, %v : tensor<64xf32>
      scf.yield %w : tensor<64xf32>
    }
    // expected-note @below {{this part}}
    %e = tile.subtile %r[element %z] : tensor<64xf32> -> tensor<f32>
    %b = tile.broadcast %e [] : tensor<f32> -> tensor<64xf32>
    tile.store %b, %ow : tensor<64xf32>, !tile.ref<f32, [64]>
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
    // expected-error @below {{another thread group may have overwritten what is read here, for the array is stored to at other places than it is read}}
    // expected-note @below {{write to another array}}
    %t = tile.load %xr : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    %p = tile.permute %t [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
    %above = tile.gt %p, %zero : tensor<?x?xf32> -> tensor<?x?xi1>
    // expected-note @below {{that store}}
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
    // expected-error @below {{another thread group may have overwritten what is read here, for the array is stored to at other places than it is read}}
    // expected-note @below {{write to another array}}
    %t = tile.load %xr mask %mask : tensor<?x?xi1> other %zero : tensor<?x?xf32> : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    %p = tile.permute %t [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
    // expected-note @below {{that store}}
    tile.store %p, %xr : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return
}
