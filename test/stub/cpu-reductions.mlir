// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and products on the CPU: an accumulator inside the loops over what stays, products by a function, and what
// both need kept in memory.
// RUN: tegulac --emit=cpu %s | grep -v '^#line' > %t.h
// RUN: FileCheck %s --match-full-lines --strict-whitespace --input-file=%t.h
// RUN: %cxx -x c++ -c %t.h -o %t.o
// RUN: %clangxx -x c++ -c %t.h -o %t.o

// Softmax of rows: the row and its exponentials are kept, for they are reduced and used again.
// CHECK:void softmax_0_cpu(std::int64_t grid_0, cpu::ref<const tegula::bf16, 2> x, cpu::ref<tegula::bf16, 2> o) try {
// CHECK-NEXT:  for (std::int64_t i = 0; i < grid_0; ++i) try {
// CHECK-NEXT:    const auto from = x.select({s_cpp, 2, 1, "", "x"}, 0, i);
// CHECK-NEXT:    const auto to = o.select({s_cpp, 3, 1, "", "o"}, 0, i);
// CHECK-NEXT:    cpu::tile<float, 1> row(tegula::shape<1>{x.dim(1)});
// CHECK-NEXT:    for (std::int64_t i0 = 0; i0 < row.dim(0); ++i0) {
// CHECK-NEXT:      row(i0) = cpu::cast<float>(from(i0));
// CHECK-NEXT:    }
// CHECK-NEXT:    cpu::max<float> max;
// CHECK-NEXT:    for (std::int64_t i0 = 0; i0 < row.dim(0); ++i0) {
// CHECK-NEXT:      max.add(row(i0));
// CHECK-NEXT:    }
// CHECK-NEXT:    const float greatest = max.value();
// CHECK-NEXT:    cpu::tile<float, 1> e(tegula::shape<1>{x.dim(1)});
// CHECK-NEXT:    for (std::int64_t i0 = 0; i0 < e.dim(0); ++i0) {
// CHECK-NEXT:      e(i0) = cpu::exp(cpu::sub(row(i0), greatest));
// CHECK-NEXT:    }
// CHECK-NEXT:    cpu::sum<float> sum;
// CHECK-NEXT:    for (std::int64_t i0 = 0; i0 < e.dim(0); ++i0) {
// CHECK-NEXT:      sum.add(e(i0));
// CHECK-NEXT:    }
// CHECK-NEXT:    const float v0 = sum.value();
// CHECK-NEXT:    for (std::int64_t i0 = 0; i0 < to.dim(0); ++i0) {
// CHECK-NEXT:      to(i0) = cpu::cast<tegula::bf16>(cpu::div(e(i0), v0));
// CHECK-NEXT:    }
// CHECK-NEXT:    if (cpu::are_empty(o)) {
// CHECK-NEXT:      return;
// CHECK-NEXT:    }
// CHECK-NEXT:  } catch (const cpu::out_of_bounds &access) {
// CHECK-NEXT:    cpu::rethrow(access, "softmax", {i});
// CHECK-NEXT:  }
// CHECK-NEXT:} catch (...) {
// CHECK-NEXT:  cpu::rethrow({{.*}});
// CHECK-NEXT:}
tile.entry @softmax(%x: !tile.array<bf16, 2, const> {tile.name = "x"}, %o: !tile.array<bf16, 2> {tile.name = "o"}) attributes {qualified_name = "softmax"} {
  %n = tile.dim %x, 0 : !tile.array<bf16, 2, const>
  tile.launch "softmax_0" grid(%n) args(in %r = %x : !tile.array<bf16, 2, const>, out %w = %o : !tile.array<bf16, 2>) {
    %i = tile.program_id 0 loc("i"("s.cpp":1:1))
    %from = tile.slice %r[element %i, whole] : !tile.ref<bf16, [?, ?]> -> !tile.ref<bf16, [?]> loc("from"("s.cpp":2:1))
    %to = tile.slice %w[element %i, whole] : !tile.ref<bf16, [?, ?]> -> !tile.ref<bf16, [?]> loc("to"("s.cpp":3:1))
    %narrow = tile.load %from : !tile.ref<bf16, [?]> -> tensor<?xbf16> loc("s.cpp":4:1)
    %row = tile.cast %narrow : tensor<?xbf16> -> tensor<?xf32> loc("row"("s.cpp":4:1))
    %0 = tile.reduce max %row [0] : tensor<?xf32> -> tensor<f32> loc("s.cpp":5:1)
    %greatest = tile.extract %0 : tensor<f32> -> f32 loc("greatest"("s.cpp":5:1))
    %1 = tile.full %greatest : f32 -> tensor<?xf32> loc("s.cpp":6:1)
    %2 = tile.sub %row, %1 : tensor<?xf32> loc("s.cpp":6:1)
    %e = tile.exp %2 : tensor<?xf32> loc("e"("s.cpp":6:1))
    %3 = tile.reduce sum %e [0] : tensor<?xf32> -> tensor<f32> loc("s.cpp":7:1)
    %4 = tile.extract %3 : tensor<f32> -> f32 loc("s.cpp":7:1)
    %5 = tile.full %4 : f32 -> tensor<?xf32> loc("s.cpp":8:1)
    %6 = tile.div %e, %5 : tensor<?xf32> loc("s.cpp":8:1)
    %7 = tile.cast %6 : tensor<?xf32> -> tensor<?xbf16> loc("s.cpp":8:1)
    tile.store %7, %to : tensor<?xbf16>, !tile.ref<bf16, [?]> loc("s.cpp":8:1)
    tile.yield
  }
  tile.return
}

// Several axes, a reduction of a reduction, accumulators of one kind in one scope, unsigned numbers.
// CHECK:void several_0_cpu(cpu::ref<const float, 3> x, cpu::ref<float, 2> o, cpu::ref<std::uint32_t, 0> count) try {
// CHECK-NEXT:  cpu::tile<float, 1> squares(tegula::shape<1>{x.dim(1)});
// CHECK-NEXT:  for (std::int64_t i1 = 0; i1 < x.dim(1); ++i1) {
// CHECK-NEXT:    cpu::sum<float> sum;
// CHECK-NEXT:    for (std::int64_t i0 = 0; i0 < x.dim(0); ++i0) {
// CHECK-NEXT:      for (std::int64_t i2 = 0; i2 < x.dim(2); ++i2) {
// CHECK-NEXT:        const float t = x(i0, i1, i2);
// CHECK-NEXT:        sum.add(cpu::mul(t, t));
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    squares(i1) = sum.value();
// CHECK-NEXT:  }
// CHECK-NEXT:  for (std::int64_t i0 = 0; i0 < o.dim(0); ++i0) {
// CHECK-NEXT:    for (std::int64_t i1 = 0; i1 < o.dim(1); ++i1) {
// CHECK-NEXT:      o(i0, i1) = squares(i0);
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// CHECK-NEXT:  cpu::tile<bool, 2> positive(tegula::shape<2>{x.dim(0), x.dim(2)});
// CHECK-NEXT:  for (std::int64_t i0 = 0; i0 < x.dim(0); ++i0) {
// CHECK-NEXT:    for (std::int64_t i2 = 0; i2 < x.dim(2); ++i2) {
// CHECK-NEXT:      cpu::any<bool> any;
// CHECK-NEXT:      for (std::int64_t i1 = 0; i1 < x.dim(1); ++i1) {
// CHECK-NEXT:        const float t = x(i0, i1, i2);
// CHECK-NEXT:        any.add(cpu::gt(t, 0.0F));
// CHECK-NEXT:      }
// CHECK-NEXT:      positive(i0, i2) = any.value();
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// CHECK-NEXT:  cpu::sum<std::uint32_t> sum;
// CHECK-NEXT:  for (std::int64_t i0 = 0; i0 < x.dim(0); ++i0) {
// CHECK-NEXT:    for (std::int64_t i1 = 0; i1 < x.dim(2); ++i1) {
// CHECK-NEXT:      sum.add(cpu::cast<std::uint32_t>(positive(i0, i1)));
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// CHECK-NEXT:  const std::uint32_t v0 = sum.value();
// CHECK-NEXT:  cpu::sum<std::uint32_t> sum_2;
// CHECK-NEXT:  for (std::int64_t i0 = 0; i0 < x.dim(1); ++i0) {
// CHECK-NEXT:    sum_2.add(cpu::cast<std::uint32_t>(squares(i0)));
// CHECK-NEXT:  }
// CHECK-NEXT:  const std::uint32_t v1 = sum_2.value();
// CHECK-NEXT:  count() = cpu::add(v0, v1);
// CHECK-NEXT:} catch (...) {
// CHECK-NEXT:  cpu::rethrow({{.*}});
// CHECK-NEXT:}
tile.entry @several(%x: !tile.array<f32, 3, const> {tile.name = "x"}, %o: !tile.array<f32, 2> {tile.name = "o"}, %count: !tile.array<ui32, 0> {tile.name = "count"}) attributes {qualified_name = "several"} {
  tile.launch "several_0" grid() args(in %r = %x : !tile.array<f32, 3, const>, out %w = %o : !tile.array<f32, 2>, out %c = %count : !tile.array<ui32, 0>) {
    %zero = arith.constant 0.0 : f32
    %t = tile.load %r : !tile.ref<f32, [?, ?, ?]> -> tensor<?x?x?xf32> loc("t"("s.cpp":20:1))
    %0 = tile.mul %t, %t : tensor<?x?x?xf32>
    %squares = tile.reduce sum %0 [0, 2] : tensor<?x?x?xf32> -> tensor<?xf32> loc("squares"("s.cpp":21:1))
    %1 = tile.broadcast %squares [1] : tensor<?xf32> -> tensor<1x?xf32>
    %2 = tile.permute %1 [1, 0] : tensor<1x?xf32> -> tensor<?x1xf32>
    %3 = tile.broadcast %2 [0, 1] : tensor<?x1xf32> -> tensor<?x?xf32>
    tile.store %3, %w : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    %4 = tile.full %zero : f32 -> tensor<?x?x?xf32>
    %5 = tile.gt %t, %4 : tensor<?x?x?xf32> -> tensor<?x?x?xi1>
    %6 = tile.reduce any %5 [1] : tensor<?x?x?xi1> -> tensor<?x?xi1> loc("positive"("s.cpp":22:1))
    %7 = tile.cast %6 : tensor<?x?xi1> -> tensor<?x?xui32>
    %8 = tile.reduce sum %7 [0, 1] : tensor<?x?xui32> -> tensor<ui32>
    %9 = tile.cast %squares : tensor<?xf32> -> tensor<?xui32>
    %10 = tile.reduce sum %9 [0] : tensor<?xui32> -> tensor<ui32>
    %11 = tile.add %8, %10 : tensor<ui32>
    tile.store %11, %c : tensor<ui32>, !tile.ref<ui32, []>
    tile.yield
  }
  tile.return
}

// Products: of places, of a view of one, of tiles that are computed; and one that is added up in a loop.
// CHECK:void products_0_cpu(cpu::ref<const float, 2> a, cpu::ref<const float, 2> b, cpu::ref<float, 2> c) try {
// CHECK-NEXT:  const auto view = b.transpose({1, 0});
// CHECK-NEXT:  cpu::tile<float, 2> v0(tegula::shape<2>{abi::min(a.dim(0), 16), abi::min(b.dim(0), 8)}, 0.0F);
// CHECK-NEXT:  for (std::int64_t i = 0; i < a.dim(1); i += 4) {
// CHECK-NEXT:    const auto left = a.window({s_cpp, 31, 1, "", "a"}, 0, 0, 16).window({s_cpp, 31, 1, "", "a"}, 1, i, 4);
// CHECK-NEXT:    const auto right = view.window({s_cpp, 32, 1, "", "b"}, 0, i, 4).window({s_cpp, 32, 1, "", "b"}, 1, 0, 8);
// CHECK-NEXT:    cpu::tile<float, 2> next = cpu::dot(left, right, v0);
// CHECK-NEXT:    v0 = std::move(next);
// CHECK-NEXT:  }
// CHECK-NEXT:  const auto block = c.window({s_cpp, 34, 1, "", "c"}, 0, 0, 16).window({s_cpp, 34, 1, "", "c"}, 1, 0, 8);
// CHECK-NEXT:  cpu::tile<float, 2> left_factor(tegula::shape<2>{a.dim(0), a.dim(1)});
// CHECK-NEXT:  for (std::int64_t i0 = 0; i0 < left_factor.dim(0); ++i0) {
// CHECK-NEXT:    for (std::int64_t i1 = 0; i1 < left_factor.dim(1); ++i1) {
// CHECK-NEXT:      left_factor(i0, i1) = cpu::exp(a(i0, i1));
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// CHECK-NEXT:  cpu::tile<float, 2> gram = cpu::dot(left_factor, a.transpose({1, 0}));
// CHECK-NEXT:  cpu::tile<float, 2> more = cpu::dot(gram, left_factor);
// CHECK-NEXT:  cpu::tile<float, 2> most = cpu::dot<cpu::precision::tf32>(more, left_factor.view().transpose({1, 0}));
// CHECK-NEXT:  for (std::int64_t i0 = 0; i0 < c.dim(0); ++i0) {
// CHECK-NEXT:    for (std::int64_t i1 = 0; i1 < c.dim(1); ++i1) {
// CHECK-NEXT:      c(i0, i1) = most(i0, i1);
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// CHECK-NEXT:  for (std::int64_t i0 = 0; i0 < block.dim(0); ++i0) {
// CHECK-NEXT:    for (std::int64_t i1 = 0; i1 < block.dim(1); ++i1) {
// CHECK-NEXT:      block(i0, i1) = v0(i0, i1);
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// CHECK-NEXT:} catch (...) {
// CHECK-NEXT:  cpu::rethrow({{.*}});
// CHECK-NEXT:}
tile.entry @products(%a: !tile.array<f32, 2, const> {tile.name = "a"}, %b: !tile.array<f32, 2, const> {tile.name = "b"}, %c: !tile.array<f32, 2> {tile.name = "c"}) attributes {qualified_name = "products"} {
  tile.launch "products_0" grid() args(in %p = %a : !tile.array<f32, 2, const>, in %q = %b : !tile.array<f32, 2, const>, out %w = %c : !tile.array<f32, 2>) {
    %zero = arith.constant 0.0 : f32
    %start = arith.constant 0 : i64
    %step = arith.constant 4 : i64
    %end = tile.dim %p, 1 : !tile.ref<f32, [?, ?]>
    %none = tile.full %zero : f32 -> tensor<16x8xf32>
    %view = tile.transpose %q [1, 0] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?, ?]> loc("view"("s.cpp":30:1))
    %sum = scf.for %k = %start to %end step %step iter_args(%so_far = %none) -> tensor<16x8xf32> : i64 {
      %left = tile.slice %p[window %start, window %k] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [16?, 4?]> loc("left"("s.cpp":31:1))
      %right = tile.slice %view[window %k, window %start] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [4?, 8?]> loc("right"("s.cpp":32:1))
      %0 = tile.load %left : !tile.ref<f32, [16?, 4?]> -> tensor<16x4xf32>
      %1 = tile.load %right : !tile.ref<f32, [4?, 8?]> -> tensor<4x8xf32>
      %2 = tile.dot %0, %1 acc %so_far : tensor<16x8xf32>, : tensor<16x4xf32>, tensor<4x8xf32> -> tensor<16x8xf32> loc("next"("s.cpp":33:1))
      scf.yield %2 : tensor<16x8xf32>
    } loc("sum"("s.cpp":33:1))
    %block = tile.slice %w[window %start, window %start] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [16?, 8?]> loc("block"("s.cpp":34:1))
    %3 = tile.load %p : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    %4 = tile.permute %3 [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
    %5 = tile.exp %3 : tensor<?x?xf32> loc("left_factor"("s.cpp":35:1))
    %6 = tile.dot %5, %4 : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32> loc("gram"("s.cpp":35:1))
    %7 = tile.permute %5 [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
    %8 = tile.dot %6, %5 : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32> loc("more"("s.cpp":36:1))
    %9 = tile.dot %8, %7 precision tf32 : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32> loc("most"("s.cpp":37:1))
    tile.store %9, %w : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.store %sum, %block : tensor<16x8xf32>, !tile.ref<f32, [16?, 8?]>
    tile.yield
  }
  tile.return
}
