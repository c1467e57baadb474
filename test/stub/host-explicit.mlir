// Launches of the explicit level: tensor maps, clusters and shared memory; fibers on the CPU (cpu-explicit.mlir).
// RUN: tegulac %s -o %t --arch sm_90a
// RUN: FileCheck %s --input-file=%t.cpp
// RUN: %cxx -include %t.h %S/Inputs/host_explicit.cpp %t.cpp %link -o %t.gcc
// RUN: %t.gcc | FileCheck %s --check-prefix=PRINTED --match-full-lines
// RUN: %clangxx -include %t.h %S/Inputs/host_explicit.cpp %t.cpp %link -o %t.clang
// RUN: clang-format --style='{BasedOnStyle: LLVM, ColumnLimit: 120, BreakStringLiterals: false, ReflowComments: false}' %t.cpp | diff - %t.cpp
// RUN: tegulac %s --emit=cpu -o - | FileCheck %s --check-prefix=CPU

// PRINTED: multiply: a and b differ
// PRINTED-NEXT: multiply: 'c' is written and shares memory with 'a': {{.*}}
// PRINTED-NEXT: done

// An array by its map and by itself; maps of what is written; scalars.
//
// CHECK: void multiply_0_cpu(std::int64_t grid_0,
// CHECK: extern abi::kernel multiply_0;
// CHECK: void multiply(
// CHECK: call.no_overlap({abi::reads("a", a), abi::reads("b", b), abi::writes("c", c)});
// CHECK-NEXT: if (call.on_cpu()) {
// CHECK-NEXT: tegula::of_{{[a-z_]+}}::multiply_0_cpu(a.dim(0), a, b, c);
// CHECK-NEXT: } else if (call.on_gpu()) {
// CHECK-NEXT: call.launch(tegula::of_{{[a-z_]+}}::multiply_0, {2 * abi::ceil_div(c.dim(0), 128), 384},
// CHECK-NEXT: abi::read_map("a", a, 128, {128, 64}), a, abi::write_map("c", c, 16, {64, 8}),
// CHECK-NEXT: abi::read_map("b", b, 64, {1, 32, 32}), c.dim(0));
// CHECK-NEXT: }
// CHECK-NEXT: }
//
// CHECK: abi::kernel multiply_0(images, "multiply_0", /*shared_bytes=*/200704, /*cluster=*/2);
// CPU: void multiply_0_cpu(std::int64_t grid_0,
// CPU: cpu::launch{"multiply", {grid_0}, 3, {2}}.run([&](cpu::thread &) {});
tile.entry @multiply(%a: !tile.array<bf16, 2, const> {tile.name = "a"}, %b: !tile.array<bf16, 3, const> {tile.name = "b"}, %c: !tile.array<f32, 2> {tile.name = "c"})
    attributes {qualified_name = "multiply"} {
  %m = tile.dim %a, 0 : !tile.array<bf16, 2, const>
  %k = tile.dim %b, 2 : !tile.array<bf16, 3, const>
  %same = arith.cmpi eq, %m, %k : i64
  tile.check %same, "a and b differ"
  tile.launch "multiply_0" grid(%m) args(in %x = %a : !tile.array<bf16, 2, const>, in %y = %b : !tile.array<bf16, 3, const>, inout %z = %c : !tile.array<f32, 2>)
      attributes {warpgroups = 3 : i64, cluster = array<i64: 2>} {
    tile.yield
  } plan (%g, %p0, %p1, %p2) {
    %c2 = arith.constant 2 : i64
    %c128 = arith.constant 128 : i64
    %n = tile.dim %p2, 0 : !tile.array<f32, 2>
    %tiles = arith.ceildivsi %n, %c128 : i64
    %blocks = arith.muli %c2, %tiles : i64
    %am = tile.tensor_map %p0 box [128, 64] swizzle 128 : !tile.array<bf16, 2, const>
    %bm = tile.tensor_map %p1 box [1, 32, 32] swizzle 64 : !tile.array<bf16, 3, const>
    %cm = tile.tensor_map %p2 box [64, 8] swizzle 16 : !tile.array<f32, 2>
    tile.launch_kernel @multiply_0 blocks(%blocks) (%am, %p0, %cm, %bm, %n) : !tile.tensor_map, !tile.array<bf16, 2, const>, !tile.tensor_map, !tile.tensor_map, i64
    tile.yield
  }
  tile.return
}

tile.kernel @multiply_0(%am: !tile.tensor_map, %a: !tile.ref<bf16, [?, ?]>, %cm: !tile.tensor_map, %bm: !tile.tensor_map, %n: i64)
    attributes {threads = 384 : i64, group = 128 : i64, cluster = 2 : i64, shared_bytes = 200704 : i64} {
  tile.return
}
