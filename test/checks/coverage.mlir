// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt --tile-check-coverage %s | FileCheck %s

// A run-time grid of static blocks: grid times block reaches the end. An array without columns needs no rows covered.
// CHECK-LABEL: tile.entry @blocks
tile.entry @blocks(%o: !tile.array<f32, 2> {tile.name = "o"}, %g: i64) attributes {qualified_name = "blocks"} {
  // CHECK: %[[C64:.*]] = arith.constant 64
  // CHECK: %[[REACH:.*]] = arith.muli %{{.*}}, %[[C64]]
  // CHECK: %[[ROWS:.*]] = tile.dim %{{.*}}, 0
  // CHECK: %[[OK:.*]] = arith.cmpi sge, %[[REACH]], %[[ROWS]]
  // CHECK: %[[COLUMNS:.*]] = tile.dim %{{.*}}, 1
  // CHECK: %[[ZERO:.*]] = arith.constant 0
  // CHECK: %[[EMPTY:.*]] = arith.cmpi eq, %[[COLUMNS]], %[[ZERO]]
  // CHECK: %[[EITHER:.*]] = arith.ori %[[OK]], %[[EMPTY]]
  // CHECK: tile.check %[[EITHER]], "the grid leaves part of o unwritten: grid axis 0 times the block reaches {}, and o.dim(0) is {}"(%{{.*}}, %{{.*}})
  // CHECK-NOT: tile.check
  tile.launch "blocks_0" grid(%g) args(out %r = %o : !tile.array<f32, 2>) {
    %i = tile.program_id 0
    %c = arith.constant 64 : i64
    %s = arith.muli %i, %c : i64
    %b = tile.slice %r[window %s, whole] {spec} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [64?, ?]>
    tile.yield
  }
  tile.return
}

// A squeezed dimension must hold an element for every program, be it read or written, and be covered if written.
// CHECK-LABEL: tile.entry @squeezed
tile.entry @squeezed(%x: !tile.array<f32, 1, const> {tile.name = "x"}, %o: !tile.array<f32, 1> {tile.name = "o"}, %g: i64) attributes {qualified_name = "squeezed"} {
  // CHECK: arith.cmpi sle
  // CHECK: tile.check %{{.*}}, "grid axis 0 has more programs, {}, than x.dim(0) has elements, {}"(%{{.*}}, %{{.*}})
  // CHECK: tile.check %{{.*}}, "grid axis 0 has more programs, {}, than o.dim(0) has elements, {}"(%{{.*}}, %{{.*}})
  // CHECK: tile.check %{{.*}}, "the grid leaves part of o unwritten: grid axis 0 times the block reaches {}, and o.dim(0) is {}"(%{{.*}}, %{{.*}})
  // CHECK-NOT: tile.check
  tile.launch "squeezed_0" grid(%g) args(in %a = %x : !tile.array<f32, 1, const>, out %r = %o : !tile.array<f32, 1>) {
    %i = tile.program_id 0
    %b = tile.slice %a[element %i] {spec} : !tile.ref<f32, [?]> -> !tile.ref<f32, []>
    %c = tile.slice %r[element %i] {spec} : !tile.ref<f32, [?]> -> !tile.ref<f32, []>
    tile.yield
  }
  tile.return
}

// Run-time blocks: the size is an argument of the launch. What cannot be judged is left to the author: other strides,
// both dimensions along one axis, inputs. There are programs, at least.
// CHECK-LABEL: tile.entry @run_time
tile.entry @run_time(%o: !tile.array<f32, 1> {tile.name = "o"}, %p: !tile.array<f32, 2> {tile.name = "p"}, %n: i64 {tile.name = "n"}, %g: i64) attributes {qualified_name = "run_time"} {
  // CHECK: %[[REACH:.*]] = arith.muli %{{.*}}, %{{.*}}
  // CHECK: arith.cmpi sge, %[[REACH]]
  // CHECK: tile.check %{{.*}}, "the grid leaves part of o unwritten
  // CHECK: tile.check %{{.*}}, "the grid has {} programs along axis 0: nothing is stored to p"(%{{.*}})
  // CHECK-NOT: tile.check
  tile.launch "run_time_0" grid(%g) args(out %r = %o : !tile.array<f32, 1>, out %q = %p : !tile.array<f32, 2>, scalar %size = %n : i64) {
    %i = tile.program_id 0
    %s = arith.muli %i, %size : i64
    %b = tile.slice %r[window %s size %size] {spec} : !tile.ref<f32, [?]> -> !tile.ref<f32, [?]>
    %c = tile.slice %q[window %s size %size, window %s size %size] {spec} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return
}

// One block must hold the whole array.
// CHECK-LABEL: tile.entry @fixed
tile.entry @fixed(%o: !tile.array<f32, 1> {tile.name = "o"}) attributes {qualified_name = "fixed"} {
  // CHECK: tile.check %{{.*}}, "the grid leaves part of o unwritten: its one block reaches {}, and o.dim(0) is {}"(%{{.*}}, %{{.*}})
  tile.launch "fixed_0" grid() args(out %r = %o : !tile.array<f32, 1>) {
    %z = arith.constant 0 : i64
    %b = tile.slice %r[window %z] {spec} : !tile.ref<f32, [?]> -> !tile.ref<f32, [128?]>
    tile.yield
  }
  tile.return
}

// An axis that no block moves along may have no programs; an extent of the output itself, or a constant, has some.
// CHECK-LABEL: tile.entry @no_programs
tile.entry @no_programs(%o: !tile.array<f32, 1> {tile.name = "o"}, %p: !tile.array<f32, 1> {tile.name = "p"}, %g: i64) attributes {qualified_name = "no_programs"} {
  // CHECK: %[[SOME:.*]] = arith.cmpi sgt, %{{.*}}, %{{.*}}
  // CHECK: %[[EMPTY:.*]] = arith.cmpi eq
  // CHECK: %[[EITHER:.*]] = arith.ori %[[SOME]], %[[EMPTY]]
  // CHECK: tile.check %[[EITHER]], "the grid has {} programs along axis 0: nothing is stored to o"(%{{.*}})
  // CHECK: tile.check %{{.*}}, "the grid has {} programs along axis 1: nothing is stored to p"(%{{.*}})
  // CHECK-NOT: tile.check
  %n = tile.dim %o, 0 : !tile.array<f32, 1>
  %c4 = arith.constant 4 : i64
  tile.launch "no_programs_0" grid(%g, %n, %c4) args(out %r = %o : !tile.array<f32, 1>, out %s = %p : !tile.array<f32, 1>) {
    %i = tile.program_id 0
    %b = tile.slice %s[element %i] {spec} : !tile.ref<f32, [?]> -> !tile.ref<f32, []>
    tile.yield
  }
  tile.return
}
