// Which tiles a CPU kernel holds in memory: those whose array may change before they are used, and no others.
// RUN: tegulac --emit=cpu %s -o %t.h
// RUN: grep -v '^#line' %t.h | FileCheck %s --match-full-lines --strict-whitespace
// RUN: %cxx -include %t.h %S/Inputs/memory.cpp %link -o %t.gcc
// RUN: %t.gcc
// RUN: %clangxx -fsanitize=address,undefined -fno-sanitize-recover=all -include %t.h %S/Inputs/memory.cpp %link -o %t.clang
// RUN: %t.clang

// In place, every element at its own index: no tile.
// CHECK:void in_place_0_cpu(cpu::ref<float, 1> x) try {
// CHECK-NEXT:  for (std::int64_t i0 = 0; i0 < x.dim(0); ++i0) {
// CHECK-NEXT:    x(i0) = cpu::square(x(i0));
// CHECK-NEXT:  }
// CHECK-NEXT:} catch (...) {
// CHECK-NEXT:  cpu::rethrow({{.*}});
// CHECK-NEXT:}
tile.entry @in_place(%x: !tile.array<f32, 1> {tile.name = "x"}) attributes {qualified_name = "in_place"} {
  tile.launch "in_place_0" grid() args(inout %r = %x : !tile.array<f32, 1>) {
    %v = tile.load %r : !tile.ref<f32, [?]> -> tensor<?xf32>
    %w = tile.square %v : tensor<?xf32>
    tile.store %w, %r : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}

// The same window of the same array, named twice; another window of it, which overlaps.
// CHECK:void windows_0_cpu(cpu::ref<float, 1> x, std::int64_t n) try {
// CHECK-NEXT:  const auto a = x.window({"(unknown)", 0, 0, "", "x"}, 0, 0, n);
// CHECK-NEXT:  const auto b = x.window({"(unknown)", 0, 0, "", "x"}, 0, 0, n);
// CHECK-NEXT:  const auto c = x.window({"(unknown)", 0, 0, "", "x"}, 0, 1, n);
// CHECK-NEXT:  for (std::int64_t i0 = 0; i0 < b.dim(0); ++i0) {
// CHECK-NEXT:    b(i0) = cpu::neg(a(i0));
// CHECK-NEXT:  }
// CHECK-NEXT:  cpu::tile<float, 1> v0(tegula::shape<1>{a.dim(0)});
// CHECK-NEXT:  for (std::int64_t i0 = 0; i0 < v0.dim(0); ++i0) {
// CHECK-NEXT:    v0(i0) = a(i0);
// CHECK-NEXT:  }
// CHECK-NEXT:  for (std::int64_t i0 = 0; i0 < c.dim(0); ++i0) {
// CHECK-NEXT:    c(i0) = cpu::neg(v0(i0));
// CHECK-NEXT:  }
// CHECK-NEXT:} catch (...) {
// CHECK-NEXT:  cpu::rethrow({{.*}});
// CHECK-NEXT:}
tile.entry @windows(%x: !tile.array<f32, 1> {tile.name = "x"}, %n: i64 {tile.name = "n"}) attributes {qualified_name = "windows"} {
  tile.launch "windows_0" grid() args(inout %r = %x : !tile.array<f32, 1>, scalar %size = %n : i64) {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %a = tile.slice %r[window %c0 size %size] : !tile.ref<f32, [?]> -> !tile.ref<f32, [?]> loc("a"(unknown))
    %b = tile.slice %r[window %c0 size %size] : !tile.ref<f32, [?]> -> !tile.ref<f32, [?]> loc("b"(unknown))
    %c = tile.slice %r[window %c1 size %size] : !tile.ref<f32, [?]> -> !tile.ref<f32, [?]> loc("c"(unknown))
    %v = tile.load %a : !tile.ref<f32, [?]> -> tensor<?xf32>
    %n1 = tile.neg %v : tensor<?xf32>
    tile.store %n1, %b : tensor<?xf32>, !tile.ref<f32, [?]>
    %w = tile.load %a : !tile.ref<f32, [?]> -> tensor<?xf32>
    %n2 = tile.neg %w : tensor<?xf32>
    tile.store %n2, %c : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}

// x is read before y is written and used after: it stays in its array. y is read before and used after: it is kept. The
// first row of x is repeated over x itself: kept.
// CHECK:void order_0_cpu(cpu::ref<float, 2> x, cpu::ref<float, 2> y) try {
// CHECK-NEXT:  cpu::tile<float, 2> before(tegula::shape<2>{y.dim(0), y.dim(1)});
// CHECK-NEXT:  for (std::int64_t i0 = 0; i0 < before.dim(0); ++i0) {
// CHECK-NEXT:    for (std::int64_t i1 = 0; i1 < before.dim(1); ++i1) {
// CHECK-NEXT:      before(i0, i1) = y(i0, i1);
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// CHECK-NEXT:  for (std::int64_t i0 = 0; i0 < y.dim(0); ++i0) {
// CHECK-NEXT:    for (std::int64_t i1 = 0; i1 < y.dim(1); ++i1) {
// CHECK-NEXT:      y(i0, i1) = x(i0, i1);
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// CHECK-NEXT:  const auto first = x.select({"(unknown)", 0, 0, "", "x"}, 0, 0);
// CHECK-NEXT:  cpu::tile<float, 1> row(tegula::shape<1>{x.dim(1)});
// CHECK-NEXT:  for (std::int64_t i0 = 0; i0 < row.dim(0); ++i0) {
// CHECK-NEXT:    row(i0) = first(i0);
// CHECK-NEXT:  }
// CHECK-NEXT:  for (std::int64_t i0 = 0; i0 < x.dim(0); ++i0) {
// CHECK-NEXT:    for (std::int64_t i1 = 0; i1 < x.dim(1); ++i1) {
// CHECK-NEXT:      x(i0, i1) = cpu::add(cpu::add(x(i0, i1), before(i0, i1)), row(i1));
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// CHECK-NEXT:} catch (...) {
// CHECK-NEXT:  cpu::rethrow({{.*}});
// CHECK-NEXT:}
tile.entry @order(%x: !tile.array<f32, 2> {tile.name = "x"}, %y: !tile.array<f32, 2> {tile.name = "y"}) attributes {qualified_name = "order"} {
  tile.launch "order_0" grid() args(inout %xr = %x : !tile.array<f32, 2>, inout %yr = %y : !tile.array<f32, 2>) {
    %c0 = arith.constant 0 : i64
    %v = tile.load %xr : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    %w = tile.load %yr : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32> loc("before"(unknown))
    %sum = tile.add %v, %w : tensor<?x?xf32>
    tile.store %v, %yr : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    %first = tile.slice %xr[element %c0, whole] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?]> loc("first"(unknown))
    %row = tile.load %first : !tile.ref<f32, [?]> -> tensor<?xf32> loc("row"(unknown))
    %rows = tile.broadcast %row [1] : tensor<?xf32> -> tensor<?x?xf32>
    %all = tile.add %sum, %rows : tensor<?x?xf32>
    tile.store %all, %xr : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    tile.yield
  }
  tile.return
}

// What a loop uses is computed before it; what it writes is kept before it; a subtile of a loaded tile is a window, one of
// a computed tile makes that tile kept.
// CHECK:void loop_0_cpu(cpu::ref<const float, 1> x, cpu::ref<float, 1> y, std::int64_t n) try {
// CHECK-NEXT:  cpu::tile<float, 1> negated(tegula::shape<1>{x.dim(0)});
// CHECK-NEXT:  for (std::int64_t i0 = 0; i0 < negated.dim(0); ++i0) {
// CHECK-NEXT:    negated(i0) = cpu::neg(x(i0));
// CHECK-NEXT:  }
// CHECK-NEXT:  cpu::tile<float, 1> old(tegula::shape<1>{y.dim(0)});
// CHECK-NEXT:  for (std::int64_t i0 = 0; i0 < old.dim(0); ++i0) {
// CHECK-NEXT:    old(i0) = y(i0);
// CHECK-NEXT:  }
// CHECK-NEXT:  for (std::int64_t i = 0; i < n; ++i) {
// CHECK-NEXT:    for (std::int64_t i0 = 0; i0 < y.dim(0); ++i0) {
// CHECK-NEXT:      y(i0) = cpu::add(cpu::add(negated(i0), old(i0)), y(i0));
// CHECK-NEXT:    }
// CHECK-NEXT:    const auto loaded = x.select({"(unknown)", 0, 0}, 0, i);
// CHECK-NEXT:    const auto computed = negated.view().select({"(unknown)", 0, 0}, 0, i);
// CHECK-NEXT:    const auto place = y.select({"(unknown)", 0, 0, "", "y"}, 0, i);
// CHECK-NEXT:    const float loaded_2 = loaded();
// CHECK-NEXT:    const float computed_2 = computed();
// CHECK-NEXT:    place() = cpu::sub(loaded_2, computed_2);
// CHECK-NEXT:  }
// CHECK-NEXT:} catch (...) {
// CHECK-NEXT:  cpu::rethrow({{.*}});
// CHECK-NEXT:}
tile.entry @loop(%x: !tile.array<f32, 1, const> {tile.name = "x"}, %y: !tile.array<f32, 1> {tile.name = "y"}, %n: i64 {tile.name = "n"}) attributes {qualified_name = "loop"} {
  tile.launch "loop_0" grid() args(in %xr = %x : !tile.array<f32, 1, const>, inout %yr = %y : !tile.array<f32, 1>, scalar %steps = %n : i64) {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %v = tile.load %xr : !tile.ref<f32, [?]> -> tensor<?xf32>
    %e = tile.neg %v : tensor<?xf32> loc("negated"(unknown))
    %w = tile.load %yr : !tile.ref<f32, [?]> -> tensor<?xf32> loc("old"(unknown))
    scf.for %s = %c0 to %steps step %c1 : i64 {
      %now = tile.load %yr : !tile.ref<f32, [?]> -> tensor<?xf32>
      %a = tile.add %e, %w : tensor<?xf32>
      %b = tile.add %a, %now : tensor<?xf32>
      tile.store %b, %yr : tensor<?xf32>, !tile.ref<f32, [?]>
      %l = tile.subtile %v[element %s] : tensor<?xf32> -> tensor<f32> loc("loaded"(unknown))
      %m = tile.subtile %e[element %s] : tensor<?xf32> -> tensor<f32> loc("computed"(unknown))
      %lm = tile.sub %l, %m : tensor<f32>
      %place = tile.slice %yr[element %s] : !tile.ref<f32, [?]> -> !tile.ref<f32, []> loc("place"(unknown))
      tile.store %lm, %place : tensor<f32>, !tile.ref<f32, []>
    }
    tile.yield
  }
  tile.return
}
