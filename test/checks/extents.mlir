// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt --split-input-file --verify-diagnostics --tile-check-extents %s | FileCheck %s

// What a check before the launch compares is equal; `&&` is understood.
// CHECK-LABEL: tile.entry @checked
tile.entry @checked(%x: !tile.array<f32, 2, const> {tile.name = "x"}, %o: !tile.array<f32, 2> {tile.name = "o"}) attributes {qualified_name = "checked"} {
  %x0 = tile.dim %x, 0 : !tile.array<f32, 2, const>
  %x1 = tile.dim %x, 1 : !tile.array<f32, 2, const>
  %o0 = tile.dim %o, 0 : !tile.array<f32, 2>
  %o1 = tile.dim %o, 1 : !tile.array<f32, 2>
  %a = arith.cmpi eq, %x0, %o0 : i64
  %b = arith.cmpi eq, %o1, %x1 : i64
  %c = arith.andi %a, %b : i1
  tile.check %c, "shapes differ"
  tile.launch "checked_0" grid() args(in %xr = %x : !tile.array<f32, 2, const>, out %r = %o : !tile.array<f32, 2>) {
    %t = tile.load %xr : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    tile.store %t, %r : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return
}
// -----
tile.entry @unchecked(%x: !tile.array<f32, 1, const> {tile.name = "x"}, %o: !tile.array<f32, 1> {tile.name = "o"}) attributes {qualified_name = "unchecked"} {
  tile.launch "unchecked_0" grid() args(in %xr = %x : !tile.array<f32, 1, const>, out %r = %o : !tile.array<f32, 1>) {
    %t = tile.load %xr : !tile.ref<f32, [?]> -> tensor<?xf32>
    // expected-error @below {{the tile and the ref that it is stored to may differ in extent along dimension 0: o.dim(0) and x.dim(0)}}
    // expected-note @below {{refuse other calls before the launch: tg::check(o.dim(0) == x.dim(0), "...")}}
    tile.store %t, %r : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}
// -----
// A check in one branch says nothing about the other.
tile.entry @branch(%x: !tile.array<f32, 1, const> {tile.name = "x"}, %o: !tile.array<f32, 1> {tile.name = "o"}, %p: i1) attributes {qualified_name = "branch"} {
  scf.if %p {
    %x0 = tile.dim %x, 0 : !tile.array<f32, 1, const>
    %o0 = tile.dim %o, 0 : !tile.array<f32, 1>
    %a = arith.cmpi eq, %x0, %o0 : i64
    tile.check %a, "lengths"
  }
  tile.launch "branch_0" grid() args(in %xr = %x : !tile.array<f32, 1, const>, out %r = %o : !tile.array<f32, 1>) {
    %t = tile.load %xr : !tile.ref<f32, [?]> -> tensor<?xf32>
    // expected-error @below {{may differ in extent}}
    // expected-note @below {{tg::check}}
    tile.store %t, %r : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}
// -----
// Blocks cut alike agree at the edge; full and iota conform; a dim of a tile is that of its ref.
// CHECK-LABEL: tile.entry @blocks
tile.entry @blocks(%x: !tile.array<i64, 1, const> {tile.name = "x"}, %g: i64) -> !tile.array<i64, 1> attributes {qualified_name = "blocks"} {
  %n = tile.dim %x, 0 : !tile.array<i64, 1, const>
  %o = tile.empty(%n) : !tile.array<i64, 1>
  // CHECK: args(in %[[X:.*]] = %{{.*}}, out %[[O:.*]] =
  tile.launch "blocks_0" grid(%g) args(in %xr = %x : !tile.array<i64, 1, const>, out %r = %o : !tile.array<i64, 1>) {
    %i = tile.program_id 0
    %c = arith.constant 100 : i64
    %s = arith.muli %i, %c : i64
    %s2 = arith.muli %c, %i : i64
    // CHECK: %[[XB:.*]] = tile.slice %[[X]]
    %xb = tile.slice %xr[window %s] {spec} : !tile.ref<i64, [?]> -> !tile.ref<i64, [100?]>
    %ob = tile.slice %r[window %s2] {spec} : !tile.ref<i64, [?]> -> !tile.ref<i64, [100?]>
    %t = tile.load %xb : !tile.ref<i64, [100?]> -> tensor<100xi64>
    %k = tile.iota 0 : tensor<100xi64>
    %u = tile.add %t, %k : tensor<100xi64>
    // CHECK: %[[D:.*]] = tile.dim %[[XB]], 0
    %d = tile.dim %u, 0 : tensor<100xi64>
    // CHECK: tile.full %[[D]]
    %f = tile.full %d : i64 -> tensor<100xi64>
    %v = tile.mul %u, %f : tensor<100xi64>
    tile.store %v, %ob : tensor<100xi64>, !tile.ref<i64, [100?]>
    tile.yield
  }
  tile.return %o : !tile.array<i64, 1>
}
// -----
// Blocks cut at other places do not.
tile.entry @shifted(%x: !tile.array<i64, 1, const> {tile.name = "x"}, %g: i64) -> !tile.array<i64, 1> attributes {qualified_name = "shifted"} {
  %n = tile.dim %x, 0 : !tile.array<i64, 1, const>
  %o = tile.empty(%n) : !tile.array<i64, 1>
  tile.launch "shifted_0" grid(%g) args(in %xr = %x : !tile.array<i64, 1, const>, out %r = %o : !tile.array<i64, 1>) {
    %i = tile.program_id 0
    %c = arith.constant 100 : i64
    %s = arith.muli %i, %c : i64
    %xb = tile.slice %xr[window %c] : !tile.ref<i64, [?]> -> !tile.ref<i64, [100?]>
    %ob = tile.slice %r[window %s] {spec} : !tile.ref<i64, [?]> -> !tile.ref<i64, [100?]>
    %t = tile.load %xb : !tile.ref<i64, [100?]> -> tensor<100xi64>
    // expected-error @below {{at most 100 of x.dim(0) from (100 * program_id(0)) and at most 100 of x.dim(0) from 100}}
    // expected-note @below {{blocks that begin at different indices have different extents at the end of an array}}
    tile.store %t, %ob : tensor<100xi64>, !tile.ref<i64, [100?]>
    tile.yield
  }
  tile.return %o : !tile.array<i64, 1>
}
// -----
// A carried tile takes the extent that it meets in the loop.
// CHECK-LABEL: tile.entry @carried
tile.entry @carried(%x: !tile.array<f32, 2, const> {tile.name = "x"}, %g: i64) -> !tile.array<f32, 1> attributes {qualified_name = "carried"} {
  %n = tile.dim %x, 1 : !tile.array<f32, 2, const>
  %m = tile.dim %x, 0 : !tile.array<f32, 2, const>
  %o = tile.empty(%n) : !tile.array<f32, 1>
  tile.launch "carried_0" grid(%g) args(in %xr = %x : !tile.array<f32, 2, const>, out %r = %o : !tile.array<f32, 1>, scalar %rows = %m : i64) {
    %z = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %init = tile.full %z : f32 -> tensor<?xf32>
    %sum = scf.for %k = %c0 to %rows step %c1 iter_args(%acc = %init) -> tensor<?xf32> : i64 {
      %row = tile.slice %xr[element %k, whole] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?]>
      %t = tile.load %row : !tile.ref<f32, [?]> -> tensor<?xf32>
      %s = tile.add %acc, %t : tensor<?xf32>
      scf.yield %s : tensor<?xf32>
    }
    tile.store %sum, %r : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return %o : !tile.array<f32, 1>
}
// -----
tile.entry @nodim(%o: !tile.array<i64, 1>) attributes {qualified_name = "nodim"} {
  tile.launch "nodim_0" grid() args(out %r = %o : !tile.array<i64, 1>) {
    %c = arith.constant 1 : i64
    %t = tile.full %c : i64 -> tensor<?xi64>
    // expected-error @below {{this tile has no extent of its own, but takes that of the tiles that it is combined with: use the extent of a ref or of such a tile}}
    %d = tile.dim %t, 0 : tensor<?xi64>
    %f = tile.full %d : i64 -> tensor<?xi64>
    tile.store %f, %r : tensor<?xi64>, !tile.ref<i64, [?]>
    tile.yield
  }
  tile.return
}
// -----
// `a && b` is a branch where b divides: both hold after the check.
// CHECK-LABEL: tile.entry @both
tile.entry @both(%x: !tile.array<f32, 2, const> {tile.name = "x"}, %o: !tile.array<f32, 1>) attributes {qualified_name = "both"} {
  %m = tile.dim %x, 0 : !tile.array<f32, 2, const>
  %n = tile.dim %x, 1 : !tile.array<f32, 2, const>
  %on = tile.dim %o, 0 : !tile.array<f32, 1>
  %c64 = arith.constant 64 : i64
  %c0 = arith.constant 0 : i64
  %false = arith.constant false
  %same = arith.cmpi eq, %n, %on : i64
  %both = scf.if %same -> (i1) {
    %rest = arith.remsi %m, %c64 : i64
    %whole = arith.cmpi eq, %rest, %c0 : i64
    scf.yield %whole : i1
  } else {
    scf.yield %false : i1
  }
  tile.check %both, "x does not fit"
  tile.launch "both_0" grid() args(in %xr = %x : !tile.array<f32, 2, const>, out %r = %o : !tile.array<f32, 1>) {
    %z = arith.constant 0 : i64
    %row = tile.slice %xr[element %z, whole] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?]>
    %t = tile.load %row : !tile.ref<f32, [?]> -> tensor<?xf32>
    tile.store %t, %r : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}
// -----
// A mask of what lies inside says nothing of the rest of the block: it is to be read as a whole block, too.
tile.entry @mask(%x: !tile.array<f32, 1, const> {tile.name = "x"}, %w: !tile.array<i1, 1, const> {tile.name = "w"}, %o: !tile.array<f32, 1> {tile.name = "o"}, %g: i64) attributes {qualified_name = "mask"} {
  tile.launch "mask_0" grid(%g) args(in %xr = %x : !tile.array<f32, 1, const>, in %wr = %w : !tile.array<i1, 1, const>, out %or = %o : !tile.array<f32, 1>) {
    %i = tile.program_id 0
    %f = arith.constant 0.0 : f32
    %true = arith.constant true
    %xb = tile.slice %xr[window %i] : !tile.ref<f32, [?]> -> !tile.ref<f32, [8?]>
    %wb = tile.slice %wr[window %i] : !tile.ref<i1, [?]> -> !tile.ref<i1, [8?]>
    %ob = tile.slice %or[window %i] : !tile.ref<f32, [?]> -> !tile.ref<f32, [8?]>
    %m = tile.load %wb : !tile.ref<i1, [8?]> -> tensor<8xi1>
    %other = tile.full %f : f32 -> tensor<8xf32>
    // expected-error @below {{the block, its mask and the value where the mask is false may differ in extent along dimension 0: 8 and at most 8 of w.dim(0) from}}
    // expected-note @below {{a block at the edge of its array has fewer elements than its type says: load all of them, tg::load(block, true, other)}}
    %t = tile.load %xb mask %m : tensor<8xi1> other %other : tensor<8xf32> : !tile.ref<f32, [8?]> -> tensor<8xf32>
    %all = tile.full %true : i1 -> tensor<8xi1>
    %no = tile.full %true : i1 -> tensor<8xi1>
    %n = tile.load %wb mask %all : tensor<8xi1> other %no : tensor<8xi1> : !tile.ref<i1, [8?]> -> tensor<8xi1>
    %u = tile.load %xb mask %n : tensor<8xi1> other %other : tensor<8xf32> : !tile.ref<f32, [8?]> -> tensor<8xf32>
    tile.store %u, %ob mask %n : tensor<8xi1> : tensor<8xf32>, !tile.ref<f32, [8?]>
    tile.yield
  }
  tile.return
}
// -----
// The extent of what a loop carries, in front of the loop that cuts it: by ops that are made there.
// CHECK-LABEL: tile.entry @after
tile.entry @after(%x: !tile.array<f32, 1, const> {tile.name = "x"}, %o: !tile.array<i64, 1>, %n: i64) attributes {qualified_name = "after"} {
  // CHECK: args(in %[[X:.*]] = %{{.*}}, out %[[O:.*]] = %{{.*}}, scalar %[[N:.*]] = %
  tile.launch "after_0" grid() args(in %xr = %x : !tile.array<f32, 1, const>, out %r = %o : !tile.array<i64, 1>, scalar %steps = %n : i64) {
    %z = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %init = tile.full %z : f32 -> tensor<64xf32>
    // CHECK-DAG: %[[START:.*]] = arith.muli %[[N]], %[[N]]
    // CHECK-DAG: %[[ALL:.*]] = tile.dim %[[X]], 0
    // CHECK: %[[REST:.*]] = arith.subi %[[ALL]], %[[START]]
    // CHECK: %[[THERE:.*]] = arith.maxsi %[[REST]],
    // CHECK: %[[EXTENT:.*]] = arith.minsi %[[THERE]],
    // CHECK: scf.for
    // CHECK: }
    // CHECK: tile.full %[[EXTENT]]
    %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%acc = %init) -> tensor<64xf32> : i64 {
      %start = arith.muli %steps, %steps : i64
      %part = tile.slice %xr[window %start] : !tile.ref<f32, [?]> -> !tile.ref<f32, [64?]>
      %t = tile.load %part : !tile.ref<f32, [64?]> -> tensor<64xf32>
      %s = tile.add %acc, %t : tensor<64xf32>
      scf.yield %s : tensor<64xf32>
    }
    %d = tile.dim %sum, 0 : tensor<64xf32>
    %f = tile.full %d : i64 -> tensor<?xi64>
    tile.store %f, %r : tensor<?xi64>, !tile.ref<i64, [?]>
    tile.yield
  }
  tile.return
}
// -----
// What the condition of a loop computes is known only inside.
tile.entry @inside(%x: !tile.array<f32, 1, const> {tile.name = "x"}, %o: !tile.array<f32, 1>, %n: i64) attributes {qualified_name = "inside"} {
  tile.launch "inside_0" grid() args(in %xr = %x : !tile.array<f32, 1, const>, out %r = %o : !tile.array<f32, 1>, scalar %steps = %n : i64) {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    // expected-error @+2 {{a tile that this loop carries has an extent along dimension 0 that is known only inside: at most 64 of x.dim(0) from a run-time value}}
    // expected-note @+1 {{carry full blocks: tg::load(block, true, other) has all elements of one at the edge, too}}
    %last:2 = scf.while (%k = %c0) : (i64) -> (i64, tensor<64xf32>) {
      %part = tile.slice %xr[window %k] : !tile.ref<f32, [?]> -> !tile.ref<f32, [64?]>
      %t = tile.load %part : !tile.ref<f32, [64?]> -> tensor<64xf32>
      %more = arith.cmpi slt, %k, %steps : i64
      scf.condition(%more) %k, %t : i64, tensor<64xf32>
    } do {
    ^bb0(%k: i64, %t: tensor<64xf32>):
      %next = arith.addi %k, %c1 : i64
      scf.yield %next : i64
    }
    %sum = tile.reduce sum %last#1 [0] : tensor<64xf32> -> tensor<f32>
    %at = tile.slice %r[element %c0] : !tile.ref<f32, [?]> -> !tile.ref<f32, []>
    tile.store %sum, %at : tensor<f32>, !tile.ref<f32, []>
    tile.yield
  }
  tile.return
}
// -----
// The extent of a part of a part of a tile.
// CHECK-LABEL: tile.entry @part_of_part
tile.entry @part_of_part(%x: !tile.array<f32, 1, const> {tile.name = "x"}, %o: !tile.array<i64, 1>, %n: i64) attributes {qualified_name = "part_of_part"} {
  // CHECK: args(in %[[X:.*]] = %{{.*}}, out %[[O:.*]] = %{{.*}}, scalar %[[N:.*]] = %
  tile.launch "part_0" grid() args(in %xr = %x : !tile.array<f32, 1, const>, out %r = %o : !tile.array<i64, 1>, scalar %from = %n : i64) {
    %t = tile.load %xr : !tile.ref<f32, [?]> -> tensor<?xf32>
    %part = tile.subtile %t[window %from] : tensor<?xf32> -> tensor<64xf32>
    %inner = tile.subtile %part[window %from] : tensor<64xf32> -> tensor<16xf32>
    // CHECK: %[[ALL:.*]] = tile.dim %[[X]], 0
    // CHECK: %[[A:.*]] = arith.subi %[[ALL]], %[[N]]
    // CHECK: %[[B:.*]] = arith.maxsi %[[A]],
    // CHECK: %[[C:.*]] = arith.minsi %[[B]], %c64
    // CHECK: %[[D:.*]] = arith.subi %[[C]], %[[N]]
    // CHECK: %[[E:.*]] = arith.maxsi %[[D]],
    // CHECK: %[[F:.*]] = arith.minsi %[[E]], %c16
    // CHECK: tile.full %[[F]]
    %d = tile.dim %inner, 0 : tensor<16xf32>
    %f = tile.full %d : i64 -> tensor<?xi64>
    tile.store %f, %r : tensor<?xi64>, !tile.ref<i64, [?]>
    tile.yield
  }
  tile.return
}
// -----
// Expressions are equal only if all attributes of their ops are: here the predicate of a comparison differs.
tile.entry @predicates(%x: !tile.array<f32, 1, const> {tile.name = "x"}, %o: !tile.array<f32, 1> {tile.name = "o"}, %a: f32, %b: f32) attributes {qualified_name = "predicates"} {
  tile.launch "predicates_0" grid() args(in %xr = %x : !tile.array<f32, 1, const>, out %r = %o : !tile.array<f32, 1>, scalar %sa = %a : f32, scalar %sb = %b : f32) {
    %zero = arith.constant 0 : i64
    %n = tile.dim %xr, 0 : !tile.ref<f32, [?]>
    %m = tile.dim %r, 0 : !tile.ref<f32, [?]>
    %less = arith.cmpf olt, %sa, %sb : f32
    %more = arith.cmpf ogt, %sa, %sb : f32
    %first = arith.select %less, %n, %m : i64
    %second = arith.select %more, %n, %m : i64
    %from = tile.slice %xr[window %zero size %first] : !tile.ref<f32, [?]> -> !tile.ref<f32, [?]>
    %to = tile.slice %r[window %zero size %second] : !tile.ref<f32, [?]> -> !tile.ref<f32, [?]>
    %t = tile.load %from : !tile.ref<f32, [?]> -> tensor<?xf32>
    // expected-error @below {{the tile and the ref that it is stored to may differ in extent along dimension 0}}
    // expected-note @below {{a slice of run-time size is clipped at the end of its array}}
    tile.store %t, %to : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}
// -----
// What is known of either of two equal dims is known of both, in whichever order the checks come; of two bounds the
// greater holds, of two divisors their common multiple: none of these windows extends past the end.
// CHECK-LABEL: tile.entry @checks_in_any_order
tile.entry @checks_in_any_order(%x: !tile.array<f32, 2, const> {tile.name = "x"}, %o: !tile.array<f32, 2> {tile.name = "o"}, %programs: i64) attributes {qualified_name = "checks_in_any_order"} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %six = arith.constant 6 : i64
  %ten = arith.constant 10 : i64
  %hundred = arith.constant 128 : i64
  %x0 = tile.dim %x, 0 : !tile.array<f32, 2, const>
  %x1 = tile.dim %x, 1 : !tile.array<f32, 2, const>
  %o0 = tile.dim %o, 0 : !tile.array<f32, 2>
  %o1 = tile.dim %o, 1 : !tile.array<f32, 2>
  %r6 = arith.remsi %o0, %six : i64
  %r10 = arith.remsi %o0, %ten : i64
  %c0 = arith.cmpi eq, %r6, %zero : i64
  %c1 = arith.cmpi eq, %r10, %zero : i64
  %c2 = arith.cmpi eq, %x0, %o0 : i64
  %c3 = arith.cmpi sge, %x1, %hundred : i64
  %c4 = arith.cmpi sge, %x1, %one : i64
  %c5 = arith.cmpi eq, %o1, %x1 : i64
  tile.check %c0, "6"
  tile.check %c1, "10"
  tile.check %c2, "rows"
  tile.check %c3, "at least 128"
  tile.check %c4, "at least 1"
  tile.check %c5, "columns"
  tile.launch "checks_in_any_order_0" grid(%programs) args(in %xr = %x : !tile.array<f32, 2, const>, out %r = %o : !tile.array<f32, 2>) {
    %i = tile.program_id 0
    %thirty = arith.constant 30 : i64
    %start = arith.muli %i, %thirty : i64
    %begin = arith.constant 0 : i64
    %from = tile.slice %xr[window %start, window %begin] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [30?, 128?]>
    %whole = tile.slice %xr[window %start, window %begin] {in_bounds} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [30, 128]>
    %left = tile.load %from : !tile.ref<f32, [30?, 128?]> -> tensor<30x128xf32>
    %right = tile.load %whole : !tile.ref<f32, [30, 128]> -> tensor<30x128xf32>
    %sum = tile.add %left, %right : tensor<30x128xf32>
    tile.yield
  }
  tile.return
}
// -----
// Two products become one as their factors do, also if that is checked last.
// CHECK-LABEL: tile.entry @congruent
tile.entry @congruent(%x: !tile.array<f32, 1, const> {tile.name = "x"}, %y: !tile.array<f32, 1, const> {tile.name = "y"}, %n: i64, %m: i64) attributes {qualified_name = "congruent"} {
  %three = arith.constant 3 : i64
  %x0 = tile.dim %x, 0 : !tile.array<f32, 1, const>
  %y0 = tile.dim %y, 0 : !tile.array<f32, 1, const>
  %n3 = arith.muli %n, %three : i64
  %m3 = arith.muli %m, %three : i64
  %c0 = arith.cmpi eq, %x0, %n3 : i64
  %c1 = arith.cmpi eq, %y0, %m3 : i64
  %c2 = arith.cmpi eq, %n, %m : i64
  tile.check %c0, "3 n"
  tile.check %c1, "3 m"
  tile.check %c2, "n"
  tile.launch "congruent_0" grid() args(in %xr = %x : !tile.array<f32, 1, const>, in %yr = %y : !tile.array<f32, 1, const>) {
    %a = tile.load %xr : !tile.ref<f32, [?]> -> tensor<?xf32>
    %b = tile.load %yr : !tile.ref<f32, [?]> -> tensor<?xf32>
    %sum = tile.add %a, %b : tensor<?xf32>
    tile.yield
  }
  tile.return
}
