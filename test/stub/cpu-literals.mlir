// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers at the ends of their types, without a warning of strict compilers.
// RUN: tegulac --emit=cpu %s | grep -v '^#line' | FileCheck %s
// RUN: tegulac --emit=cpu %s | %cxx -x c++ -c - -o %t.gcc.o
// RUN: tegulac --emit=cpu %s | %clangxx -x c++ -c - -o %t.clang.o

// CHECK: = cpu::add(x(i0), std::uint64_t{18446744073709551488U});
// CHECK: = cpu::add(y(i0), std::numeric_limits<std::int64_t>::min());
// CHECK: = cpu::add(y_block(0), std::int64_t{578});
tile.entry @ends(%x: !tile.array<ui64, 1> {tile.name = "x"}, %y: !tile.array<i64, 1> {tile.name = "y"}) attributes {qualified_name = "ends"} {
  tile.launch "ends_0" grid() args(inout %a = %x : !tile.array<ui64, 1>, inout %b = %y : !tile.array<i64, 1>) {
    %0 = arith.constant -128 : i64
    %1 = arith.constant -9223372036854775808 : i64
    %t = tile.load %a : !tile.ref<ui64, [?]> -> tensor<?xui64>
    %f = tile.full %0 : i64 -> tensor<?xui64>
    %u = tile.add %t, %f : tensor<?xui64>
    tile.store %u, %a : tensor<?xui64>, !tile.ref<ui64, [?]>
    %v = tile.load %b : !tile.ref<i64, [?]> -> tensor<?xi64>
    %g = tile.full %1 : i64 -> tensor<?xi64>
    %w = tile.add %v, %g : tensor<?xi64>
    tile.store %w, %b : tensor<?xi64>, !tile.ref<i64, [?]>
    %z = arith.constant 0 : i64
    %n = arith.constant 578 : i64
    %s = tile.slice %b[window %z] {in_bounds} : !tile.ref<i64, [?]> -> !tile.ref<i64, [1]>
    %i = tile.iota 0 offset(%n) : tensor<1xi64>
    %q = tile.load %s : !tile.ref<i64, [1]> -> tensor<1xi64>
    %j = tile.add %q, %i : tensor<1xi64>
    tile.store %j, %s : tensor<1xi64>, !tile.ref<i64, [1]>
    tile.yield
  }
  tile.return
}

// A literal beside a number of 8 or 16 bits has its type: C++ would make an int of the two.
// CHECK: = cpu::add(v0, m > 0 ? std::int16_t{3} : v0);
tile.entry @narrow(%x: !tile.array<i16, 0> {tile.name = "x"}, %n: i64 {tile.name = "m"}) attributes {qualified_name = "narrow"} {
  tile.launch "narrow_0" grid() args(out %a = %x : !tile.array<i16, 0>, scalar %m = %n : i64) {
    %0 = arith.constant 0 : i64
    %3 = arith.constant 3 : i16
    %p = arith.cmpi sgt, %m, %0 : i64
    %v = arith.trunci %m : i64 to i16
    %s = arith.select %p, %3, %v : i16
    %u = arith.addi %v, %s : i16
    %t = tile.full %u : i16 -> tensor<i16>
    tile.store %t, %a : tensor<i16>, !tile.ref<i16, []>
    tile.yield
  }
  tile.return
}

// A choice between a number of 16 bits and a literal has 16 bits.
// CHECK: const std::int16_t narrow = c ? cpu::add(n, n) : std::int16_t{7};
// CHECK: = c ? std::int16_t{7} : std::int16_t{8};
tile.entry @choices(%x: !tile.array<i16, 1> {tile.name = "x"}, %c: i1 {tile.name = "c"}, %n: i16 {tile.name = "n"}) attributes {qualified_name = "choices"} {
  tile.launch "choices_0" grid() args(inout %a = %x : !tile.array<i16, 1>, scalar %d = %c : i1, scalar %m = %n : i16) {
    %7 = arith.constant 7 : i16
    %8 = arith.constant 8 : i16
    %0 = arith.addi %m, %m : i16
    %1 = arith.select %d, %0, %7 : i16 loc("narrow"(unknown))
    %t = tile.load %a : !tile.ref<i16, [?]> -> tensor<?xi16>
    %u = tile.full %1 : i16 -> tensor<?xi16>
    %v = tile.add %t, %u : tensor<?xi16>
    tile.store %v, %a : tensor<?xi16>, !tile.ref<i16, [?]>
    %2 = arith.select %d, %7, %8 : i16
    %w = tile.full %2 : i16 -> tensor<?xi16>
    %cs = tile.full %d : i1 -> tensor<?xi1>
    %r = tile.where %cs, %w, %t : tensor<?xi1>, tensor<?xi16>
    tile.store %r, %a : tensor<?xi16>, !tile.ref<i16, [?]>
    tile.yield
  }
  tile.return
}

// The one index of an iota has 64 bits, also behind an offset.
// CHECK-LABEL: void first_0_cpu(
// CHECK: cpu::ge(std::int64_t{-1}, x_block(0))
tile.entry @first(%x: !tile.array<i64, 1> {tile.name = "x"}, %o: !tile.array<i1, 1> {tile.name = "o"}) attributes {qualified_name = "first"} {
  tile.launch "first_0" grid() args(in %a = %x : !tile.array<i64, 1>, out %r = %o : !tile.array<i1, 1>) {
    %0 = arith.constant 0 : i64
    %1 = arith.constant -1 : i64
    %from = tile.slice %a[window %0] {in_bounds} : !tile.ref<i64, [?]> -> !tile.ref<i64, [1]>
    %to = tile.slice %r[window %0] {in_bounds} : !tile.ref<i1, [?]> -> !tile.ref<i1, [1]>
    %t = tile.load %from : !tile.ref<i64, [1]> -> tensor<1xi64>
    %i = tile.iota 0 offset(%1) : tensor<1xi64>
    %g = tile.ge %i, %t : tensor<1xi64> -> tensor<1xi1>
    tile.store %g, %to : tensor<1xi1>, !tile.ref<i1, [1]>
    tile.yield
  }
  tile.return
}

