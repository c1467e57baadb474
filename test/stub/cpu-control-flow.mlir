// Loops and branches: scalars and tiles that they carry are variables.
// RUN: tegulac --emit=cpu %s -o %t.h
// RUN: grep -v '^#line' %t.h | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %cxx -include %t.h %S/Inputs/control_flow.cpp %link -o %t.gcc
// RUN: %t.gcc | FileCheck %s --check-prefix=PRINTED
// RUN: %clangxx -fsanitize=address,undefined -fno-sanitize-recover=all -include %t.h %S/Inputs/control_flow.cpp %link -o %t.clang
// RUN: %t.clang | FileCheck %s --check-prefix=PRINTED

// Moves x by one element, then replaces it by what a loop accumulates: tiles carried by a loop and a branch.
// CHECK:void shift_0_cpu(cpu::ref<float, 1> x, std::int64_t steps) try {
// CHECK-NEXT:  const std::int64_t v0 = x.dim(0) - 1;
// CHECK-NEXT:  const auto x_block = x.window({control_cpp, 1, 3, "", "x"}, 0, 0, v0);
// CHECK-NEXT:  const auto x_block_2 = x.window({control_cpp, 2, 3, "", "x"}, 0, 1, v0);
// CHECK-NEXT:  cpu::tile<float, 1> old(tegula::shape<1>{x_block.dim(0)});
// CHECK-NEXT:  for (std::int64_t i0 = 0; i0 < old.dim(0); ++i0) {
// CHECK-NEXT:    old(i0) = x_block(i0);
// CHECK-NEXT:  }
// CHECK-NEXT:  for (std::int64_t i0 = 0; i0 < x_block_2.dim(0); ++i0) {
// CHECK-NEXT:    x_block_2(i0) = old(i0);
// CHECK-NEXT:  }
// CHECK-NEXT:  cpu::tile<float, 1> v1(tegula::shape<1>{x.dim(0)});
// CHECK-NEXT:  for (std::int64_t i0 = 0; i0 < v1.dim(0); ++i0) {
// CHECK-NEXT:    const float v2 = x(i0);
// CHECK-NEXT:    v1(i0) = cpu::add(v2, v2);
// CHECK-NEXT:  }
// CHECK-NEXT:  cpu::tile<float, 1> v2(tegula::shape<1>{x.dim(0)}, 0.0F);
// CHECK-NEXT:  std::int64_t v3 = 0;
// CHECK-NEXT:  for (std::int64_t i = 0; i < steps; ++i) {
// CHECK-NEXT:    cpu::tile<float, 1> v4(tegula::shape<1>{x.dim(0)});
// CHECK-NEXT:    for (std::int64_t i0 = 0; i0 < v4.dim(0); ++i0) {
// CHECK-NEXT:      v4(i0) = cpu::add(v2(i0), v1(i0));
// CHECK-NEXT:    }
// CHECK-NEXT:    std::int64_t v5 = v3;
// CHECK-NEXT:    if ((i & 1) == 1) {
// CHECK-NEXT:      cpu::tile<float, 1> next(tegula::shape<1>{x.dim(0)});
// CHECK-NEXT:      for (std::int64_t i0 = 0; i0 < next.dim(0); ++i0) {
// CHECK-NEXT:        next(i0) = cpu::sub(cpu::add(v2(i0), v1(i0)), 1.0F);
// CHECK-NEXT:      }
// CHECK-NEXT:      v4 = std::move(next);
// CHECK-NEXT:      v5 = cpu::add(v3, std::int64_t{1});
// CHECK-NEXT:    }
// CHECK-NEXT:    v2 = std::move(v4);
// CHECK-NEXT:    v3 = v5;
// CHECK-NEXT:  }
// CHECK-NEXT:  const float v4 = cpu::cast<float>(v3);
// CHECK-NEXT:  for (std::int64_t i0 = 0; i0 < x.dim(0); ++i0) {
// CHECK-NEXT:    x(i0) = cpu::add(v2(i0), v4);
// CHECK-NEXT:  }
// CHECK-NEXT:} catch (...) {
// CHECK-NEXT:  cpu::rethrow({{.*}});
// CHECK-NEXT:}
tile.entry @shift(%x: !tile.array<f32, 1> {tile.name = "x"}, %steps: i64 {tile.name = "steps"}) attributes {qualified_name = "shift"} {
  tile.launch "shift_0" grid() args(inout %r = %x : !tile.array<f32, 1>, scalar %k = %steps : i64) {
    %c1 = arith.constant 1 : i64
    %c0 = arith.constant 0 : i64
    %n = tile.dim %r, 0 : !tile.ref<f32, [?]>
    %m = arith.subi %n, %c1 : i64
    %from = tile.slice %r[window %c0 size %m] : !tile.ref<f32, [?]> -> !tile.ref<f32, [?]> loc("control.cpp":1:3)
    %to = tile.slice %r[window %c1 size %m] : !tile.ref<f32, [?]> -> !tile.ref<f32, [?]> loc("control.cpp":2:3)
    %v = tile.load %from : !tile.ref<f32, [?]> -> tensor<?xf32> loc("old"("s.cpp":3:3))
    tile.store %v, %to : tensor<?xf32>, !tile.ref<f32, [?]>
    %one = arith.constant 1.0 : f32
    %zero = arith.constant 0.0 : f32
    %all = tile.load %r : !tile.ref<f32, [?]> -> tensor<?xf32>
    %ones = tile.full %one extents(%n) : f32 -> tensor<?xf32>
    %twice = tile.add %all, %all : tensor<?xf32>
    %init = tile.full %zero extents(%n) : f32 -> tensor<?xf32>
    %i0 = arith.constant 0 : i64
    %acc, %count = scf.for %s = %c0 to %k step %c1 iter_args(%a = %init, %b = %i0) -> (tensor<?xf32>, i64) : i64 {
      %next = tile.add %a, %twice : tensor<?xf32>
      %even = arith.andi %s, %c1 : i64
      %isodd = arith.cmpi eq, %even, %c1 : i64
      %res, %bb = scf.if %isodd -> (tensor<?xf32>, i64) {
        %p = tile.sub %next, %ones : tensor<?xf32>
        %b1 = arith.addi %b, %c1 : i64
        scf.yield %p, %b1 : tensor<?xf32>, i64
      } else {
        scf.yield %next, %b : tensor<?xf32>, i64
      }
      scf.yield %res, %bb : tensor<?xf32>, i64
    }
    %cf = arith.sitofp %count : i64 to f32
    %ct = tile.full %cf : f32 -> tensor<?xf32>
    %sum = tile.add %acc, %ct : tensor<?xf32>
    tile.store %sum, %r : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  } loc("s.cpp":2:1)
  tile.return
}

// Lengths of Collatz sequences: a loop on a condition, a choice between two expressions, a print.
// PRINTED: length 0 of "1"
// PRINTED-NEXT: length 1 of "2"
// PRINTED-NEXT: length 7 of "3"
// PRINTED-NEXT: length 111 of "27"
// CHECK:void collatz_0_cpu(std::int64_t grid_0, cpu::ref<const std::int64_t, 1> x, cpu::ref<std::int32_t, 1> lengths) try {
// CHECK-NEXT:  for (std::int64_t program_0 = 0; program_0 < grid_0; ++program_0) try {
// CHECK-NEXT:    const auto x_at = x.select({control_cpp, 3, 3, "", "x"}, 0, program_0);
// CHECK-NEXT:    const std::int64_t v = x_at();
// CHECK-NEXT:    std::int64_t v0 = v;
// CHECK-NEXT:    std::int32_t v1 = 0;
// CHECK-NEXT:    while (v0 > 1) {
// CHECK-NEXT:      const std::int64_t v2 = v0 % 2 == 0 ? v0 / 2 : cpu::add(cpu::mul(v0, std::int64_t{3}), std::int64_t{1});
// CHECK-NEXT:      v0 = v2;
// CHECK-NEXT:      v1 = cpu::add(v1, 1);
// CHECK-NEXT:    }
// CHECK-NEXT:    const auto lengths_at = lengths.select({control_cpp, 4, 3, "", "lengths"}, 0, program_0);
// CHECK-NEXT:    lengths_at() = v1;
// CHECK-NEXT:    cpu::print("length {} of \"{}\"", v1, v);
// CHECK-NEXT:  } catch (const cpu::out_of_bounds &access) {
// CHECK-NEXT:    cpu::rethrow(access, "collatz", {program_0});
// CHECK-NEXT:  }
// CHECK-NEXT:} catch (...) {
// CHECK-NEXT:  cpu::rethrow({{.*}});
// CHECK-NEXT:}
tile.entry @collatz(%x: !tile.array<i64, 1, const> {tile.name = "x"}) -> !tile.array<i32, 1> attributes {qualified_name = "collatz"} {
  %n = tile.dim %x, 0 : !tile.array<i64, 1, const>
  %o = tile.empty(%n) : !tile.array<i32, 1> loc("lengths"(unknown))
  tile.launch "collatz_0" grid(%n) args(in %r = %x : !tile.array<i64, 1, const>, out %w = %o : !tile.array<i32, 1>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %c2 = arith.constant 2 : i64
    %c3 = arith.constant 3 : i64
    %one = arith.constant 1 : i32
    %z = arith.constant 0 : i64
    %i = tile.program_id 0
    %ra = tile.slice %r[element %i] : !tile.ref<i64, [?]> -> !tile.ref<i64, []> loc("control.cpp":3:3)
    %l = tile.load %ra : !tile.ref<i64, []> -> tensor<i64>
    %v = tile.extract %l : tensor<i64> -> i64 loc("v"("w.cpp":9:9))
    %r0, %r1 = scf.while (%a = %v, %cnt = %c0) : (i64, i32) -> (i64, i32) {
      %c = arith.cmpi sgt, %a, %c1 : i64
      scf.condition(%c) %a, %cnt : i64, i32
    } do {
    ^bb0(%a: i64 loc("a"(unknown)), %cnt: i32):
      %odd = arith.remsi %a, %c2 : i64
      %is = arith.cmpi eq, %odd, %z : i64
      %nx = scf.if %is -> (i64) {
        %h = arith.divsi %a, %c2 : i64
        scf.yield %h : i64
      } else {
        %t = arith.muli %a, %c3 : i64
        %u = arith.addi %t, %c1 : i64
        scf.yield %u : i64
      }
      %c4 = arith.addi %cnt, %one : i32
      scf.yield %nx, %c4 : i64, i32
    }
    %wa = tile.slice %w[element %i] : !tile.ref<i32, [?]> -> !tile.ref<i32, []> loc("control.cpp":4:3)
    %f = tile.full %r1 : i32 -> tensor<i32>
    tile.store %f, %wa : tensor<i32>, !tile.ref<i32, []>
    tile.debug_print "length {} of \"{}\"", %r1, %v : i32, i64
    tile.yield
  } loc("w.cpp":2:1)
  tile.return %o : !tile.array<i32, 1>
}

// A loop that leaves in its middle and hands on what it computed there; variables that change places; a rank 0 tile that
// a loop carries.
// PRINTED: euclid(105, 252) = 21 after 3, mean 1.5
// PRINTED-NEXT: euclid(5, 17) = 1 after 3, mean 1.5
// CHECK:void euclid_0_cpu(std::int64_t a, std::int64_t b) try {
// CHECK-NEXT:  std::int64_t v0 = a;
// CHECK-NEXT:  std::int64_t v1 = b;
// CHECK-NEXT:  std::int64_t v2 = 0;
// CHECK-NEXT:  float v3 = 0.0F;
// CHECK-NEXT:  std::int64_t v4;
// CHECK-NEXT:  std::int64_t v5;
// CHECK-NEXT:  float v6;
// CHECK-NEXT:  while (true) {
// CHECK-NEXT:    const std::int64_t rest = cpu::rem(v0, v1);
// CHECK-NEXT:    const std::int64_t n = cpu::add(v2, std::int64_t{1});
// CHECK-NEXT:    v4 = rest;
// CHECK-NEXT:    v5 = n;
// CHECK-NEXT:    v6 = cpu::add(v3, 0.5F);
// CHECK-NEXT:    if (!(rest != 0)) {
// CHECK-NEXT:      break;
// CHECK-NEXT:    }
// CHECK-NEXT:    v0 = v1;
// CHECK-NEXT:    v1 = v4;
// CHECK-NEXT:    v2 = v5;
// CHECK-NEXT:    v3 = v6;
// CHECK-NEXT:  }
// CHECK-NEXT:  std::int64_t v7 = a;
// CHECK-NEXT:  std::int64_t v8 = b;
// CHECK-NEXT:  for (std::int64_t i = 0; i < v5; ++i) {
// CHECK-NEXT:    const auto next_v7 = v8;
// CHECK-NEXT:    v8 = v7;
// CHECK-NEXT:    v7 = next_v7;
// CHECK-NEXT:  }
// CHECK-NEXT:  const float v9 = v6;
// CHECK-NEXT:  cpu::print("euclid({}, {}) = {} after {}, mean {}", v7, v8, v1, v5, v9);
// CHECK-NEXT:} catch (...) {
// CHECK-NEXT:  cpu::rethrow({{.*}});
// CHECK-NEXT:}
tile.entry @euclid(%a0: i64 {tile.name = "a"}, %b0: i64 {tile.name = "b"}) attributes {qualified_name = "euclid"} {
  tile.launch "euclid_0" grid() args(scalar %a1 = %a0 : i64, scalar %b1 = %b0 : i64) {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %zero = arith.constant 0.0 : f32
    %half = arith.constant 0.5 : f32
    %sum0 = tile.full %zero : f32 -> tensor<f32>
    %halves = tile.full %half : f32 -> tensor<f32>
    %r:4 = scf.while (%a = %a1, %b = %b1, %n = %c0, %s = %sum0)
        : (i64, i64, i64, tensor<f32>) -> (i64, i64, i64, tensor<f32>) {
      %rest = arith.remsi %a, %b : i64 loc("rest"(unknown))
      %n1 = arith.addi %n, %c1 : i64 loc("n"(unknown))
      %s1 = tile.add %s, %halves : tensor<f32>
      %more = arith.cmpi ne, %rest, %c0 : i64
      scf.condition(%more) %b, %rest, %n1, %s1 : i64, i64, i64, tensor<f32>
    } do {
    ^bb0(%b: i64, %rest: i64, %n: i64, %s: tensor<f32>):
      scf.yield %b, %rest, %n, %s : i64, i64, i64, tensor<f32>
    }
    %x, %y = scf.for %i = %c0 to %r#2 step %c1 iter_args(%p = %a1, %q = %b1) -> (i64, i64) : i64 {
      scf.yield %q, %p : i64, i64
    }
    %mean = tile.extract %r#3 : tensor<f32> -> f32
    tile.debug_print "euclid({}, {}) = {} after {}, mean {}", %x, %y, %r#0, %r#2, %mean : i64, i64, i64, i64, f32
    tile.yield
  }
  tile.return
}

// A branch that does nothing, and choices that are && and ||.
// PRINTED: branches: false true
// PRINTED-NEXT: branches: true true
// CHECK:void branches_0_cpu(std::int64_t a, bool b) try {
// CHECK-NEXT:  if (!(a < 0)) {
// CHECK-NEXT:    cpu::print("branches: {} {}", !b && a != 0, !b || a == 0);
// CHECK-NEXT:  }
// CHECK-NEXT:} catch (...) {
// CHECK-NEXT:  cpu::rethrow({{.*}});
// CHECK-NEXT:}
tile.entry @branches(%a0: i64 {tile.name = "a"}, %b0: i1 {tile.name = "b"}) attributes {qualified_name = "branches"} {
  tile.launch "branches_0" grid() args(scalar %a = %a0 : i64, scalar %b = %b0 : i1) {
    %false = arith.constant false
    %true = arith.constant true
    %c0 = arith.constant 0 : i64
    %negative = arith.cmpi slt, %a, %c0 : i64
    scf.if %negative {
    } else {
      %neither = scf.if %b -> i1 {
        scf.yield %false : i1
      } else {
        %c = arith.cmpi ne, %a, %c0 : i64
        scf.yield %c : i1
      }
      %any = scf.if %b -> i1 {
        %c = arith.cmpi eq, %a, %c0 : i64
        scf.yield %c : i1
      } else {
        scf.yield %true : i1
      }
      tile.debug_print "branches: {} {}", %neither, %any : i1, i1
    }
    tile.yield
  }
  tile.return
}
