// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One message per branch of the verifiers of copies, barriers and instructions of the explicit level.
// RUN: tegula-opt --split-input-file --verify-diagnostics %s

tile.kernel @k(%x: !tile.ref<i32, [64]>, %n: i64) attributes {threads = 128 : i64, group = 128 : i64} {
  %s = tile.alloc : !tile.ref<i32, [64], smem>
  %b = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
  // expected-error @below {{fills with NaN elements of f16, bf16, f32 or f64, not 'i32'}}
  tile.copy_to_shared %x, %s, %b[%n] outside nan : !tile.ref<i32, [64]>, !tile.ref<i32, [64], smem>, !tile.barriers<1>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [64]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %s = tile.alloc : !tile.ref<f32, [64], smem>
  // expected-error @below {{has no instruction for min of 'f32'}}
  tile.copy_to_global reduce min %s, %x : !tile.ref<f32, [64], smem>, !tile.ref<f32, [64]>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<i8, [64]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %s = tile.alloc : !tile.ref<i8, [64], smem>
  // expected-error @below {{has no instruction for and of 'i8'}}
  tile.bulk_store reduce and %s, %x : !tile.ref<i8, [64], smem>, !tile.ref<i8, [64]>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [3]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %s = tile.alloc : !tile.ref<f32, [3], smem>
  // expected-error @below {{copies a run of a multiple of 16 bytes, not '!tile.ref<f32, [3], smem>'}}
  tile.bulk_store %s, %x : !tile.ref<f32, [3], smem>, !tile.ref<f32, [3]>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [4, 8]>, %n: i64) attributes {threads = 128 : i64, group = 128 : i64} {
  %s = tile.alloc : !tile.ref<f32, [4, 8], smem>
  %b = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
  // expected-error @below {{copies a run of a multiple of 16 bytes, not '!tile.ref<f32, [4, 8], smem>'}}
  tile.bulk_load %x, %s, %b[%n] : !tile.ref<f32, [4, 8]>, !tile.ref<f32, [4, 8], smem>, !tile.barriers<1>
  tile.return
}
// -----
tile.kernel @k(%n: i64) attributes {threads = 128 : i64, group = 128 : i64} {
  %b = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
  // expected-error @below {{takes barriers of tile.alloc_named_barriers}}
  tile.named_barrier wait %b[%n] : !tile.barriers<1>
  tile.return
}
// -----
tile.kernel @k() attributes {threads = 128 : i64, group = 128 : i64} {
  // expected-error @below {{needs at least one barrier and one thread}}
  %b = tile.alloc_named_barriers threads 0 first 1 : !tile.barriers<1>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8]>, %y: !tile.ref<f32, [4]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [8]> -> tensor<8xf32>
  %1 = tile.load %y : !tile.ref<f32, [4]> -> tensor<4xf32>
  // expected-error @below {{takes tiles of one shape: 'tensor<4xf32>' and 'tensor<8xf32>'}}
  %2 = tile.inline_ptx "add.f32 $0, $1, $2;" %0, %1 {
  ^bb0(%a: f32, %b: f32):
    tile.combined %a : f32
  } : (tensor<8xf32>, tensor<4xf32>) -> tensor<8xf32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [8]> -> tensor<8xf32>
  // expected-error @below {{has a text that names $2, and there is one operand, $1}}
  %1 = tile.inline_ptx "add.f32 $0, $1, $2;" %0 {
  ^bb0(%a: f32):
    tile.combined %a : f32
  } : (tensor<8xf32>) -> tensor<8xf32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [8]> -> tensor<8xf32>
  // expected-error @below {{has a meaning whose arguments are not the elements of its operands}}
  %1 = tile.inline_ptx "abs.f32 $0, $1;" %0 {
  ^bb0(%a: i32):
    tile.combined %a : i32
  } : (tensor<8xf32>) -> tensor<8xi32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [8]> -> tensor<8xf32>
  // expected-error @below {{has a meaning that does not end with tile.combined of an element}}
  %1 = tile.inline_ptx "cvt.rni.s32.f32 $0, $1;" %0 {
  ^bb0(%a: f32):
    tile.combined %a : f32
  } : (tensor<8xf32>) -> tensor<8xi32>
  tile.return
}
// -----
tile.kernel @k(%s: !tile.ref<i32, [4]>, %n: i64) attributes {threads = 128 : i64, group = 128 : i64} {
  // expected-error @below {{takes a ref of one i32 in global memory, not '!tile.ref<i32, [4]>'}}
  tile.semaphore_wait %s for %n : !tile.ref<i32, [4]>
  tile.return
}
// -----
tile.kernel @k(%s: !tile.ref<f32, []>, %n: i64) attributes {threads = 128 : i64, group = 128 : i64} {
  // expected-error @below {{takes a ref of one i32 in global memory, not '!tile.ref<f32, []>'}}
  tile.semaphore_signal %s by %n : !tile.ref<f32, []>
  tile.return
}
// -----
tile.kernel @k() attributes {threads = 128 : i64, group = 128 : i64} {
  // expected-error @below {{needs at least one semaphore}}
  "tile.semaphore_signal"() {scope = #tile<memory_scope gpu>} : () -> ()
  tile.return
}
// -----
tile.kernel @k() attributes {threads = 128 : i64, group = 128 : i64} {
  %s = tile.alloc : !tile.ref<i32, [], smem>
  // expected-error @below {{takes a ref of one i32 in global memory, not '!tile.ref<i32, [], smem>'}}
  %0 = tile.semaphore_read %s : !tile.ref<i32, [], smem>
  tile.return
}
// -----
tile.kernel @k(%s: !tile.ref<i64, []>) attributes {threads = 128 : i64, group = 128 : i64} {
  // expected-error @below {{takes a ref of one i32 in global memory, not '!tile.ref<i64, []>'}}
  tile.grid_barrier %s : !tile.ref<i64, []>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [64]>, %n: i64) attributes {threads = 128 : i64, group = 128 : i64} {
  // expected-error @below {{is a window of shared memory, not of '!tile.ref<f32, [64]>'}}
  %0 = tile.cluster_ref %x axis 0 at %n : !tile.ref<f32, [64]>
  tile.return
}
// -----
tile.kernel @k(%n: i64) attributes {threads = 128 : i64, group = 128 : i64} {
  %s = tile.alloc : !tile.ref<f32, [64], smem>
  %0 = tile.cluster_ref %s axis 0 at %n : !tile.ref<f32, [64], smem>
  // expected-error @below {{takes shared memory of its own CTA, not of another CTA of the cluster}}
  %1 = tile.cluster_ref %0 axis 0 at %n : !tile.ref<f32, [64], smem>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [64]>, %n: i64) attributes {threads = 128 : i64, group = 128 : i64} {
  %s = tile.alloc : !tile.ref<f32, [2, 64], smem>
  %b = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
  %0 = tile.cluster_ref %s axis 0 at %n : !tile.ref<f32, [2, 64], smem>
  %1 = tile.slice %0[element %n, whole] : !tile.ref<f32, [2, 64], smem> -> !tile.ref<f32, [64], smem>
  // expected-error @below {{takes shared memory of its own CTA, not of another CTA of the cluster}}
  tile.copy_to_shared %x, %1, %b[%n] : !tile.ref<f32, [64]>, !tile.ref<f32, [64], smem>, !tile.barriers<1>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [64]>, %n: i64) attributes {threads = 128 : i64, group = 128 : i64} {
  %s = tile.alloc : !tile.ref<f32, [64], smem>
  %0 = tile.cluster_ref %s axis 0 at %n : !tile.ref<f32, [64], smem>
  // expected-error @below {{takes shared memory of its own CTA, not of another CTA of the cluster}}
  tile.copy_to_global %0, %x : !tile.ref<f32, [64], smem>, !tile.ref<f32, [64]>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [64]>, %n: i64) attributes {threads = 128 : i64, group = 128 : i64} {
  %s = tile.alloc : !tile.ref<f32, [64], smem>
  %b = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
  %0 = tile.cluster_ref %s axis 0 at %n : !tile.ref<f32, [64], smem>
  // expected-error @below {{takes shared memory of its own CTA, not of another CTA of the cluster}}
  tile.bulk_load %x, %0, %b[%n] : !tile.ref<f32, [64]>, !tile.ref<f32, [64], smem>, !tile.barriers<1>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [64]>, %n: i64) attributes {threads = 128 : i64, group = 128 : i64} {
  %s = tile.alloc : !tile.ref<f32, [64], smem>
  %0 = tile.cluster_ref %s axis 0 at %n : !tile.ref<f32, [64], smem>
  // expected-error @below {{takes shared memory of its own CTA, not of another CTA of the cluster}}
  tile.bulk_store %0, %x : !tile.ref<f32, [64], smem>, !tile.ref<f32, [64]>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [64]>, %n: i64) attributes {threads = 128 : i64, group = 128 : i64} {
  %s = tile.alloc : !tile.ref<f32, [64], smem>
  %0 = tile.cluster_ref %s axis 0 at %n : !tile.ref<f32, [64], smem>
  // expected-error @below {{takes shared memory of its own CTA, not of another CTA of the cluster}}
  tile.cp_async %x, %0 : !tile.ref<f32, [64]>, !tile.ref<f32, [64], smem>
  tile.return
}
// -----
tile.kernel @k(%n: i64, %x: !tile.ref<f32, [64, 64]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %acc = tile.load %x : !tile.ref<f32, [64, 64]> -> tensor<64x64xf32>
  %s = tile.alloc : !tile.ref<f16, [64, 64], smem>
  %0 = tile.cluster_ref %s axis 0 at %n : !tile.ref<f16, [64, 64], smem>
  // expected-error @below {{takes shared memory of its own CTA, not of another CTA of the cluster}}
  %1 = tile.wgmma %acc, %s, %0 : !tile.ref<f16, [64, 64], smem>, !tile.ref<f16, [64, 64], smem> -> tensor<64x64xf32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [64]>, %n: i64) attributes {threads = 128 : i64, group = 128 : i64} {
  %t = tile.load %x : !tile.ref<f32, [64]> -> tensor<64xf32>
  %b = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
  // expected-error @below {{stores a tile to shared memory, not to '!tile.ref<f32, [64]>'}}
  tile.async_store %t, %x, %b[%n] : tensor<64xf32>, !tile.ref<f32, [64]>, !tile.barriers<1>
  tile.return
}
// -----
tile.kernel @k(%n: i64, %x: !tile.ref<f32, [32]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %t = tile.load %x : !tile.ref<f32, [32]> -> tensor<32xf32>
  %s = tile.alloc : !tile.ref<f32, [64], smem>
  %b = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
  // expected-error @below {{has a tile of type 'tensor<32xf32>', the window holds 'tensor<64xf32>'}}
  tile.async_store %t, %s, %b[%n] : tensor<32xf32>, !tile.ref<f32, [64], smem>, !tile.barriers<1>
  tile.return
}
// -----
tile.kernel @k(%n: i64, %x: !tile.ref<f16, [3]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %t = tile.load %x : !tile.ref<f16, [3]> -> tensor<3xf16>
  %s = tile.alloc : !tile.ref<f16, [3], smem>
  %b = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
  // expected-error @below {{stores whole words of 4 bytes, not 6 bytes}}
  tile.async_store %t, %s, %b[%n] : tensor<3xf16>, !tile.ref<f16, [3], smem>, !tile.barriers<1>
  tile.return
}
// -----
tile.kernel @k(%n: i64, %x: !tile.ref<f32, [64]>) attributes {threads = 128 : i64, group = 128 : i64} {
  %t = tile.load %x : !tile.ref<f32, [64]> -> tensor<64xf32>
  %s = tile.alloc : !tile.ref<f32, [64], smem>
  %b = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
  // expected-error @below {{has no instruction for add of 'f32'}}
  tile.async_store reduce add %t, %s, %b[%n] : tensor<64xf32>, !tile.ref<f32, [64], smem>, !tile.barriers<1>
  tile.return
}
// -----
tile.kernel @k() attributes {threads = 128 : i64, group = 128 : i64} {
  // expected-error @below {{must name its group by pairs of numbers, a union and one of its groups}}
  %s = tile.alloc group [1] : !tile.ref<f32, [64], smem>
  tile.return
}
// -----
tile.kernel @k() attributes {threads = 128 : i64, group = 128 : i64} {
  // expected-error @below {{must have exactly one axis of the cluster for its leader}}
  %b = tile.alloc_barriers arrivals 1 cluster [0, 1] leader : !tile.barriers<1>
  tile.return
}
// -----
tile.kernel @k() attributes {threads = 128 : i64, group = 128 : i64} {
  %s = tile.alloc : !tile.ref<f32, [64], smem>
  // expected-error @below {{must keep the number and the type of the elements of its source: '!tile.ref<f32, [64], smem>', not '!tile.ref<f32, [8, 9], smem>'}}
  %0 = tile.reshape_ref %s : !tile.ref<f32, [64], smem> -> !tile.ref<f32, [8, 9], smem>
  tile.return
}
// -----
tile.kernel @k() attributes {threads = 128 : i64, group = 128 : i64} {
  %s = tile.alloc : !tile.ref<f32, [64], smem swizzle 16>
  // expected-error @below {{must keep the memory space and the swizzle of its source: '!tile.ref<f32, [64], smem swizzle 16>', not '!tile.ref<f32, [8, 8], smem swizzle 32>'}}
  %0 = tile.reshape_ref %s : !tile.ref<f32, [64], smem swizzle 16> -> !tile.ref<f32, [8, 8], smem swizzle 32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [?, 8]>) attributes {threads = 128 : i64, group = 128 : i64} {
  // expected-error @below {{is a view of static extents, not of '!tile.ref<f32, [?, 8]>'}}
  %0 = tile.reshape_ref %x : !tile.ref<f32, [?, 8]> -> !tile.ref<f32, [64]>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8, 8]>) attributes {threads = 128 : i64, group = 128 : i64} {
  // expected-error @below {{merges dimensions of an array}}
  %0 = tile.reshape_ref %x : !tile.ref<f32, [8, 8]> -> !tile.ref<f32, [64]>
  tile.return
}
// -----
tile.kernel @k() attributes {threads = 128 : i64, group = 128 : i64} {
  %s = tile.alloc : !tile.ref<f32, [8, 8], smem>
  // expected-error @below {{must keep the number of bytes in each row of its source: '!tile.ref<f32, [8, 8], smem>', not '!tile.ref<f16, [16, 8], smem>'}}
  %0 = tile.bitcast_ref %s : !tile.ref<f32, [8, 8], smem> -> !tile.ref<f16, [16, 8], smem>
  tile.return
}
// -----
tile.kernel @k() attributes {threads = 128 : i64, group = 128 : i64} {
  %s = tile.alloc : !tile.ref<f32, [8, 16], smem>
  %t = tile.transpose %s [1, 0] : !tile.ref<f32, [8, 16], smem> -> !tile.ref<f32, [16, 8], smem>
  // expected-error @below {{changes the width of elements, which requires that the last dimension is innermost in memory}}
  %0 = tile.bitcast_ref %t : !tile.ref<f32, [16, 8], smem> -> !tile.ref<f16, [16, 16], smem>
  tile.return
}
// -----
tile.kernel @k(%n: i64) attributes {threads = 128 : i64, group = 128 : i64} {
  // expected-error @below {{is a multiple of 1 or more, not of 0}}
  %0 = tile.multiple_of %n of 0
  tile.return
}
// -----
tile.kernel @k(%n: i32) attributes {threads = 128 : i64, group = 128 : i64} {
  // expected-error @below {{region control flow edge from Region #0 to parent results: source has 0 operands, but target successor needs 1}}
  %0 = tile.warp_map %n : i32 -> i32 {
  ^bb0(%w: i64, %a: i32):
    tile.warp_done
  }
  tile.return
}
// -----
tile.kernel @k() attributes {threads = 128 : i64, group = 128 : i64} {
  // expected-error @below {{has a body whose first argument is the warp's number, an i64}}
  tile.warp_map {
    tile.warp_done
  }
  tile.return
}
// -----
tile.kernel @k() attributes {threads = 128 : i64, group = 128 : i64} {
  tile.warp_map {
  ^bb0(%w: i64):
    // expected-error @below {{is nested in the body of another one, but a warp has no warps}}
    tile.warp_map {
    ^bb0(%v: i64):
      tile.warp_done
    }
    tile.warp_done
  }
  tile.return
}
