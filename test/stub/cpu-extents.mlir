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

// What a loop carries may be smaller than its type: a reduction of what is made of it asks the variable.
// CHECK-LABEL: void shrunk_0_cpu(
// CHECK: cpu::tile<float, 1> [[BLOCK:.*]](tegula::shape<1>{edge.dim(0)});
// CHECK: for (std::int64_t i0 = 0; i0 < [[BLOCK]].dim(0); ++i0) {
// CHECK: max.add(cpu::sub(cpu::abs([[BLOCK]](i0)), 1.0F));
tile.entry @shrunk(%x: !tile.array<f32, 1> {tile.name = "x"}, %n: i64 {tile.name = "n"}) attributes {qualified_name = "shrunk"} {
  tile.launch "shrunk_0" grid() args(inout %a = %x : !tile.array<f32, 1>, scalar %times = %n : i64) {
    %one = arith.constant 1.0 : f32
    %0 = arith.constant 0 : i64
    %1 = arith.constant 1 : i64
    %edge = tile.slice %a[window %0] : !tile.ref<f32, [?]> -> !tile.ref<f32, [8?]> loc("edge"("e.cpp":1:1))
    %start = tile.load %edge : !tile.ref<f32, [8?]> -> tensor<8xf32>
    %ones = tile.full %one : f32 -> tensor<8xf32>
    %end = scf.for %i = %0 to %times step %1 iter_args(%block = %start) -> tensor<8xf32> : i64 {
      %size = tile.abs %block : tensor<8xf32>
      %less = tile.sub %size, %ones : tensor<8xf32>
      %most = tile.reduce max %less [0] : tensor<8xf32> -> tensor<f32>
      %all = tile.broadcast %most [] : tensor<f32> -> tensor<8xf32>
      %next = tile.sub %block, %all : tensor<8xf32>
      scf.yield %next : tensor<8xf32>
    }
    tile.store %end, %edge : tensor<8xf32>, !tile.ref<f32, [8?]>
    tile.yield
  }
  tile.return
}

// An array that tells an extent that another one tells, too, may go unused. (%cxx warns of what does.)
// CHECK-LABEL: void told_0_cpu(cpu::ref<float, 1> x, {{\[\[maybe_unused\]\]}} cpu::ref<const float, 1> y)
tile.entry @told(%x: !tile.array<f32, 1> {tile.name = "x"}, %y: !tile.array<f32, 1, const> {tile.name = "y"}) attributes {qualified_name = "told"} {
  %n = tile.dim %x, 0 : !tile.array<f32, 1>
  %m = tile.dim %y, 0 : !tile.array<f32, 1, const>
  %eq = arith.cmpi eq, %n, %m : i64
  tile.check %eq, "x and y differ in length"
  tile.launch "told_0" grid() args(inout %a = %x : !tile.array<f32, 1>, in %b = %y : !tile.array<f32, 1, const>) {
    %f = arith.constant 1.0 : f32
    %d = tile.dim %b, 0 : !tile.ref<f32, [?]>
    %u = tile.full %f extents(%d) : f32 -> tensor<?xf32>
    tile.store %u, %a : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}

// A part of what conforms goes as far as what it meets, or as its type says: it is not taken of a copy that ends before.
// CHECK-LABEL: void beyond_0_cpu(
// CHECK-NOT: cpu::tile
// CHECK: for (std::int64_t i0 = 0; i0 < 2; ++i0) {
// CHECK: sum.add(cpu::square(cpu::cast<std::int32_t>(i0 + n)));
tile.entry @beyond(%x: !tile.array<i32, 0> {tile.name = "x"}, %n: i64 {tile.name = "n"}) attributes {qualified_name = "beyond"} {
  tile.launch "beyond_0" grid() args(out %a = %x : !tile.array<i32, 0>, scalar %times = %n : i64) {
    %indices = tile.iota 0 : tensor<5xi32>
    %squares = tile.square %indices : tensor<5xi32>
    %part = tile.subtile %squares[window %times] : tensor<5xi32> -> tensor<2xi32>
    %sum = tile.reduce sum %part [0] : tensor<2xi32> -> tensor<i32>
    tile.store %sum, %a : tensor<i32>, !tile.ref<i32, []>
    tile.yield
  }
  tile.return
}

// What is kept, a reduction say, ends where its type does: a part beyond that is told.
// CHECK-LABEL: void kept_0_cpu(
// CHECK: = sums.view().part({{.*}}, 0, n, 2);
tile.entry @kept(%x: !tile.array<i32, 0> {tile.name = "x"}, %n: i64 {tile.name = "n"}) attributes {qualified_name = "kept"} {
  tile.launch "kept_0" grid() args(out %a = %x : !tile.array<i32, 0>, scalar %times = %n : i64) {
    %indices = tile.iota 0 : tensor<5x3xi32>
    %sums = tile.reduce sum %indices [1] : tensor<5x3xi32> -> tensor<5xi32> loc("sums"("e.cpp":2:1))
    %part = tile.subtile %sums[window %times] : tensor<5xi32> -> tensor<2xi32>
    %sum = tile.reduce sum %part [0] : tensor<2xi32> -> tensor<i32>
    tile.store %sum, %a : tensor<i32>, !tile.ref<i32, []>
    tile.yield
  }
  tile.return
}

// An element of what conforms is as good as any other: no copy is made, whose extent nothing says.
// CHECK-LABEL: void picked_0_cpu(
// CHECK: const auto [[BLOCK:.*]] = {{.*}}.select({{.*}}, 1, n);
// CHECK: x(i0) = cpu::element({{.*}}, [[BLOCK]], {static_cast<std::int64_t>({{.*}}(i0))});
tile.entry @picked(%x: !tile.array<i32, 1> {tile.name = "x"}, %n: i64 {tile.name = "n"}, %k: i32 {tile.name = "k"}) attributes {qualified_name = "picked"} {
  tile.launch "picked_0" grid() args(inout %a = %x : !tile.array<i32, 1>, scalar %which = %n : i64, scalar %value = %k : i32) {
    %i = tile.load %a : !tile.ref<i32, [?]> -> tensor<?xi32>
    %all = tile.full %value : i32 -> tensor<13x4xi32>
    %part = tile.subtile %all[whole, element %which] : tensor<13x4xi32> -> tensor<13xi32>
    %taken = tile.take %part[%i : tensor<?xi32>] [0] at 0 : tensor<13xi32> -> tensor<?xi32>
    tile.store %taken, %a : tensor<?xi32>, !tile.ref<i32, [?]>
    tile.yield
  }
  tile.return
}

// A part of it that is as long as its type says is copied where elements of it are taken at indices.
// CHECK-LABEL: void first_0_cpu(
// CHECK: cpu::tile<std::int32_t, 1> [[PART:.*]](tegula::shape<1>{1});
// CHECK: x(i0) = cpu::element({{.*}}, [[PART]].view(), {static_cast<std::int64_t>({{.*}}(i0))});
tile.entry @first(%x: !tile.array<i32, 1> {tile.name = "x"}, %k: i32 {tile.name = "k"}) attributes {qualified_name = "first"} {
  tile.launch "first_0" grid() args(inout %a = %x : !tile.array<i32, 1>, scalar %value = %k : i32) {
    %which = arith.constant 2 : i64
    %i = tile.load %a : !tile.ref<i32, [?]> -> tensor<?xi32>
    %all = tile.full %value : i32 -> tensor<6xi32>
    %part = tile.subtile %all[window %which] : tensor<6xi32> -> tensor<1xi32>
    %taken = tile.take %part[%i : tensor<?xi32>] [0] at 0 : tensor<1xi32> -> tensor<?xi32>
    tile.store %taken, %a : tensor<?xi32>, !tile.ref<i32, [?]>
    tile.yield
  }
  tile.return
}

// What a loop carries has the extent of a window inside, whose step the grid says.
// CHECK-LABEL: void stepped_0_cpu(
// CHECK: cpu::div(x.dim(0) - program_0
// CHECK: for (std::int64_t i = 0; i < m; ++i) {
tile.entry @stepped(%x: !tile.array<i1, 1> {tile.name = "x"}, %y: !tile.array<i1, 1> {tile.name = "y"}, %n: i64 {tile.name = "n"}, %m: i64 {tile.name = "m"}, %k: i1 {tile.name = "k"}) attributes {qualified_name = "stepped"} {
  tile.launch "stepped_0" grid(%n) args(inout %a = %x : !tile.array<i1, 1>, out %b = %y : !tile.array<i1, 1>, scalar %times = %m : i64, scalar %c = %k : i1) {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %false = arith.constant false
    %all = tile.num_programs 0
    %id = tile.program_id 0
    %init = tile.full %false : i1 -> tensor<33xi1>
    %r = scf.for %i = %zero to %times step %one iter_args(%t = %init) -> (tensor<33xi1>) : i64 {
      %part = scf.if %c -> (tensor<33xi1>) {
        scf.yield %init : tensor<33xi1>
      } else {
        %w = tile.strided_slice %a axis 0 from %id step %all : !tile.ref<i1, [?]> -> !tile.ref<i1, [33?]>
        %l = tile.load %w : !tile.ref<i1, [33?]> -> tensor<33xi1>
        %not = tile.logical_not %l : tensor<33xi1>
        scf.yield %not : tensor<33xi1>
      }
      %or = tile.logical_or %t, %part : tensor<33xi1>
      scf.yield %or : tensor<33xi1>
    }
    %o = tile.strided_slice %b axis 0 from %id step %all : !tile.ref<i1, [?]> -> !tile.ref<i1, [33?]>
    tile.store %r, %o : tensor<33xi1>, !tile.ref<i1, [33?]>
    tile.yield
  }
  tile.return
}

// Where a part of equal elements begins does not matter: an argument, and what is computed of it.
// CHECK-LABEL: void part_0_cpu(cpu::ref<float, 1> o, float f, {{\[\[maybe_unused\]\]}} std::int64_t n)
// CHECK: {{\[\[maybe_unused\]\]}} const std::int64_t {{.*}} = cpu::add(n, std::int64_t{1});
tile.entry @part(%o: !tile.array<f32, 1> {tile.name = "o"}, %f: f32 {tile.name = "f"}, %n: i64 {tile.name = "n", tile.type = "s64"}) attributes {qualified_name = "part"} {
  tile.launch "part_0" grid() args(out %b = %o : !tile.array<f32, 1>, scalar %v = %f : f32, scalar %at = %n : i64) {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %next = arith.addi %at, %one : i64
    %t = tile.full %v : f32 -> tensor<8xf32>
    %p = tile.subtile %t[window %at] : tensor<8xf32> -> tensor<4xf32>
    %q = tile.subtile %t[window %next] : tensor<8xf32> -> tensor<4xf32>
    %s = tile.add %p, %q : tensor<4xf32>
    %w = tile.slice %b[window %zero] {in_bounds} : !tile.ref<f32, [?]> -> !tile.ref<f32, [4]>
    tile.store %s, %w : tensor<4xf32>, !tile.ref<f32, [4]>
    tile.yield
  }
  tile.return
}
