// Where shared memory lies: by lifetime.
// RUN: tegula-opt %s --tile-outline --canonicalize --tile-assign-shared | FileCheck %s

// Two scopes in a row share their place; the outer allocation has its own, and barriers always.
// CHECK-LABEL: tile.kernel @row_0
// CHECK-SAME: shared_bytes = 49168
// CHECK: tile.alloc at 0 : <f32, [32, 128], smem swizzle 16>
// CHECK-NOT: tile.reuse_shared
// CHECK: tile.alloc at 16384 : <f32, [64, 128], smem swizzle 16>
// CHECK-NOT: tile.free
// Whoever reads the first one is waited for, and one wait is enough for both that follow.
// CHECK: tile.reuse_shared copies{{$}}
// CHECK-NEXT: tile.alloc at 16384 : <f32, [32, 64], smem swizzle 16>
// CHECK-NEXT: tile.alloc at 24576 : <f32, [32, 64], smem swizzle 16>
// CHECK-NOT: tile.reuse_shared
// CHECK: tile.alloc_barriers arrivals 1 at 49152
// CHECK: tile.return
tile.entry @row(%x: !tile.array<f32, 2>) attributes {qualified_name = "row"} {
  tile.launch "row_0" grid() args(inout %a = %x : !tile.array<f32, 2>) attributes {warpgroups = 2 : i64} {
    %c0 = arith.constant 0 : i64
    %outer = tile.alloc : !tile.ref<f32, [32, 128], smem swizzle 16>
    %first = tile.alloc : !tile.ref<f32, [64, 128], smem swizzle 16>
    %w = tile.slice %a[window %c0, window %c0] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [64?, 128?]>
    tile.copy_to_global commit %first, %w : !tile.ref<f32, [64, 128], smem swizzle 16>, !tile.ref<f32, [64?, 128?]>
    tile.free %first : !tile.ref<f32, [64, 128], smem swizzle 16>
    %second = tile.alloc : !tile.ref<f32, [32, 64], smem swizzle 16>
    %third = tile.alloc : !tile.ref<f32, [32, 64], smem swizzle 16>
    tile.fence_shared
    tile.free %second, %third : !tile.ref<f32, [32, 64], smem swizzle 16>, !tile.ref<f32, [32, 64], smem swizzle 16>
    %b = tile.alloc_barriers arrivals 1 : !tile.barriers<2>
    tile.yield
  }
  tile.return
}

// In a loop each comes after the other. Products read what the first one has.
// CHECK-LABEL: tile.kernel @loop_0
// CHECK-SAME: shared_bytes = 16384
// CHECK: scf.for
// CHECK-NEXT: tile.reuse_shared{{$}}
// CHECK-NEXT: tile.alloc at 0 : <bf16, [2, 64, 64], smem swizzle 128>
// CHECK: tile.reuse_shared products{{$}}
// CHECK-NEXT: tile.alloc at 0 : <f32, [16], smem swizzle 16>
tile.entry @loop(%n: i64) attributes {qualified_name = "loop"} {
  tile.launch "loop_0" grid() args(scalar %i = %n : i64) attributes {warpgroups = 1 : i64} {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %zero = arith.constant 0.0 : f32
    scf.for %k = %c0 to %i step %c1 : i64 {
      %ab = tile.alloc : !tile.ref<bf16, [2, 64, 64], smem>
      %a = tile.slice %ab[element %c0, whole, whole] : !tile.ref<bf16, [2, 64, 64], smem> -> !tile.ref<bf16, [64, 64], smem>
      %b = tile.slice %ab[element %c1, whole, whole] : !tile.ref<bf16, [2, 64, 64], smem> -> !tile.ref<bf16, [64, 64], smem>
      %start = tile.full %zero : f32 -> tensor<64x64xf32>
      %acc = tile.wgmma %start, %a, %b : !tile.ref<bf16, [64, 64], smem>, !tile.ref<bf16, [64, 64], smem> -> tensor<64x64xf32>
      tile.free %ab : !tile.ref<bf16, [2, 64, 64], smem>
      %s = tile.alloc : !tile.ref<f32, [16], smem>
      tile.fence_shared
    }
    tile.yield
  }
  tile.return
}

// What only some threads come to has a place of its own: the others would not meet them.
// CHECK-LABEL: tile.kernel @roles_0
// CHECK-SAME: shared_bytes = 1024
// CHECK-NOT: tile.reuse_shared
// CHECK: tile.return
tile.entry @roles(%n: i64) attributes {qualified_name = "roles"} {
  tile.launch "roles_0" grid() args(scalar %i = %n : i64) attributes {warpgroups = 2 : i64} {
    %c0 = arith.constant 0 : i64
    %thread = tile.thread_index
    %first = arith.cmpi eq, %thread, %c0 : i64
    scf.if %first {
      %s = tile.alloc : !tile.ref<f32, [128], smem>
      tile.fence_shared
      tile.free %s : !tile.ref<f32, [128], smem>
      %t = tile.alloc : !tile.ref<f32, [128], smem>
      tile.fence_shared
    }
    tile.yield
  }
  tile.return
}

// One thread meets nobody, wherever it goes.
// CHECK-LABEL: tile.kernel @one_0
// CHECK-SAME: shared_bytes = 512
// CHECK: tile.reuse_shared{{$}}
tile.entry @one(%x: !tile.array<i64, 1>) attributes {qualified_name = "one"} {
  tile.launch "one_0" grid() args(inout %a = %x : !tile.array<i64, 1>) attributes {warpgroups = 1 : i64} {
    %c0 = arith.constant 0 : i64
    %e = tile.slice %a[element %c0] : !tile.ref<i64, [?]> -> !tile.ref<i64, []>
    %l = tile.load %e : !tile.ref<i64, []> -> tensor<i64>
    %v = tile.extract %l : tensor<i64> -> i64
    %first = arith.cmpi eq, %v, %c0 : i64
    scf.if %first {
      %s = tile.alloc : !tile.ref<f32, [128], smem>
      tile.fence_shared
      tile.free %s : !tile.ref<f32, [128], smem>
      %t = tile.alloc : !tile.ref<f32, [128], smem>
      tile.fence_shared
    }
    tile.yield
  }
  tile.return
}

// Copies of other blocks come into the second one: all blocks of the cluster meet. They do so only where all come to.
// CHECK-LABEL: tile.kernel @cluster_0
// CHECK-SAME: shared_bytes = 24584
// CHECK: tile.alloc at 0 : <f32, [32, 32], smem swizzle 128>
// CHECK: tile.reuse_shared cluster{{$}}
// CHECK-NEXT: tile.alloc at 0 : <f32, [64, 32], smem swizzle 128>
// CHECK: scf.if
// CHECK-NEXT: tile.alloc at 8192
// CHECK: tile.alloc at 16384
tile.entry @cluster(%x: !tile.array<f32, 2>, %n: i64) attributes {qualified_name = "cluster"} {
  tile.launch "cluster_0" grid() args(inout %a = %x : !tile.array<f32, 2>, scalar %i = %n : i64) attributes {warpgroups = 1 : i64, cluster = array<i64: 2>} {
    %c0 = arith.constant 0 : i64
    %rank = tile.cluster_rank
    %isFirst = arith.cmpi eq, %rank, %c0 : i64
    %b = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
    %s = tile.alloc : !tile.ref<f32, [32, 32], smem>
    %w = tile.slice %a[window %c0, window %c0] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [32?, 32?]>
    tile.copy_to_shared %w, %s, %b[%c0] : !tile.ref<f32, [32?, 32?]>, !tile.ref<f32, [32, 32], smem>, !tile.barriers<1>
    tile.free %s : !tile.ref<f32, [32, 32], smem>
    %t = tile.alloc : !tile.ref<f32, [64, 32], smem>
    %v = tile.slice %a[window %c0, window %c0] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [64?, 32?]>
    tile.copy_to_shared %v, %t, %b[%c0] multicast [0] : !tile.ref<f32, [64?, 32?]>, !tile.ref<f32, [64, 32], smem>, !tile.barriers<1>
    tile.free %t : !tile.ref<f32, [64, 32], smem>
    scf.if %isFirst {
      %p = tile.alloc : !tile.ref<f32, [64, 32], smem>
      tile.fence_shared
      tile.free %p : !tile.ref<f32, [64, 32], smem>
      %q = tile.alloc : !tile.ref<f32, [64, 32], smem>
      tile.fence_shared
    }
    tile.yield
  }
  tile.return
}

// Groups of a union live together in one place, and nobody synchronizes for it; those of a group lie side by side, and a
// group within has groups of its own. What comes after the union waits once.
// CHECK-LABEL: tile.kernel @union_0
// CHECK-SAME: shared_bytes = 2560
// CHECK: tile.alloc at 0 group [0, 0] : <f32, [128], smem swizzle 16>
// CHECK-NEXT: tile.alloc at 512 group [0, 0] : <f32, [128], smem swizzle 16>
// CHECK-NEXT: tile.alloc at 0 group [0, 1] : <f32, [256], smem swizzle 16>
// CHECK-NEXT: tile.alloc at 1024 group [0, 1, 1, 0] : <f32, [384], smem swizzle 16>
// CHECK-NEXT: tile.alloc at 1024 group [0, 1, 1, 1] : <f32, [64], smem swizzle 16>
// CHECK-NOT: tile.reuse_shared
// CHECK: tile.fence_shared
// CHECK-NEXT: tile.reuse_shared{{$}}
// CHECK-NEXT: tile.alloc at 0 : <f32, [640], smem swizzle 16>
tile.entry @union(%x: !tile.array<f32, 2>) attributes {qualified_name = "union"} {
  tile.launch "union_0" grid() args(inout %a = %x : !tile.array<f32, 2>) attributes {warpgroups = 2 : i64} {
    %first = tile.alloc group [0, 0] : !tile.ref<f32, [128], smem>
    %second = tile.alloc group [0, 0] : !tile.ref<f32, [128], smem>
    %wide = tile.alloc group [0, 1] : !tile.ref<f32, [256], smem>
    %one = tile.alloc group [0, 1, 1, 0] : !tile.ref<f32, [384], smem>
    %other = tile.alloc group [0, 1, 1, 1] : !tile.ref<f32, [64], smem>
    tile.fence_shared
    tile.free %first, %second, %wide, %one, %other : !tile.ref<f32, [128], smem>, !tile.ref<f32, [128], smem>, !tile.ref<f32, [256], smem>, !tile.ref<f32, [384], smem>, !tile.ref<f32, [64], smem>
    %later = tile.alloc : !tile.ref<f32, [640], smem>
    tile.free %later : !tile.ref<f32, [640], smem>
    tile.yield
  }
  tile.return
}

// What other blocks reach gets another use when all blocks of the cluster have come.
// CHECK-LABEL: tile.kernel @reached_0
// CHECK: tile.alloc at 0 :
// CHECK: tile.cluster_ref
// CHECK: tile.reuse_shared cluster
// CHECK-NEXT: tile.alloc at 0 :
tile.entry @reached(%x: !tile.array<f32, 2>, %n: i64) attributes {qualified_name = "reached"} {
  tile.launch "reached_0" grid() args(inout %a = %x : !tile.array<f32, 2>, scalar %i = %n : i64) attributes {warpgroups = 1 : i64, cluster = array<i64: 2>} {
    %first = tile.alloc : !tile.ref<f32, [128], smem>
    %other = tile.cluster_ref %first axis 0 at %i : !tile.ref<f32, [128], smem>
    %v = tile.load %other : !tile.ref<f32, [128], smem> -> tensor<128xf32>
    tile.store %v, %other : tensor<128xf32>, !tile.ref<f32, [128], smem>
    tile.free %first : !tile.ref<f32, [128], smem>
    %later = tile.alloc : !tile.ref<f32, [128], smem>
    tile.store %v, %later : tensor<128xf32>, !tile.ref<f32, [128], smem>
    tile.free %later : !tile.ref<f32, [128], smem>
    tile.yield
  }
  tile.return
}
