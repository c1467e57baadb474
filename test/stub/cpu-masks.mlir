// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masked loads and stores on the CPU.
// RUN: tegulac --emit=cpu %s | grep -v '^#line' > %t.h
// RUN: FileCheck %s --match-full-lines --strict-whitespace --input-file=%t.h
// RUN: %cxx -x c++ -c %t.h -o %t.o
// RUN: %clangxx -x c++ -c %t.h -o %t.o

// A mask asks of memory only where it holds and the block is there; the whole block of 8 is added up.
// CHECK:void padded_0_cpu(std::int64_t grid_0, cpu::ref<const float, 1> x, cpu::ref<float, 1> o) try {
// CHECK-NEXT:  for (std::int64_t i = 0; i < grid_0; ++i) try {
// CHECK-NEXT:    const auto from = cpu::reach(x).window({s_cpp, 2, 1, "", "x"}, 0, i * 8, 8);
// CHECK-NEXT:    const auto to = o.select({s_cpp, 3, 1, "", "o"}, 0, i);
// CHECK-NEXT:    cpu::sum<float> sum_2;
// CHECK-NEXT:    for (std::int64_t i0 = 0; i0 < 8; ++i0) {
// CHECK-NEXT:      sum_2.add(cpu::exp(cpu::load(from, {i0}, cpu::lt(cpu::cast<std::int32_t>(i0), 4), 1.0F)));
// CHECK-NEXT:    }
// CHECK-NEXT:    const float sum = sum_2.value();
// CHECK-NEXT:    to() = sum;
// CHECK-NEXT:    if (cpu::are_empty(o)) {
// CHECK-NEXT:      return;
// CHECK-NEXT:    }
// CHECK-NEXT:  } catch (const cpu::out_of_bounds &access) {
// CHECK-NEXT:    cpu::rethrow(access, "padded", {i});
// CHECK-NEXT:  }
// CHECK-NEXT:} catch (...) {
// CHECK-NEXT:  cpu::rethrow({{.*}});
// CHECK-NEXT:}
tile.entry @padded(%x: !tile.array<f32, 1, const> {tile.name = "x"}, %o: !tile.array<f32, 1> {tile.name = "o"}, %n: i64 {tile.name = "n"}) attributes {qualified_name = "padded"} {
  tile.launch "padded_0" grid(%n) args(in %r = %x : !tile.array<f32, 1, const>, out %w = %o : !tile.array<f32, 1>) {
    %one = arith.constant 1.0 : f32
    %zero = arith.constant 0.0 : f32
    %four = arith.constant 4 : i32
    %eight = arith.constant 8 : i64
    %i = tile.program_id 0 loc("i"("s.cpp":1:1))
    %start = arith.muli %i, %eight : i64
    %from = tile.slice %r[window %start] : !tile.ref<f32, [?]> -> !tile.ref<f32, [8?]> loc("from"("s.cpp":2:1))
    %to = tile.slice %w[element %i] : !tile.ref<f32, [?]> -> !tile.ref<f32, []> loc("to"("s.cpp":3:1))
    %0 = tile.iota 0 : tensor<8xi32>
    %1 = tile.full %four : i32 -> tensor<8xi32>
    %mask = tile.lt %0, %1 : tensor<8xi32> -> tensor<8xi1>
    %other = tile.full %one : f32 -> tensor<8xf32>
    %t = tile.load %from mask %mask : tensor<8xi1> other %other : tensor<8xf32> : !tile.ref<f32, [8?]> -> tensor<8xf32> loc("s.cpp":4:1)
    %2 = tile.exp %t : tensor<8xf32>
    %sum = tile.reduce sum %2 [0] : tensor<8xf32> -> tensor<f32> loc("sum"("s.cpp":5:1))
    tile.store %sum, %to : tensor<f32>, !tile.ref<f32, []>
    tile.yield
  }
  tile.return
}

// A masked store in place reads and writes at one index: no tile. The one after it needs what was there before.
// CHECK:void raised_0_cpu(cpu::ref<float, 1> x) try {
// CHECK-NEXT:  cpu::tile<float, 1> before(tegula::shape<1>{x.dim(0)});
// CHECK-NEXT:  for (std::int64_t i0 = 0; i0 < before.dim(0); ++i0) {
// CHECK-NEXT:    before(i0) = x(i0);
// CHECK-NEXT:  }
// CHECK-NEXT:  for (std::int64_t i0 = 0; i0 < x.dim(0); ++i0) {
// CHECK-NEXT:    const float before_2 = before(i0);
// CHECK-NEXT:    if (cpu::gt(before_2, 0.0F)) {
// CHECK-NEXT:      x(i0) = cpu::square(before_2);
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// CHECK-NEXT:  for (std::int64_t i0 = 0; i0 < x.dim(0); ++i0) {
// CHECK-NEXT:    const float before_2 = before(i0);
// CHECK-NEXT:    const float after = cpu::load(x, {i0}, cpu::gt(before_2, 0.0F), 0.0F);
// CHECK-NEXT:    x(i0) = cpu::add(after, before_2);
// CHECK-NEXT:  }
// CHECK-NEXT:} catch (...) {
// CHECK-NEXT:  cpu::rethrow({{.*}});
// CHECK-NEXT:}
tile.entry @raised(%x: !tile.array<f32, 1> {tile.name = "x"}) attributes {qualified_name = "raised"} {
  tile.launch "raised_0" grid() args(inout %r = %x : !tile.array<f32, 1>) {
    %zero = arith.constant 0.0 : f32
    %none = tile.full %zero : f32 -> tensor<?xf32>
    %before = tile.load %r : !tile.ref<f32, [?]> -> tensor<?xf32> loc("before"("s.cpp":11:1))
    %0 = tile.gt %before, %none : tensor<?xf32> -> tensor<?xi1>
    %1 = tile.square %before : tensor<?xf32>
    tile.store %1, %r mask %0 : tensor<?xi1> : tensor<?xf32>, !tile.ref<f32, [?]> loc("s.cpp":12:1)
    %after = tile.load %r mask %0 : tensor<?xi1> other %none : tensor<?xf32> : !tile.ref<f32, [?]> -> tensor<?xf32> loc("after"("s.cpp":13:1))
    %2 = tile.add %after, %before : tensor<?xf32>
    tile.store %2, %r : tensor<?xf32>, !tile.ref<f32, [?]> loc("s.cpp":14:1)
    tile.yield
  }
  tile.return
}
