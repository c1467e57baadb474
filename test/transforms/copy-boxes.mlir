// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How copies are cut into boxes: of at most 256 elements along a dimension, dense in shared memory.
// RUN: tegula-opt %s --split-input-file --tile-outline --canonicalize --cse --tile-assign-shared --tile-tensor-maps --canonicalize --cse | FileCheck %s

// More rows than a box has: the rest is a box of its own. The barrier waits for all bytes, once.
// CHECK-LABEL: tile.entry @rows
// CHECK: tile.tensor_map %{{.*}} box [256, 16] swizzle 16
// CHECK: tile.tensor_map %{{.*}} box [2, 16] swizzle 16
// CHECK: tile.tensor_map %{{.*}} box [256, 32] swizzle 16
// CHECK: tile.tensor_map %{{.*}} box [1, 32] swizzle 16
// CHECK: tile.kernel @rows_0(%[[I:.*]]: i64, %[[M0:.*]]: !tile.tensor_map, %[[M1:.*]]: !tile.tensor_map, %[[M2:.*]]: !tile.tensor_map, %[[M3:.*]]: !tile.tensor_map)
// CHECK: tile.alloc at 0 : <f32, [258, 16], smem swizzle 16>
// CHECK: tile.tma_load %[[M0]][%[[I]], %[[I]]], %{{.*}}, %{{.*}}[%c0_i64] bytes %c16512_i64 :
// CHECK: %[[REST:.*]] = arith.addi %[[I]], %c256_i64
// CHECK: tile.tma_load %[[M1]][%[[REST]], %[[I]]], %{{.*}} offset %c16384_i64, %{{[^ ]+}} :
// CHECK: tile.tma_load %[[M2]][%[[I]], %[[I]]], %{{.*}} bytes %c32896_i64 :
// CHECK: tile.tma_load %[[M3]][%[[REST]], %[[I]]], %{{.*}} offset %c32768_i64, %{{[^ ]+}} :
// CHECK: tile.tma_store %{{.*}}, %[[M2]][%[[I]], %[[I]]] :
// CHECK: tile.tma_store commit %{{.*}} offset %c32768_i64, %[[M3]][%[[REST]], %[[I]]] :
tile.entry @rows(%x: !tile.array<f32, 2>, %n: i64) attributes {qualified_name = "rows"} {
  tile.launch "rows_0" grid() args(inout %x0 = %x : !tile.array<f32, 2>, scalar %i = %n : i64) attributes {warpgroups = 1 : i64} {
    %c0 = arith.constant 0 : i64
    %b = tile.alloc_barriers arrivals 2 : !tile.barriers<1>
    %s0 = tile.alloc : !tile.ref<f32, [258, 16], smem>
    %w0 = tile.slice %x0[window %i, window %i] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [258?, 16?]>
    tile.copy_to_shared %w0, %s0, %b[%c0] : !tile.ref<f32, [258?, 16?]>, !tile.ref<f32, [258, 16], smem>, !tile.barriers<1>
    %s1 = tile.alloc : !tile.ref<f32, [257, 32], smem>
    %w1 = tile.slice %x0[window %i, window %i] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [257?, 32?]>
    tile.copy_to_shared %w1, %s1, %b[%c0] : !tile.ref<f32, [257?, 32?]>, !tile.ref<f32, [257, 32], smem>, !tile.barriers<1>
    tile.copy_to_global commit %s1, %w1 : !tile.ref<f32, [257, 32], smem>, !tile.ref<f32, [257?, 32?]>
    tile.yield
  }
  tile.return
}

// -----

// Longer rows than a box has: each begins at a multiple of 128 bytes of shared memory. What a barrier waits for has no
// padding.
// CHECK-LABEL: tile.entry @columns
// CHECK: tile.tensor_map %{{.*}} box [1, 256] swizzle 16
// CHECK: tile.tensor_map %{{.*}} box [1, 4] swizzle 16
// CHECK: tile.kernel @columns_0(%[[I:.*]]: i64, %[[M0:.*]]: !tile.tensor_map, %[[M1:.*]]: !tile.tensor_map) attributes {group = 128 : i64, shared_bytes = 2312 :
// CHECK: tile.alloc at 0 padded : <f32, [2, 260], smem swizzle 16>
// CHECK: tile.tma_load %[[M0]][%[[I]], %[[I]]], %{{.*}} bytes %c2080_i64 :
// CHECK: tile.tma_load %[[M1]][%[[I]], %[[REST:.*]]], %{{.*}} offset %c1024_i64, %{{[^ ]+}} :
// CHECK: tile.tma_load %[[M0]][%[[NEXT:.*]], %[[I]]], %{{.*}} offset %c1152_i64, %{{[^ ]+}} :
// CHECK: tile.tma_load %[[M1]][%[[NEXT]], %[[REST]]], %{{.*}} offset %c2176_i64, %{{[^ ]+}} :
tile.entry @columns(%x: !tile.array<f32, 2>, %n: i64) attributes {qualified_name = "columns"} {
  tile.launch "columns_0" grid() args(inout %x0 = %x : !tile.array<f32, 2>, scalar %i = %n : i64) attributes {warpgroups = 1 : i64} {
    %c0 = arith.constant 0 : i64
    %b = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
    %s = tile.alloc : !tile.ref<f32, [2, 260], smem>
    %w = tile.slice %x0[window %i, window %i] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [2?, 260?]>
    tile.copy_to_shared %w, %s, %b[%c0] : !tile.ref<f32, [2?, 260?]>, !tile.ref<f32, [2, 260], smem>, !tile.barriers<1>
    tile.yield
  }
  tile.return
}

// -----

// Planes of more rows than a box has are padded, too; without copies, nothing is.
// CHECK-LABEL: tile.kernel @planes_0
// CHECK: tile.alloc at 0 padded : <f32, [2, 257, 4], smem swizzle 16>
// CHECK: tile.tma_load {{.*}} bytes %c8224_i64 :
// CHECK: tile.tma_load {{.*}} offset %c4096_i64, {{[^ ]+}} :
// CHECK: tile.tma_load {{.*}} offset %c4224_i64, {{[^ ]+}} :
// CHECK: tile.tma_load {{.*}} offset %c8320_i64, {{[^ ]+}} :
// CHECK: tile.alloc at 8448 : <f32, [2, 257, 4], smem swizzle 16>
tile.entry @planes(%x: !tile.array<f32, 3>, %n: i64) attributes {qualified_name = "planes"} {
  tile.launch "planes_0" grid() args(inout %x0 = %x : !tile.array<f32, 3>, scalar %i = %n : i64) attributes {warpgroups = 1 : i64} {
    %c0 = arith.constant 0 : i64
    %b = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
    %s = tile.alloc : !tile.ref<f32, [2, 257, 4], smem>
    %w = tile.slice %x0[window %i, window %i, window %i] : !tile.ref<f32, [?, ?, ?]> -> !tile.ref<f32, [2?, 257?, 4?]>
    tile.copy_to_shared %w, %s, %b[%c0] : !tile.ref<f32, [2?, 257?, 4?]>, !tile.ref<f32, [2, 257, 4], smem>, !tile.barriers<1>
    %mine = tile.alloc : !tile.ref<f32, [2, 257, 4], smem>
    %t = tile.load %mine : !tile.ref<f32, [2, 257, 4], smem> -> tensor<2x257x4xf32>
    tile.store %t, %mine : tensor<2x257x4xf32>, !tile.ref<f32, [2, 257, 4], smem>
    tile.yield
  }
  tile.return
}

// -----

// Swizzled panels: 264 rows are 256 and 8 of each.
// CHECK-LABEL: tile.kernel @panels_0
// CHECK: tile.alloc at 0 : <bf16, [264, 128], smem swizzle 128>
// CHECK: tile.tma_load {{.*}} bytes %c67584_i64 :
// CHECK: tile.tma_load {{.*}} offset %c33792_i64, {{[^ ]+}} :
// CHECK: tile.tma_load {{.*}} offset %c32768_i64, {{[^ ]+}} :
// CHECK: tile.tma_load {{.*}} offset %c66560_i64, {{[^ ]+}} :
// CHECK-NOT: tile.tma_load
tile.entry @panels(%x: !tile.array<bf16, 2>, %n: i64) attributes {qualified_name = "panels"} {
  tile.launch "panels_0" grid() args(inout %x0 = %x : !tile.array<bf16, 2>, scalar %i = %n : i64) attributes {warpgroups = 1 : i64} {
    %c0 = arith.constant 0 : i64
    %b = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
    %s = tile.alloc : !tile.ref<bf16, [264, 128], smem>
    %w = tile.slice %x0[window %i, window %i] : !tile.ref<bf16, [?, ?]> -> !tile.ref<bf16, [264?, 128?]>
    tile.copy_to_shared %w, %s, %b[%c0] : !tile.ref<bf16, [264?, 128?]>, !tile.ref<bf16, [264, 128], smem>, !tile.barriers<1>
    tile.yield
  }
  tile.return
}

// -----

// Each of two blocks fetches half of the rows for both, 264: again 256 and 8. Its barrier waits for all of them.
// CHECK-LABEL: tile.entry @shares
// CHECK: tile.tensor_map %{{.*}} box [256, 16] swizzle 64
// CHECK: tile.tensor_map %{{.*}} box [8, 16] swizzle 64
// CHECK: tile.kernel @shares_0
// CHECK: %[[RANK:.*]] = tile.cluster_rank
// CHECK: %[[START:.*]] = arith.muli %{{.*}}, %c16896_i64
// CHECK: %[[ROW:.*]] = arith.muli %{{.*}}, %c264_i64
// CHECK: tile.tma_load %{{.*}} offset %[[START]], %{{.*}} bytes %c33792_i64 mask
// CHECK: %[[SECOND:.*]] = arith.addi %[[START]], %c16384_i64
// CHECK: tile.tma_load %{{.*}} offset %[[SECOND]], %{{[^ ]+}} mask
// CHECK-NOT: tile.tma_load
tile.entry @shares(%x: !tile.array<f32, 2>, %n: i64) attributes {qualified_name = "shares"} {
  tile.launch "shares_0" grid() args(inout %x0 = %x : !tile.array<f32, 2>, scalar %i = %n : i64) attributes {warpgroups = 1 : i64, cluster = array<i64: 2>} {
    %c0 = arith.constant 0 : i64
    %b = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
    %s = tile.alloc : !tile.ref<f32, [528, 16], smem>
    %w = tile.slice %x0[window %i, window %i] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [528?, 16?]>
    tile.copy_to_shared %w, %s, %b[%c0] multicast [0] : !tile.ref<f32, [528?, 16?]>, !tile.ref<f32, [528, 16], smem>, !tile.barriers<1>
    tile.yield
  }
  tile.return
}

// -----

// Transposed views: maps have the dimensions in their order, and those of which they take one index come first. Copies
// of equal boxes share a map, whether the array is cut before it is transposed or after.
// CHECK-LABEL: tile.entry @views
// CHECK: tile.tensor_map %{{.*}} permutation [1, 0, 2] box [1, 24, 16] swizzle 64
// CHECK: tile.tensor_map %{{.*}} permutation [1, 2, 0] box [1, 24, 16] swizzle 64
// CHECK: tile.tensor_map %{{.*}} permutation [1, 0, 2] box [2, 24, 16] swizzle 16
// CHECK-NOT: tile.tensor_map %
// CHECK: tile.kernel @views_0(%[[I:.*]]: i64, %[[J:.*]]: i64, %[[M0:.*]]: !tile.tensor_map, %[[M1:.*]]: !tile.tensor_map, %[[M2:.*]]: !tile.tensor_map)
// CHECK: tile.tma_load %[[M0]][%[[I]], %[[J]], %c0_i64], %{{.*}} bytes %c1536_i64 :
// CHECK: tile.tma_load %[[M1]][%[[I]], %[[J]], %[[J]]], %{{.*}} bytes %c1536_i64 :
// CHECK: %[[SUM:.*]] = arith.addi %[[J]], %[[I]]
// CHECK: tile.tma_load %[[M0]][%[[I]], %[[SUM]], %[[J]]], %{{.*}} bytes %c1536_i64 :
// CHECK: tile.tma_prefetch %[[M2]][%[[I]], %[[J]], %c0_i64]
// CHECK: tile.tma_store %{{.*}}, %[[M0]][%[[I]], %[[J]], %c0_i64] :
tile.entry @views(%x: !tile.array<f32, 3>, %n: i64, %m: i64) attributes {qualified_name = "views"} {
  tile.launch "views_0" grid() args(inout %x0 = %x : !tile.array<f32, 3>, scalar %i = %n : i64, scalar %j = %m : i64) attributes {warpgroups = 1 : i64} {
    %c0 = arith.constant 0 : i64
    %b = tile.alloc_barriers arrivals 3 : !tile.barriers<1>
    %s = tile.alloc : !tile.ref<f32, [24, 16], smem>
    %heads = tile.transpose %x0 [1, 0, 2] : !tile.ref<f32, [?, ?, ?]> -> !tile.ref<f32, [?, ?, ?]>
    %rows = tile.slice %heads[element %i, window %j, window %c0] : !tile.ref<f32, [?, ?, ?]> -> !tile.ref<f32, [24?, 16?]>
    tile.copy_to_shared %rows, %s, %b[%c0] : !tile.ref<f32, [24?, 16?]>, !tile.ref<f32, [24, 16], smem>, !tile.barriers<1>
    %plane = tile.slice %x0[window %j, element %i, window %j] : !tile.ref<f32, [?, ?, ?]> -> !tile.ref<f32, [16?, 24?]>
    %columns = tile.transpose %plane [1, 0] : !tile.ref<f32, [16?, 24?]> -> !tile.ref<f32, [24?, 16?]>
    tile.copy_to_shared %columns, %s, %b[%c0] : !tile.ref<f32, [24?, 16?]>, !tile.ref<f32, [24, 16], smem>, !tile.barriers<1>
    %part = tile.slice %x0[window %j, whole, whole] : !tile.ref<f32, [?, ?, ?]> -> !tile.ref<f32, [48?, ?, ?]>
    %of_part = tile.transpose %part [1, 0, 2] : !tile.ref<f32, [48?, ?, ?]> -> !tile.ref<f32, [?, 48?, ?]>
    %inner = tile.slice %of_part[element %i, window %i, window %j] : !tile.ref<f32, [?, 48?, ?]> -> !tile.ref<f32, [24?, 16?]>
    tile.copy_to_shared %inner, %s, %b[%c0] : !tile.ref<f32, [24?, 16?]>, !tile.ref<f32, [24, 16], smem>, !tile.barriers<1>
    %both = tile.slice %heads[window %i, window %j, window %c0] : !tile.ref<f32, [?, ?, ?]> -> !tile.ref<f32, [2?, 24?, 16?]>
    tile.prefetch %both : !tile.ref<f32, [2?, 24?, 16?]>
    tile.copy_to_global %s, %rows : !tile.ref<f32, [24, 16], smem>, !tile.ref<f32, [24?, 16?]>
    tile.yield
  }
  tile.return
}

// -----

// The share that a block fetches of a view for its cluster lies along the view's rows.
// CHECK-LABEL: tile.entry @shared_view
// CHECK: tile.tensor_map %{{.*}} permutation [1, 0] box [32, 16] swizzle 64
// CHECK: tile.kernel @shared_view_0(%[[I:.*]]: i64, %[[M:.*]]: !tile.tensor_map)
// CHECK: %[[ROW:.*]] = arith.muli %{{.*}}, %c32_i64
// CHECK: %[[FIRST:.*]] = arith.addi %[[I]], %[[ROW]]
// CHECK: tile.tma_load %[[M]][%[[FIRST]], %c0_i64], %{{.*}} bytes %c4096_i64 mask
tile.entry @shared_view(%x: !tile.array<f32, 2>, %n: i64) attributes {qualified_name = "shared_view"} {
  tile.launch "shared_view_0" grid() args(inout %x0 = %x : !tile.array<f32, 2>, scalar %i = %n : i64) attributes {warpgroups = 1 : i64, cluster = array<i64: 2>} {
    %c0 = arith.constant 0 : i64
    %b = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
    %s = tile.alloc : !tile.ref<f32, [64, 16], smem>
    %w = tile.slice %x0[window %c0, window %i] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [16?, 64?]>
    %t = tile.transpose %w [1, 0] : !tile.ref<f32, [16?, 64?]> -> !tile.ref<f32, [64?, 16?]>
    tile.copy_to_shared %t, %s, %b[%c0] multicast [0] : !tile.ref<f32, [64?, 16?]>, !tile.ref<f32, [64, 16], smem>, !tile.barriers<1>
    tile.yield
  }
  tile.return
}

// -----

// A copy that need not fill rows outside the array has a box that the host clips; the barrier waits for what it moves.
// Columns, which panels cut, are always filled.
// CHECK-LABEL: tile.entry @unfilled
// CHECK: tile.tensor_map %{{.*}} box [64, 64] swizzle 128 clipped 0 :
// CHECK: tile.tensor_map %{{.*}} box [64, 64] swizzle 128 :
// CHECK: tile.kernel @unfilled_0(%[[X:.*]]: !tile.ref<bf16, [?, ?], align 16>, %[[I:.*]]: i64, %[[M0:.*]]: !tile.tensor_map, %[[M1:.*]]: !tile.tensor_map)
// CHECK: %[[DIM:.*]] = tile.dim %[[X]], 0
// CHECK: %[[SUM:.*]] = arith.addi %[[DIM]], %c7_i64
// CHECK: %[[WHOLE:.*]] = arith.andi %[[SUM]], %c-8_i64
// CHECK: %[[SOME:.*]] = arith.maxsi %[[WHOLE]], %c8_i64
// CHECK: %[[ROWS:.*]] = arith.minsi %[[SOME]], %c64_i64
// CHECK: %[[BYTES:.*]] = arith.muli %[[ROWS]], %c256_i64
// CHECK: tile.tma_load %[[M0]][%[[I]], %[[I]]], %{{.*}} bytes %[[BYTES]] :
// CHECK: tile.tma_load %[[M0]][%[[I]], %{{.*}}], %{{.*}} offset %c8192_i64, %{{[^ ]+}} :
// CHECK: tile.tma_load %[[M1]][%[[I]], %[[I]]], %{{.*}} bytes %c16384_i64 :
tile.entry @unfilled(%x: !tile.array<bf16, 2>, %n: i64) attributes {qualified_name = "unfilled"} {
  tile.launch "unfilled_0" grid() args(in %x0 = %x : !tile.array<bf16, 2>, scalar %i = %n : i64) attributes {warpgroups = 1 : i64} {
    %c0 = arith.constant 0 : i64
    %b = tile.alloc_barriers arrivals 2 : !tile.barriers<1>
    %s = tile.alloc : !tile.ref<bf16, [64, 128], smem swizzle 128>
    %t = tile.alloc : !tile.ref<bf16, [64, 128], smem swizzle 128>
    %w = tile.slice %x0[window %i, window %i] : !tile.ref<bf16, [?, ?]> -> !tile.ref<bf16, [64?, 128?]>
    tile.copy_to_shared %w, %s, %b[%c0] unfilled 0 : !tile.ref<bf16, [64?, 128?]>, !tile.ref<bf16, [64, 128], smem swizzle 128>, !tile.barriers<1>
    tile.copy_to_shared %w, %t, %b[%c0] unfilled 1 : !tile.ref<bf16, [64?, 128?]>, !tile.ref<bf16, [64, 128], smem swizzle 128>, !tile.barriers<1>
    tile.yield
  }
  tile.return
}

// -----

// Packed elements are copied as bytes: boxes and coordinates count these.
// CHECK-LABEL: tile.entry @packed
// CHECK: tile.tensor_map %{{.*}} box [64, 32] swizzle 32
// CHECK: tile.kernel @packed_0(%[[I:.*]]: i64, %[[M:.*]]: !tile.tensor_map)
// CHECK: tile.alloc at 0 : <!tile.stored<s4>, [64, 64], smem swizzle 32>
// CHECK: %[[BYTE:.*]] = arith.shrui %[[I]], %c1_i64
// CHECK: tile.tma_load %[[M]][%[[I]], %[[BYTE]]], %{{.*}}, %{{.*}}[%c0_i64] bytes %c2048_i64 :
tile.entry @packed(%x: !tile.array<!tile.stored<s4>, 2>, %n: i64) attributes {qualified_name = "packed"} {
  tile.launch "packed_0" grid() args(in %x0 = %x : !tile.array<!tile.stored<s4>, 2>, scalar %i = %n : i64) attributes {warpgroups = 1 : i64} {
    %c0 = arith.constant 0 : i64
    %b = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
    %s = tile.alloc : !tile.ref<!tile.stored<s4>, [64, 64], smem>
    %w = tile.slice %x0[window %i, window %i] : !tile.ref<!tile.stored<s4>, [?, ?]> -> !tile.ref<!tile.stored<s4>, [64?, 64?]>
    tile.copy_to_shared %w, %s, %b[%c0] : !tile.ref<!tile.stored<s4>, [64?, 64?]>, !tile.ref<!tile.stored<s4>, [64, 64], smem>, !tile.barriers<1>
    tile.yield
  }
  tile.return
}
