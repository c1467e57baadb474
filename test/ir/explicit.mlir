// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s | tegula-opt | FileCheck %s
// What copies, barriers and instructions of the explicit level say, printed and read again.

// CHECK-LABEL: tile.kernel @k
tile.kernel @k(%x: !tile.ref<f32, [?]>, %n: i64, %p: i1, %q: !tile.ref<i64, [?]>) attributes {threads = 256 : i64, group = 128 : i64} {
  // CHECK: tile.alloc
  %s = tile.alloc : !tile.ref<f32, [64], smem>
  %b = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
  // CHECK: %[[NAMED:.*]] = tile.alloc_named_barriers threads 2 first 2 : <{{[13]}}>
  %m = tile.alloc_named_barriers threads 2 first 2 : !tile.barriers<3>
  %w = tile.slice %x[window %n] : !tile.ref<f32, [?]> -> !tile.ref<f32, [64?]>
  // CHECK: tile.named_barrier wait %[[NAMED]][%{{.*}}] : <{{[13]}}>
  tile.named_barrier wait %m[%n] : !tile.barriers<3>
  // CHECK: tile.named_barrier %[[NAMED]][%{{.*}}] : <{{[13]}}>
  tile.named_barrier %m[%n] : !tile.barriers<3>
  // CHECK: tile.barrier_test %{{.*}}[%{{.*}}] parity %{{.*}} : <{{[13]}}>
  %t = tile.barrier_test %b[%n] parity %p : !tile.barriers<1>
  // CHECK: tile.copy_to_shared %{{.*}}, %{{.*}}, %{{.*}}[%{{.*}}] if %{{.*}} outside nan evict first :
  tile.copy_to_shared %w, %s, %b[%n] if %t outside nan evict first : !tile.ref<f32, [64?]>, !tile.ref<f32, [64], smem>, !tile.barriers<1>
  // CHECK: tile.bulk_load %{{.*}}, %{{.*}}, %{{.*}}[%{{.*}}] evict last :
  tile.bulk_load %w, %s, %b[%n] evict last : !tile.ref<f32, [64?]>, !tile.ref<f32, [64], smem>, !tile.barriers<1>
  // CHECK: tile.copy_to_global commit reduce add %{{.*}}, %{{.*}} inside evict first :
  tile.copy_to_global commit reduce add %s, %w inside evict first : !tile.ref<f32, [64], smem>, !tile.ref<f32, [64?]>
  // CHECK: tile.bulk_store reduce add %{{.*}}, %{{.*}} if %{{.*}} :
  tile.bulk_store reduce add %s, %w if %p : !tile.ref<f32, [64], smem>, !tile.ref<f32, [64?]>
  // CHECK: %[[GROUP:.*]] = tile.alloc group [0, 1, 2, 3] : <f32, [4, 16], smem>
  %g = tile.alloc group [0, 1, 2, 3] : !tile.ref<f32, [4, 16], smem>
  // CHECK: tile.alloc_barriers arrivals 2 cluster [1] leader : <1>
  %led = tile.alloc_barriers arrivals 2 cluster [1] leader : !tile.barriers<1>
  // CHECK: %[[OTHER:.*]] = tile.cluster_ref %[[GROUP]] axis 1 at %{{.*}} : <f32, [4, 16], smem>
  %c = tile.cluster_ref %g axis 1 at %n : !tile.ref<f32, [4, 16], smem>
  // CHECK: %[[FLAT:.*]] = tile.reshape_ref %[[OTHER]] : <f32, [4, 16], smem> -> <f32, [64], smem>
  %f = tile.reshape_ref %c : !tile.ref<f32, [4, 16], smem> -> !tile.ref<f32, [64], smem>
  // CHECK: %[[WORDS:.*]] = tile.bitcast_ref %[[FLAT]] : <f32, [64], smem> -> <i32, [64], smem>
  %i = tile.bitcast_ref %f : !tile.ref<f32, [64], smem> -> !tile.ref<i32, [64], smem>
  // CHECK: %[[NUMBERS:.*]] = tile.iota
  %numbers = tile.iota 0 : tensor<64xi32>
  // CHECK: tile.async_store reduce max %[[NUMBERS]], %[[WORDS]], %{{.*}}[%{{.*}}] : tensor<64xi32>, <i32, [64], smem>, <1>
  tile.async_store reduce max %numbers, %i, %b[%n] : tensor<64xi32>, !tile.ref<i32, [64], smem>, !tile.barriers<1>
  // CHECK: tile.atomic xor %[[NUMBERS]], %[[WORDS]] [] at 0 : tensor<64xi32>, <i32, [64], smem>
  %old = tile.atomic xor %numbers, %i [] at 0 : tensor<64xi32>, !tile.ref<i32, [64], smem>
  // CHECK: tile.multiple_of %{{.*}} of 24
  %m24 = tile.multiple_of %n of 24
  // CHECK: tile.prefetch %{{.*}} evict last :
  tile.prefetch %w evict last : !tile.ref<f32, [64?]>
  %l = tile.alloc : !tile.ref<i64, [2], smem>
  // CHECK: %[[STEP:.*]] = tile.take_step %{{.*}} : <i64, [?]>
  %y = tile.take_step %q : !tile.ref<i64, [?]>
  // CHECK: tile.announce_step %[[STEP]], %[[SLOTS:.*]], %[[FULL:.*]][%[[INDEX:.*]]] : <i64, [2], smem>, <1>
  tile.announce_step %y, %l, %b[%n] : !tile.ref<i64, [2], smem>, !tile.barriers<1>
  // CHECK: tile.read_step %[[SLOTS]][%[[INDEX]]] : <i64, [2], smem>
  %z = tile.read_step %l[%n] : !tile.ref<i64, [2], smem>
  // CHECK: tile.wait_for_grids
  tile.wait_for_grids
  // CHECK: tile.launch_dependents
  tile.launch_dependents
  // CHECK: %[[X:.*]] = tile.load
  %v = tile.load %s : !tile.ref<f32, [64], smem> -> tensor<64xf32>
  // CHECK: tile.inline_ptx "abs.f32 $0, $1;" %[[X]] {
  // CHECK: ^bb0(%[[E:.*]]: f32):
  // CHECK: tile.combined %[[E]] : f32
  // CHECK: } : (tensor<64xf32>) -> tensor<64xf32>
  %a = tile.inline_ptx "abs.f32 $0, $1;" %v {
  ^bb0(%e: f32):
    tile.combined %e : f32
  } : (tensor<64xf32>) -> tensor<64xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @waits
tile.kernel @waits(%s: !tile.ref<i32, []>, %r: !tile.ref<i64, [?, ?]>, %n: i64) attributes {threads = 128 : i64, group = 128 : i64} {
  // CHECK: tile.semaphore_signal %{{.*}}, %{{.*}} by %{{.*}}, %{{.*}} scope sys :
  tile.semaphore_signal %s, %s by %n, %n scope sys : !tile.ref<i32, []>, !tile.ref<i32, []>
  // CHECK: tile.semaphore_wait decrement %{{.*}} for %{{[a-z0-9_]*}} :
  tile.semaphore_wait decrement %s for %n : !tile.ref<i32, []>
  // CHECK: tile.semaphore_wait %{{.*}} for %{{.*}} scope sys :
  tile.semaphore_wait %s for %n scope sys : !tile.ref<i32, []>
  // CHECK: tile.semaphore_read %{{.*}} :
  %c = tile.semaphore_read %s : !tile.ref<i32, []>
  // CHECK: tile.grid_barrier
  tile.grid_barrier %s : !tile.ref<i32, []>
  // CHECK: tile.trace_thread %{{.*}} :
  tile.trace_thread %r : !tile.ref<i64, [?, ?]>
  // CHECK: tile.trace_event 3 of 16, %{{.*}} :
  tile.trace_event 3 of 16, %r : !tile.ref<i64, [?, ?]>
  // CHECK: tile.trace_event end 3 of 16, %{{.*}} :
  tile.trace_event end 3 of 16, %r : !tile.ref<i64, [?, ?]>
  // CHECK: tile.trace_thread end %{{.*}} :
  tile.trace_thread end %r : !tile.ref<i64, [?, ?]>
  tile.return
}

// CHECK-LABEL: tile.kernel @warps
tile.kernel @warps(%n: i32) attributes {threads = 128 : i64, group = 128 : i64} {
  // CHECK: tile.warp_map {
  // CHECK: ^bb0(%{{.*}}: i64):
  tile.warp_map {
  ^bb0(%w: i64):
    // CHECK: tile.warp_done
    tile.warp_done
  }
  // CHECK: %{{.*}}:2 = tile.warp_map %[[N:.*]], %[[N]] : i32, i32 -> i32, i32 {
  // CHECK: ^bb0(%{{.*}}: i64, %[[A:.*]]: i32, %[[B:.*]]: i32):
  %0:2 = tile.warp_map %n, %n : i32, i32 -> i32, i32 {
  ^bb0(%w: i64, %a: i32, %b: i32):
    // CHECK: tile.warp_done %[[B]], %[[A]] : i32, i32
    tile.warp_done %b, %a : i32, i32
  }
  tile.return
}
