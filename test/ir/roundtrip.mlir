// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both textual forms are read back as the same module.
// RUN: tegula-opt %s > %t.pretty
// RUN: tegula-opt %t.pretty | diff %t.pretty -
// RUN: tegula-opt --mlir-print-op-generic %s | tegula-opt | diff %t.pretty -
// RUN: FileCheck %s < %t.pretty
// RUN: FileCheck %s --check-prefix=SPACES --strict-whitespace < %t.pretty

// CHECK: tile.entry @all(%{{.*}}: !tile.array<f32, 2, const> {tile.name = "x"}, %{{.*}}: !tile.array<ui8, 0>, %{{.*}}: bf16) -> !tile.array<f32, 2>
tile.entry @all(%x: !tile.array<f32, 2, const> {tile.name = "x"}, %y: !tile.array<ui8, 0>, %s: bf16) -> !tile.array<f32, 2>
    attributes {qualified_name = "n::all", doc = "All ops."} {
  %d = tile.dim %x, 1 : !tile.array<f32, 2, const>
  %true = arith.constant true
  tile.check %true, "never"
  // CHECK: tile.empty(%{{.*}}, %{{.*}}) : <f32, 2>
  %o = tile.empty(%d, %d) : !tile.array<f32, 2>
  // CHECK: tile.launch "all_0" grid(%{{.*}}, %{{.*}}) args(in %{{.*}} = %{{.*}} : !tile.array<f32, 2, const>, inout %{{.*}} = %{{.*}} : !tile.array<f32, 2>, scalar %{{.*}} = %{{.*}} : bf16) {
  tile.launch "all_0" grid(%d, %d) args(in %a = %x : !tile.array<f32, 2, const>, inout %b = %o : !tile.array<f32, 2>, scalar %c = %s : bf16) {
    %i = tile.program_id 0
    %n = tile.num_programs 1
    // CHECK: tile.slice %{{.*}}[window %{{.*}}, window %{{.*}} size %{{.*}}] {spec} : <f32, [?, ?]> -> <f32, [64?, ?]>
    %w = tile.slice %a[window %i, window %i size %n] {spec} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [64?, ?]>
    // CHECK: tile.strided_slice %{{.*}} axis 0 from %{{.*}} step %{{.*}} : <f32, [?, ?]> -> <f32, [64?, ?]>
    %s0 = tile.strided_slice %a axis 0 from %i step %n : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [64?, ?]>
    // CHECK: tile.strided_slice %{{.*}} axis 1 from %{{.*}} step %{{.*}} size %{{.*}} : <f32, [?, ?]> -> <f32, [?, ?]>
    %s1 = tile.strided_slice %a axis 1 from %i step %n size %n : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?, ?]>
    // CHECK: tile.slice %{{.*}}[element %{{.*}}, whole] : <f32, [64?, ?]> -> <f32, [?]>
    %r = tile.slice %w[element %i, whole] : !tile.ref<f32, [64?, ?]> -> !tile.ref<f32, [?]>
    %t = tile.load %r : !tile.ref<f32, [?]> -> tensor<?xf32>
    %z = arith.constant 0.0 : f32
    // CHECK: %[[F:.*]] = tile.full %{{.*}} extents(%[[N:.*]]) : f32 -> tensor<?xf32>
    %f = tile.full %z extents(%n) : f32 -> tensor<?xf32>
    // CHECK: tile.conform %[[F]] extents(%[[N]]) : tensor<?xf32>
    %kept = tile.conform %f extents(%n) : tensor<?xf32>
    %g = tile.gt %t, %f : tensor<?xf32> -> tensor<?xi1>
    %h = tile.where %g, %t, %f : tensor<?xi1>, tensor<?xf32>
    // CHECK: tile.broadcast %{{.*}} [1] : tensor<?xf32> -> tensor<64x?xf32>
    %k = tile.broadcast %h [1] : tensor<?xf32> -> tensor<64x?xf32>
    // CHECK: tile.iota 1 offset(%{{.*}}) : tensor<4x8xui16>
    %l = tile.iota 1 offset(%i) : tensor<4x8xui16>
    // CHECK: tile.subtile %{{.*}}[element %{{.*}}, window %{{.*}}] : tensor<4x8xui16> -> tensor<4xui16>
    %m = tile.subtile %l[element %i, window %i] : tensor<4x8xui16> -> tensor<4xui16>
    %p = tile.cast %m : tensor<4xui16> -> tensor<4xbf16>
    %q = tile.full %c : bf16 -> tensor<bf16>
    %u = tile.extract %q : tensor<bf16> -> bf16
    tile.debug_print "u = {} {}", %u, %n : bf16, i64
    %v = tile.slice %b[whole, window %i size %n] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?, ?]>
    %y0 = tile.load %v : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    tile.store %y0, %v : tensor<?x?xf32>, !tile.ref<f32, [?, ?]>
    // CHECK: tile.load %{{.*}} mask %{{.*}} : tensor<?xi1> other %{{.*}} : tensor<?xf32> : <f32, [?]> -> tensor<?xf32>
    %y1 = tile.load %r mask %g : tensor<?xi1> other %f : tensor<?xf32> : !tile.ref<f32, [?]> -> tensor<?xf32>
    // CHECK: tile.store %{{.*}}, %{{.*}} mask %{{.*}} : tensor<?xi1> : tensor<?xf32>, <f32, [?]>
    tile.store %y1, %r mask %g : tensor<?xi1> : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  // CHECK: } plan (%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) {
  } plan (%p0, %p1, %q0, %q1, %q2) {
    // CHECK: tile.dense contiguous 16, %{{.*}} : !tile.array<f32, 2>
    %dense = tile.dense contiguous 16, %q1 : !tile.array<f32, 2>
    // CHECK: tile.flatten %{{.*}} : <f32, 2> -> <f32, 1>
    %row = tile.flatten %q1 : !tile.array<f32, 2> -> !tile.array<f32, 1>
    tile.launch_kernel @k blocks(%p0) (%q0, %p1) : !tile.array<f32, 2, const>, i64
    // CHECK: tile.is_class ["8.x", "9.0a"]
    %is = tile.is_class ["8.x", "9.0a"]
    // CHECK: tile.tensor_map %{{.*}} box [64, 32] swizzle 128 : <f32, 2, const>
    %map = tile.tensor_map %q0 box [64, 32] swizzle 128 : !tile.array<f32, 2, const>
    // CHECK: tile.can_map %{{.*}} permutation [1, 0] box [32, 4] swizzle 16 : <f32, 2>
    %can = tile.can_map %q1 permutation [1, 0] box [32, 4] swizzle 16 : !tile.array<f32, 2>
    // CHECK: tile.launch_kernel @k blocks(%{{.*}}) cluster(%{{.*}}) (%{{.*}}) :
    tile.launch_kernel @k blocks(%p0) cluster(%p1) (%q0, %p1) : !tile.array<f32, 2, const>, i64
    tile.yield
  }
  tile.return %o : !tile.array<f32, 2>
}

// CHECK: tile.kernel @k(%{{.*}}: !tile.ref<f32, [?, ?], align 16 even>, %{{.*}}: i64) attributes {group = 32 : i64, threads = 128 : i64}
tile.kernel @k(%x: !tile.ref<f32, [?, ?], align 16 even>, %n: i64) attributes {threads = 128 : i64, group = 32 : i64} {
  %t = tile.thread_group
  tile.barrier
  // CHECK: tile.slice %{{.*}}[window %{{.*}}, whole] {in_bounds} : <f32, [?, ?], align 16 even> -> <f32, [8, ?]>
  %w = tile.slice %x[window %t, whole] {in_bounds} : !tile.ref<f32, [?, ?], align 16 even> -> !tile.ref<f32, [8, ?]>
  tile.return
}

tile.entry @variables(%c: i1) attributes {qualified_name = "variables"} {
  // CHECK: tile.variable : <i64>
  %s = tile.variable : !tile.variable<i64>
  %v = arith.constant 3 : i64
  tile.set %v, %s : !tile.variable<i64>
  %g = tile.get %s : !tile.variable<i64>
  tile.return
}

// CHECK-LABEL: tile.kernel @combiners
tile.kernel @combiners(%x: !tile.ref<f32, [8, 8]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %t = tile.load %x : !tile.ref<f32, [8, 8]> -> tensor<8x8xf32>
  %i = tile.iota 1 : tensor<8x8xui32>
  // CHECK: %{{.*}}:2 = tile.reduce custom %{{.*}}, %{{.*}} [1] identities [0xFF800000 : f32, 0 : i32] {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[I:.*]]: i32, %{{.*}}: f32, %{{.*}}: i32):
  // CHECK-NEXT: tile.combined %[[A]], %[[I]] : f32, i32
  // CHECK-NEXT: } : tensor<8x8xf32>, tensor<8x8xui32> -> tensor<8xf32>, tensor<8xui32>
  %g:2 = tile.reduce custom %t, %i [1] identities [0xFF800000 : f32, 0 : i32] {
  ^bb0(%a: f32, %m: i32, %b: f32, %n: i32):
    tile.combined %a, %m : f32, i32
  } : tensor<8x8xf32>, tensor<8x8xui32> -> tensor<8xf32>, tensor<8xui32>
  // CHECK: tile.combine %{{.*}}, %{{.*}} {
  // CHECK: } : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  %c = tile.combine %g#0, %g#0 {
  ^bb0(%a: f32, %b: f32):
    tile.combined %b : f32
  } : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @combined
// SPACES: {{^    %[a-z0-9]+ = tile.reduce max %[a-z0-9]+ \[1\] : tensor<8x8xf32> -> tensor<8xf32>$}}
tile.kernel @combined(%x: !tile.ref<f32, [8, 8]>, %o: !tile.ref<f32, [8]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %t = tile.load %x : !tile.ref<f32, [8, 8]> -> tensor<8x8xf32>
  // CHECK: tile.permute %{{.*}} [1, 0] : tensor<8x8xf32> -> tensor<8x8xf32>
  %p = tile.permute %t [1, 0] : tensor<8x8xf32> -> tensor<8x8xf32>
  // CHECK: tile.dot %{{.*}}, %{{.*}} acc %{{.*}} : tensor<8x8xf32>, : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %d = tile.dot %t, %p acc %t : tensor<8x8xf32>, : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  // CHECK: tile.dot %{{.*}}, %{{.*}} precision tf32 : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %e = tile.dot %d, %p precision tf32 : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %r = tile.reduce max %d [1] : tensor<8x8xf32> -> tensor<8xf32>
  // CHECK: tile.relayout %{{.*}} : tensor<8xf32> -> tensor<8xf32, #tile.layout<blocked<[1], lanes [8] x4>>>
  %l = tile.relayout %r : tensor<8xf32> -> tensor<8xf32, #tile.layout<blocked<[1], lanes [8] x4>>>
  tile.return
}

// CHECK: tile.entry @lists(%{{.*}}: !tile.array<f32, 3, const, table>, %{{.*}}: !tile.array<f32, 1, table>)
tile.entry @lists(%x: !tile.array<f32, 3, const, table>, %o: !tile.array<f32, 1, table>) attributes {qualified_name = "lists"} {
  // CHECK: tile.launch "lists_0" grid() args(in %{{.*}} = %{{.*}} : !tile.array<f32, 3, const, table>, out %{{.*}} = %{{.*}} : !tile.array<f32, 1, table>) {
  tile.launch "lists_0" grid() args(in %a = %x : !tile.array<f32, 3, const, table>, out %b = %o : !tile.array<f32, 1, table>) {
    %i = arith.constant 0 : i64
    // CHECK: tile.slice %{{.*}}[whole, window %{{.*}}, element %{{.*}}] : <f32, [?, ?, ?], table> -> <f32, [?, 4?], table>
    %w = tile.slice %a[whole, window %i, element %i] : !tile.ref<f32, [?, ?, ?], table> -> !tile.ref<f32, [?, 4?], table>
    // CHECK: tile.slice %{{.*}}[window %{{.*}}, whole] : <f32, [?, 4?], table> -> <f32, [1?, 4?]>
    %r = tile.slice %w[window %i, whole] : !tile.ref<f32, [?, 4?], table> -> !tile.ref<f32, [1?, 4?]>
    %e = tile.slice %b[element %i] : !tile.ref<f32, [?], table> -> !tile.ref<f32, []>
    tile.yield
  }
  tile.return
}
// CHECK: tile.kernel @of_lists(%{{.*}}: !tile.ref<bf16, [?, ?], align 16 even, table>)
tile.kernel @of_lists(%x: !tile.ref<bf16, [?, ?], align 16 even, table>) attributes {group = 32 : i64, threads = 32 : i64} {
  tile.return
}
