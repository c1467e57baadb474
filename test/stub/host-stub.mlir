// Header and source of entries, as their callers and their debuggers see them.
// RUN: tegulac %s -o %t --arch sm_90a --arch sm_80
// RUN: FileCheck %s --check-prefix=HEADER --match-full-lines --input-file=%t.h
// RUN: FileCheck %s --match-full-lines --strict-whitespace --input-file=%t.cpp
// RUN: FileCheck %s --check-prefix=CODE --input-file=%t.cpp
// RUN: %cxx -include %t.h %S/Inputs/host_stub.cpp %t.cpp %link -o %t.gcc
// RUN: %t.gcc | FileCheck %s --check-prefix=PRINTED --match-full-lines
// RUN: %clangxx -fsanitize=address,undefined -fno-sanitize-recover=all -include %t.h %S/Inputs/host_stub.cpp %t.cpp %link -o %t.clang
// RUN: %t.clang | FileCheck %s --check-prefix=PRINTED --match-full-lines
// RUN: awk '/^#line .*tmp.cpp"/ { if ($2 != NR + 1) exit 1 }' %t.cpp
//
// Both are formatted already, and the same every time.
// RUN: clang-format --style='{BasedOnStyle: LLVM, ColumnLimit: 120, BreakStringLiterals: false, ReflowComments: false}' %t.h | diff - %t.h
// RUN: clang-format --style='{BasedOnStyle: LLVM, ColumnLimit: 120, BreakStringLiterals: false, ReflowComments: false}' %t.cpp | diff - %t.cpp
// RUN: cp %t.cpp %t.first
// RUN: tegulac %s -o %t --arch sm_90a --arch sm_80
// RUN: diff %t.cpp %t.first

// PRINTED: right
// PRINTED-NEXT: add_vectors: x and y differ in length
// PRINTED-NEXT: fib{{.*}}: division by zero in host code
// PRINTED-NEXT: shapes::inner::both: {{.*}}overlap{{.*}}
// PRINTED-NEXT: hello: has code for the CPU only: give tegulac an --arch, or move the arrays to the CPU
// PRINTED-NEXT: hello

// HEADER: // Made by tegulac from {{.*}}host-stub.mlir. Do not edit: changes are lost.
// HEADER-NEXT: #pragma once
// HEADER-EMPTY:
// HEADER-NEXT: #include "tegula/runtime.h"
// HEADER-EMPTY:

// CHECK://{{.*}}
// CHECK-NEXT:#include "host-stub.mlir.tmp.h"
// CHECK-EMPTY:
// CHECK-NEXT:#include "tegula/abi.h"
// CHECK-NEXT:#include "tegula/cpu/kernel.h"

// Two kernels, chosen by alignment; the result cannot overlap the arguments.
//
// HEADER-NEXT: /// x + y, of any length.
// HEADER-NEXT: {{\[\[}}nodiscard]] tegula::buffer<float, 1> add_vectors(const tegula::array<const float, 1> &x,
// HEADER-NEXT: const tegula::array<const float, 1> &y,
// HEADER-NEXT: const tegula::stream &stream = {});
//
// CHECK:void add_vectors_0_cpu(cpu::ref<const float, 1> x, cpu::ref<const float, 1> y, cpu::ref<float, 1> o) try {
// CHECK-NEXT:#line 7 "kernels.cpp"
// CHECK-NEXT:  for (std::int64_t i0 = 0; i0 < o.dim(0); ++i0) {
// CHECK-NEXT:#line 7
// CHECK-NEXT:    o(i0) = cpu::add(x(i0), y(i0));
// CHECK-NEXT:  }
// CHECK-NEXT:} catch (...) {
// CHECK-NEXT:#line 7
// CHECK-NEXT:  cpu::rethrow({kernels_cpp, 6, 3}, "add_vectors");
// CHECK-NEXT:}
// CHECK-NEXT:#line {{[0-9]+}} "{{.*}}host-stub.mlir.tmp.cpp"
// CHECK:tegula::buffer<float, 1> add_vectors(const tegula::array<const float, 1> &x, const tegula::array<const float, 1> &y,
// CHECK-NEXT:                                     const tegula::stream &stream) {
// CHECK-NEXT:  namespace abi = tegula::abi;
// CHECK-NEXT:  abi::call call("add_vectors", stream);
// CHECK-NEXT:  call.input("x", x);
// CHECK-NEXT:  call.input("y", y);
// CHECK-NEXT:  call.check(x.dim(0) == y.dim(0), "x and y differ in length");
// CHECK-NEXT:  auto o = call.empty<float, 1>("o", {x.dim(0)});
// CHECK-NEXT:  if (call.on_cpu()) {
// CHECK-NEXT:    tegula::of_{{[a-z_]+}}::add_vectors_0_cpu(x, y, o);
// CHECK-NEXT:  } else if (call.on_gpu()) {
// CHECK-NEXT:    const std::int64_t v0 = abi::ceil_div(x.dim(0), 1024);
// CHECK-NEXT:    if (abi::dense(16, x, y, o)) {
// CHECK-NEXT:      call.launch(tegula::of_{{[a-z_]+}}::add_vectors_0_dense, {v0, 128}, x, y, o);
// CHECK-NEXT:    } else {
// CHECK-NEXT:      call.launch(tegula::of_{{[a-z_]+}}::add_vectors_0, {v0, 128}, x, y, o);
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// CHECK-NEXT:  return o;
// CHECK-NEXT:}
tile.entry @add_vectors(%x: !tile.array<f32, 1, const> {tile.name = "x"}, %y: !tile.array<f32, 1, const> {tile.name = "y"}) -> !tile.array<f32, 1>
    attributes {qualified_name = "add_vectors", doc = "x + y, of any length."} {
  %d = tile.dim %x, 0 : !tile.array<f32, 1, const>
  %e = tile.dim %y, 0 : !tile.array<f32, 1, const>
  %c = arith.cmpi eq, %d, %e : i64
  tile.check %c, "x and y differ in length"
  %o = tile.empty(%d) : !tile.array<f32, 1> loc("o"("kernels.cpp":5:8))
  tile.launch "add_vectors_0" grid() args(in %a = %x : !tile.array<f32, 1, const>, in %b = %y : !tile.array<f32, 1, const>, out %r = %o : !tile.array<f32, 1>) {
    %0 = tile.load %a : !tile.ref<f32, [?]> -> tensor<?xf32> loc("kernels.cpp":7:20)
    %1 = tile.load %b : !tile.ref<f32, [?]> -> tensor<?xf32> loc("kernels.cpp":7:30)
    %2 = tile.add %0, %1 : tensor<?xf32> loc("kernels.cpp":7:25)
    tile.store %2, %r : tensor<?xf32>, !tile.ref<f32, [?]> loc("kernels.cpp":7:10)
    tile.yield
  } plan (%p0, %p1, %p2) {
    %bs = arith.constant 1024 : i64
    %n = tile.dim %p0, 0 : !tile.array<f32, 1, const>
    %k = arith.ceildivsi %n, %bs : i64
    %dense = tile.dense 16, %p0, %p1, %p2 : !tile.array<f32, 1, const>, !tile.array<f32, 1, const>, !tile.array<f32, 1>
    scf.if %dense {
      tile.launch_kernel @add_vectors_0_dense blocks(%k) (%p0, %p1, %p2) : !tile.array<f32, 1, const>, !tile.array<f32, 1, const>, !tile.array<f32, 1>
    } else {
      tile.launch_kernel @add_vectors_0 blocks(%k) (%p0, %p1, %p2) : !tile.array<f32, 1, const>, !tile.array<f32, 1, const>, !tile.array<f32, 1>
    }
    tile.yield
  } loc("kernels.cpp":6:3)
  tile.return %o : !tile.array<f32, 1>
}

tile.kernel @add_vectors_0_dense(%a: !tile.ref<f32, [?], align 16> {tile.name = "x"}, %b: !tile.ref<f32, [?], align 16> {tile.name = "y"}, %r: !tile.ref<f32, [?], align 16> {tile.name = "o"}) attributes {threads = 128 : i64, group = 32 : i64} {
  %c256 = arith.constant 256 : i64
  %t = tile.thread_group
  %s = arith.muli %t, %c256 : i64
  %aw = tile.slice %a[window %s] : !tile.ref<f32, [?], align 16> -> !tile.ref<f32, [256?], align 16>
  %bw = tile.slice %b[window %s] : !tile.ref<f32, [?], align 16> -> !tile.ref<f32, [256?], align 16>
  %rw = tile.slice %r[window %s] : !tile.ref<f32, [?], align 16> -> !tile.ref<f32, [256?], align 16>
  %0 = tile.load %aw : !tile.ref<f32, [256?], align 16> -> tensor<256xf32> loc("kernels.cpp":7:20)
  %1 = tile.load %bw : !tile.ref<f32, [256?], align 16> -> tensor<256xf32> loc("kernels.cpp":7:30)
  %2 = tile.add %0, %1 : tensor<256xf32> loc("kernels.cpp":7:25)
  tile.store %2, %rw : tensor<256xf32>, !tile.ref<f32, [256?], align 16> loc("kernels.cpp":7:10)
  tile.return
}
tile.kernel @add_vectors_0(%a: !tile.ref<f32, [?]>, %b: !tile.ref<f32, [?]>, %r: !tile.ref<f32, [?]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %c256 = arith.constant 1024 : i64
  %t = tile.thread_group
  %s = arith.muli %t, %c256 : i64
  %aw = tile.slice %a[window %s] : !tile.ref<f32, [?]> -> !tile.ref<f32, [1024?]>
  %bw = tile.slice %b[window %s] : !tile.ref<f32, [?]> -> !tile.ref<f32, [1024?]>
  %rw = tile.slice %r[window %s] : !tile.ref<f32, [?]> -> !tile.ref<f32, [1024?]>
  %0 = tile.load %aw : !tile.ref<f32, [1024?]> -> tensor<1024xf32> loc("kernels.cpp":7:20)
  %1 = tile.load %bw : !tile.ref<f32, [1024?]> -> tensor<1024xf32> loc("kernels.cpp":7:30)
  %2 = tile.add %0, %1 : tensor<1024xf32> loc("kernels.cpp":7:25)
  tile.store %2, %rw : tensor<1024xf32>, !tile.ref<f32, [1024?]> loc("kernels.cpp":7:10)
  tile.return
}

// Host arithmetic: loops, divisions that may be by zero, a scalar result. No array: the caller chooses the device.
//
// HEADER: {{\[\[}}nodiscard]] std::int64_t fib(std::int64_t n, tegula::device device = {}, const tegula::stream &stream = {});
// CHECK:std::int64_t fib(std::int64_t n, tegula::device device, const tegula::stream &stream) {
// CHECK-NEXT:  namespace abi = tegula::abi;
// CHECK-NEXT:  abi::call call("fib", stream, device);
// CHECK-NEXT:  std::int64_t v0 = 0;
// CHECK-NEXT:  std::int64_t v1 = 0;
// CHECK-NEXT:  std::int64_t v2 = 1;
// CHECK-NEXT:  for (std::int64_t i = 0; i < n; ++i) {
// CHECK-NEXT:    v0 = v2;
// CHECK-NEXT:    const auto next_v1 = v2;
// CHECK-NEXT:    v2 = abi::add(v1, v2, "fib{{.*}}");
// CHECK-NEXT:    v1 = next_v1;
// CHECK-NEXT:  }
// CHECK-NEXT:  std::int64_t v3 = v1;
// CHECK-NEXT:  std::int64_t v4;
// CHECK-NEXT:  while (true) {
// CHECK-NEXT:    const std::int64_t m = abi::rem(v3, n, "fib{{.*}}");
// CHECK-NEXT:    v4 = m;
// CHECK-NEXT:    if (!(m > 1)) {
// CHECK-NEXT:      break;
// CHECK-NEXT:    }
// CHECK-NEXT:    v3 = abi::sub(v4, 1, "fib{{.*}}");
// CHECK-NEXT:  }
// CHECK-NEXT:  return abi::add(v4, v0, "fib{{.*}}");
// CHECK-NEXT:}
tile.entry @fib(%n: i64 {tile.name = "n"}) -> i64 attributes {qualified_name = "fib"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %p, %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c0, %a = %c0, %b = %c1) -> (i64, i64, i64) : i64 {
    %s = arith.addi %a, %b : i64
    scf.yield %b, %b, %s : i64, i64, i64
  }
  %w = scf.while (%k = %r#0) : (i64) -> i64 {
    %m = arith.remsi %k, %n : i64 loc("m"(unknown))
    %c = arith.cmpi sgt, %m, %c1 : i64
    scf.condition(%c) %m : i64
  } do {
  ^bb0(%q: i64):
    %d = arith.subi %q, %c1 : i64
    scf.yield %d : i64
  }
  %t = arith.addi %w, %p : i64
  tile.return %t : i64
}

// A launch without arrays and without GPU code.
//
// HEADER: void hello(tegula::device device = {}, const tegula::stream &stream = {});
tile.entry @hello() attributes {qualified_name = "hello"} {
  tile.launch "hello_0" grid() args() {
    tile.debug_print "hello"
    tile.yield
  }
  tile.return
}

// Several results, of which one is unsigned; namespaces; a keyword as a name; an argument that is not used. Only arrays of the
// caller's can overlap. Launches in branches and loops; no code for GPUs.
//
// HEADER: namespace shapes {
// HEADER-EMPTY:
// HEADER-NEXT: #ifndef [[GUARD:TEGULA_STRUCT_shapes_Both_[0-9a-f]+]]
// HEADER-NEXT: #define [[GUARD]]
// HEADER-NEXT: struct Both {
// HEADER-NEXT: tegula::buffer<std::int32_t, 1> sum;
// HEADER-NEXT: std::uint32_t count;
// HEADER-NEXT: };
// HEADER-NEXT: #endif
// HEADER-EMPTY:
// HEADER-NEXT: } // namespace shapes
// HEADER-EMPTY:
// HEADER-NEXT: namespace shapes::inner {
// HEADER-EMPTY:
// HEADER-NEXT: /// Adds.
// HEADER-NEXT: ///
// HEADER-NEXT: /// Twice, if y is long.
// HEADER-NEXT: {{\[\[}}nodiscard]] shapes::Both both(const tegula::array<const std::int32_t, 1> &class_,
// HEADER-NEXT: const tegula::array<std::int32_t, 1> &y, std::uint32_t count, bool unused,
// HEADER-NEXT: const tegula::stream &stream = {});
// HEADER-EMPTY:
// HEADER-NEXT: } // namespace shapes::inner
// HEADER-NOT: {{.}}
//
// CHECK:namespace shapes::inner {
// CHECK-EMPTY:
// CHECK:shapes::Both both(const tegula::array<const std::int32_t, 1> &class_, const tegula::array<std::int32_t, 1> &y,
// CHECK-NEXT:                  std::uint32_t count, bool /*unused*/, const tegula::stream &stream) {
// CHECK-NEXT:  namespace abi = tegula::abi;
// CHECK-NEXT:  abi::call call("shapes::inner::both", stream);
// CHECK-NEXT:  call.input("class", class_);
// CHECK-NEXT:  call.inout("y", y);
// CHECK-NEXT:  auto sum = call.empty<std::int32_t, 1>("sum", {y.dim(0)});
// CHECK-NEXT:  const std::int64_t end = y.dim(0) >= 10 ? std::int64_t{2} : 1;
// CHECK-NEXT:  for (std::int64_t i = 0; i < end; ++i) {
// CHECK-NEXT:    call.no_overlap({abi::reads("class", class_), abi::writes("y", y)});
// CHECK-NEXT:    if (call.on_cpu()) {
// CHECK-NEXT:      tegula::of_{{[a-z_]+}}::shapes_inner_both_0_cpu(class_, y, sum);
// CHECK-NEXT:    } else if (call.on_gpu()) {
// CHECK-NEXT:      call.fail("has code for the CPU only: give tegulac an --arch, or move the arrays to the CPU");
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// CHECK-NEXT:  return {std::move(sum), static_cast<std::uint32_t>(static_cast<std::int32_t>(count))};
// CHECK-NEXT:}
// CHECK-EMPTY:
// CHECK-NEXT:} // namespace shapes::inner
tile.entry @shapes.inner.both(%x: !tile.array<i32, 1, const> {tile.name = "class"}, %y: !tile.array<i32, 1> {tile.name = "y"}, %count: i32 {tile.name = "count", tile.type = "u32"}, %unused: i1 {tile.name = "unused"})
    -> (!tile.array<i32, 1>, i32) attributes {qualified_name = "shapes::inner::both", doc = "Adds.\n\nTwice, if y is long.", result_struct = "shapes::Both", result_names = ["sum", "count"], res_attrs = [{}, {tile.type = "u32"}]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c10 = arith.constant 10 : i64
  %n = tile.dim %y, 0 : !tile.array<i32, 1>
  %sum = tile.empty(%n) : !tile.array<i32, 1> loc("sum"(unknown))
  %long = arith.cmpi sge, %n, %c10 : i64
  %times = scf.if %long -> i64 {
    scf.yield %c2 : i64
  } else {
    scf.yield %c1 : i64
  }
  scf.for %i = %c0 to %times step %c1 : i64 {
    tile.launch "shapes.inner.both_0" grid() args(in %a = %x : !tile.array<i32, 1, const>, inout %b = %y : !tile.array<i32, 1>, out %s = %sum : !tile.array<i32, 1>) {
      %0 = tile.load %a : !tile.ref<i32, [?]> -> tensor<?xi32>
      %1 = tile.load %b : !tile.ref<i32, [?]> -> tensor<?xi32>
      %2 = tile.add %0, %1 : tensor<?xi32>
      tile.store %2, %b : tensor<?xi32>, !tile.ref<i32, [?]>
      tile.store %2, %s : tensor<?xi32>, !tile.ref<i32, [?]>
      tile.yield
    }
  }
  tile.return %sum, %count : !tile.array<i32, 1>, i32
}
// CODE: alignas(64) constexpr unsigned char cubin_sm_90a[] =
// CODE-NEXT: {{^    "\\177ELF}}
// CODE: alignas(64) constexpr unsigned char cubin_sm_80[] =
// CODE: alignas(64) constexpr unsigned char ptx_sm_80[] = R"ptx(
// CODE: .visible .entry add_vectors_0_dense(
// CODE: {90, 'a', abi::image_kind::cubin, cubin_sm_90a, sizeof cubin_sm_90a - 1, 2, true},
// CODE-NEXT: {80, 0, abi::image_kind::cubin, cubin_sm_80, sizeof cubin_sm_80 - 1, 1, false},
// CODE-NEXT: {80, 0, abi::image_kind::ptx, ptx_sm_80, sizeof ptx_sm_80 - 1, 1, false},
// CODE-NEXT: };
// CODE-NEXT: abi::image_set<3> images(images_list);
// CODE-NEXT: abi::kernel add_vectors_0_dense(images, "add_vectors_0_dense");
// CODE-NEXT: abi::kernel add_vectors_0(images, "add_vectors_0");
