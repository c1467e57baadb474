// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt --tile-assign-layouts --tile-order-accesses %s | FileCheck %s

// What one thread of a group wrote, others read: every copy of the element is read, one is written.
// CHECK-LABEL: tile.kernel @replicated
// CHECK: tile.load
// CHECK-NOT: tile.barrier
// CHECK: tile.add
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.return
tile.kernel @replicated(%x: !tile.ref<f32, []>) attributes {threads = 128 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, []> -> tensor<f32>
  %1 = tile.add %0, %0 : tensor<f32>
  tile.store %1, %x : tensor<f32>, !tile.ref<f32, []>
  %2 = tile.load %x : !tile.ref<f32, []> -> tensor<f32>
  tile.store %2, %x : tensor<f32>, !tile.ref<f32, []>
  tile.return
}

// Threads that meet their own elements alone need not wait; a thread by itself never does.
// CHECK-LABEL: tile.kernel @own
// CHECK-NOT: tile.barrier
// CHECK-LABEL: tile.kernel @single
// CHECK-NOT: tile.barrier
tile.kernel @own(%x: !tile.ref<f32, [64]>) attributes {threads = 64 : i64, group = 64 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [64]> -> tensor<64xf32>
  %1 = tile.add %0, %0 : tensor<64xf32>
  tile.store %1, %x : tensor<64xf32>, !tile.ref<f32, [64]>
  tile.return
}
tile.kernel @single(%x: !tile.ref<f32, []>) attributes {threads = 128 : i64, group = 1 : i64} {
  %0 = tile.load %x : !tile.ref<f32, []> -> tensor<f32>
  tile.store %0, %x : tensor<f32>, !tile.ref<f32, []>
  tile.return
}

// Windows that may overlap: before the second access alone, once.
// CHECK-LABEL: tile.kernel @windows
// CHECK: tile.load
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.return
tile.kernel @windows(%x: !tile.ref<f32, [?]>, %i: i64) attributes {threads = 256 : i64, group = 64 : i64} {
  %z = arith.constant 0 : i64
  %a = tile.slice %x[window %i] : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
  %b = tile.slice %x[window %z] : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
  %0 = tile.load %a : !tile.ref<f32, [64]> -> tensor<64xf32>
  tile.store %0, %b : tensor<64xf32>, !tile.ref<f32, [64]>
  tile.return
}

// Two stores of one window in two layouts, one of them under a condition.
// CHECK-LABEL: tile.kernel @two_layouts
// CHECK: tile.store
// CHECK: scf.if
// CHECK: tile.load
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store
// CHECK-NEXT: }
tile.kernel @two_layouts(%x: !tile.ref<f32, [32, 32], align 16>, %y: !tile.ref<f32, [32, 32], align 16>, %o: !tile.ref<f32, [32, 32], align 16>, %c: i1) attributes {threads = 256 : i64, group = 256 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [32, 32], align 16> -> tensor<32x32xf32>
  tile.store %0, %o : tensor<32x32xf32>, !tile.ref<f32, [32, 32], align 16>
  scf.if %c {
    %1 = tile.load %y : !tile.ref<f32, [32, 32], align 16> -> tensor<32x32xf32, #tile.layout<blocked<[1, 1], lanes [1, 32], warps [8, 1]>>>
    tile.store %1, %o : tensor<32x32xf32, #tile.layout<blocked<[1, 1], lanes [1, 32], warps [8, 1]>>>, !tile.ref<f32, [32, 32], align 16>
  }
  tile.return
}

// Of two branches one runs: what the full sub-tile does and what the partial one does never meet.
// CHECK-LABEL: tile.kernel @branches
// CHECK-NOT: tile.barrier
// CHECK: tile.return
tile.kernel @branches(%x: !tile.ref<f32, [?]>, %i: i64, %c: i1) attributes {threads = 64 : i64, group = 64 : i64} {
  scf.if %c {
    %a = tile.slice %x[window %i] {in_bounds} : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
    %0 = tile.load %a : !tile.ref<f32, [64]> -> tensor<64xf32>
    tile.store %0, %a : tensor<64xf32>, !tile.ref<f32, [64]>
  } else {
    %a = tile.slice %x[window %i] : !tile.ref<f32, [?]> -> !tile.ref<f32, [64?]>
    %0 = tile.load %a : !tile.ref<f32, [64?]> -> tensor<64xf32>
    tile.store %0, %a : tensor<64xf32>, !tile.ref<f32, [64?]>
  }
  tile.return
}

// A window that moves by one element meets what other threads have stored in the iteration before; one that moves by
// its size does not, along whichever dimension, and also if an outer loop comes round; one whose start nobody knows may.
// CHECK-LABEL: tile.kernel @loops
// CHECK: scf.for
// CHECK: tile.slice
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.store
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: tile.barrier
// CHECK: scf.for
// CHECK: tile.barrier
// CHECK-NEXT: tile.load
tile.kernel @loops(%x: !tile.ref<f32, [?]>, %y: !tile.ref<f32, [?, ?]>, %z: !tile.ref<f32, [?]>, %n: i64) attributes {threads = 64 : i64, group = 64 : i64} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %size = arith.constant 64 : i64
  scf.for %i = %zero to %n step %one : i64 {
    %a = tile.slice %x[window %i] : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
    %0 = tile.load %a : !tile.ref<f32, [64]> -> tensor<64xf32>
    tile.store %0, %a : tensor<64xf32>, !tile.ref<f32, [64]>
  }
  scf.for %i = %zero to %n step %one : i64 {
    scf.for %j = %zero to %n step %size : i64 {
      %at = arith.addi %j, %n : i64
      %a = tile.slice %y[element %i, window %at] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [64]>
      %0 = tile.load %a : !tile.ref<f32, [64]> -> tensor<64xf32>
      tile.store %0, %a : tensor<64xf32>, !tile.ref<f32, [64]>
    }
  }
  scf.for %i = %zero to %n step %one : i64 {
    %at = arith.remsi %i, %size : i64
    %a = tile.slice %z[window %at] : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
    %0 = tile.load %a : !tile.ref<f32, [64]> -> tensor<64xf32>
    tile.store %0, %a : tensor<64xf32>, !tile.ref<f32, [64]>
  }
  tile.return
}

// A fence of shared memory synchronizes the group already; so does one in the only way there.
// CHECK-LABEL: tile.kernel @fenced
// CHECK-NOT: tile.barrier
// CHECK: tile.return
tile.kernel @fenced(%x: !tile.ref<f32, [?]>, %i: i64) attributes {threads = 256 : i64, group = 128 : i64} {
  %z = arith.constant 0 : i64
  %a = tile.slice %x[window %i] : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
  %b = tile.slice %x[window %z] : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
  %0 = tile.load %a : !tile.ref<f32, [64]> -> tensor<64xf32>
  tile.fence_shared
  tile.store %0, %b : tensor<64xf32>, !tile.ref<f32, [64]>
  tile.return
}

// Windows without a common element: no barrier, whatever the layouts.
// CHECK-LABEL: tile.kernel @beside
// CHECK-NOT: tile.barrier
// CHECK: tile.return
tile.kernel @beside(%x: !tile.ref<f32, [?]>, %i: i64) attributes {threads = 64 : i64, group = 64 : i64} {
  %sixty_four = arith.constant 64 : i64
  %next = arith.addi %i, %sixty_four : i64
  %a = tile.slice %x[window %i] : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
  %b = tile.slice %x[window %next] : !tile.ref<f32, [?]> -> !tile.ref<f32, [128]>
  %0 = tile.load %a : !tile.ref<f32, [64]> -> tensor<64xf32>
  tile.store %0, %a : tensor<64xf32>, !tile.ref<f32, [64]>
  %1 = arith.constant 1.0 : f32
  %2 = tile.full %1 : f32 -> tensor<128xf32>
  tile.store %2, %b : tensor<128xf32>, !tile.ref<f32, [128]>
  tile.return
}

// Parts of windows without a common element have none, wherever in these they are: parts of both halves of a block. Parts
// of one half may.
// CHECK-LABEL: tile.kernel @halves
// CHECK: tile.store
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.return
tile.kernel @halves(%x: !tile.ref<f32, [64]>, %o: !tile.ref<f32, [?, 2, ?]>, %i: i64, %j: i64) attributes {threads = 64 : i64, group = 64 : i64} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %0 = tile.load %x : !tile.ref<f32, [64]> -> tensor<64xf32>
  %left = tile.slice %o[element %i, element %z, whole] : !tile.ref<f32, [?, 2, ?]> -> !tile.ref<f32, [?]>
  %right = tile.slice %o[element %i, element %one, whole] : !tile.ref<f32, [?, 2, ?]> -> !tile.ref<f32, [?]>
  %a = tile.slice %left[window %i] {in_bounds} : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
  %b = tile.slice %right[window %j] {in_bounds} : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
  %c = tile.slice %right[window %i] {in_bounds} : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
  tile.store %0, %a : tensor<64xf32>, !tile.ref<f32, [64]>
  tile.store %0, %b : tensor<64xf32>, !tile.ref<f32, [64]>
  tile.store %0, %c : tensor<64xf32>, !tile.ref<f32, [64]>
  tile.return
}

// One element of the next window is in this one.
// CHECK-LABEL: tile.kernel @almost_beside
// CHECK: tile.store
// CHECK: tile.barrier
// CHECK: tile.store
tile.kernel @almost_beside(%x: !tile.ref<f32, [?]>, %i: i64) attributes {threads = 64 : i64, group = 64 : i64} {
  %sixty_three = arith.constant 63 : i64
  %next = arith.addi %i, %sixty_three : i64
  %a = tile.slice %x[window %i] : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
  %b = tile.slice %x[window %next] : !tile.ref<f32, [?]> -> !tile.ref<f32, [128]>
  %1 = arith.constant 1.0 : f32
  %2 = tile.full %1 : f32 -> tensor<128xf32>
  %3 = tile.full %1 : f32 -> tensor<64xf32>
  tile.store %3, %a : tensor<64xf32>, !tile.ref<f32, [64]>
  tile.store %2, %b : tensor<128xf32>, !tile.ref<f32, [128]>
  tile.return
}

// Stages of shared memory that a loop names: the iteration before may have been at the same one. An allocation is where the
// search for how far a window moves ends.
// CHECK-LABEL: tile.kernel @stages
// CHECK: scf.for
// CHECK: tile.slice
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.store
// CHECK-NEXT: }
tile.kernel @stages(%n: i64) attributes {threads = 64 : i64, group = 64 : i64} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %s = tile.alloc : <f32, [2, 64], smem>
  scf.for %i = %zero to %n step %one : i64 {
    %k = arith.remui %i, %two : i64
    %stage = tile.slice %s[element %k, whole] : <f32, [2, 64], smem> -> <f32, [64], smem>
    %0 = tile.load %stage : <f32, [64], smem> -> tensor<64xf32>
    tile.store %0, %stage : tensor<64xf32>, <f32, [64], smem>
  }
  tile.return
}

// Who else reads or stores where data says, nobody knows; updates are in no order among themselves.
// CHECK-LABEL: tile.kernel @indirect
// CHECK: tile.scatter
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.gather
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.atomic
// CHECK-NEXT: tile.atomic
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load
tile.kernel @indirect(%x: !tile.ref<i32, [64]>, %o: !tile.ref<i32, [64]>) attributes {threads = 64 : i64, group = 64 : i64} {
  %i = tile.iota 0 : tensor<64xi32>
  tile.scatter %i, %x[%i : tensor<64xi32>] [0] at 0 : tensor<64xi32>, !tile.ref<i32, [64]>
  %0 = tile.gather %x[%i : tensor<64xi32>] [0] at 0 : !tile.ref<i32, [64]> -> tensor<64xi32>
  %1 = tile.atomic add %0, %x indices(%i : tensor<64xi32>) [0] at 0 : tensor<64xi32>, !tile.ref<i32, [64]>
  %2 = tile.atomic add %0, %x [] at 0 : tensor<64xi32>, !tile.ref<i32, [64]>
  %3 = tile.load %x : !tile.ref<i32, [64]> -> tensor<64xi32>
  tile.store %3, %o : tensor<64xi32>, !tile.ref<i32, [64]>
  tile.return
}

// Who arrives at a named barrier waits for nobody, also not for the other warps of its thread; who waits there does.
// CHECK-LABEL: tile.kernel @arrives
// CHECK: tile.named_barrier %
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load
// CHECK-LABEL: tile.kernel @waits
// CHECK: tile.named_barrier wait
// CHECK-NEXT: tile.load
tile.kernel @arrives(%x: !tile.ref<f32, []>, %v: f32, %i: i64) attributes {threads = 256 : i64, group = 128 : i64} {
  %b = tile.alloc_named_barriers threads 2 first 2 : !tile.barriers<1>
  %0 = tile.full %v : f32 -> tensor<f32>
  tile.store %0, %x : tensor<f32>, !tile.ref<f32, []>
  tile.named_barrier %b[%i] : !tile.barriers<1>
  %1 = tile.load %x : !tile.ref<f32, []> -> tensor<f32>
  tile.return
}
tile.kernel @waits(%x: !tile.ref<f32, []>, %v: f32, %i: i64) attributes {threads = 256 : i64, group = 128 : i64} {
  %b = tile.alloc_named_barriers threads 2 first 2 : !tile.barriers<1>
  %0 = tile.full %v : f32 -> tensor<f32>
  tile.store %0, %x : tensor<f32>, !tile.ref<f32, []>
  tile.named_barrier wait %b[%i] : !tile.barriers<1>
  %1 = tile.load %x : !tile.ref<f32, []> -> tensor<f32>
  tile.return
}

// Before and behind what warps do by themselves the thread synchronizes: barriers between are those of a warp.
// CHECK-LABEL: tile.kernel @warps
// CHECK: tile.store
// CHECK-NEXT: tile.warp_map
// CHECK-NEXT: ^bb0
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.warp_done
// CHECK-NEXT: }
// CHECK-NEXT: tile.load
tile.kernel @warps(%x: !tile.ref<f32, []>) attributes {threads = 128 : i64, group = 128 : i64} {
  %c = arith.constant 1.0 : f32
  %0 = tile.full %c : f32 -> tensor<f32>
  tile.store %0, %x : tensor<f32>, !tile.ref<f32, []>
  tile.warp_map {
  ^bb0(%w: i64):
    %1 = tile.load %x : !tile.ref<f32, []> -> tensor<f32>
    tile.store %1, %x : tensor<f32>, !tile.ref<f32, []>
    tile.warp_done
  }
  %2 = tile.load %x : !tile.ref<f32, []> -> tensor<f32>
  tile.store %2, %x : tensor<f32>, !tile.ref<f32, []>
  tile.return
}

// Lanes load by ldmatrix what others of their warp have stored: the warp synchronizes, once for both loads. A store
// behind them, and a load in a layout of whole rows for each lane, are a thread's own elements.
// CHECK-LABEL: tile.kernel @matrices
// CHECK-NOT: barrier
// CHECK: tile.store
// CHECK-NEXT: tile.warp_barrier
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.add
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.return
// CHECK-LABEL: tile.kernel @rows
// CHECK-NOT: barrier
// CHECK: tile.return
#matrices = #tile.layout<linear<register [(8, 0), (0, 4)], lane [(0, 1), (0, 2), (1, 0), (2, 0), (4, 0)], warp [(16, 0), (32, 0)] -> (d0 64, d1 8)>>
tile.kernel @matrices(%v: f32) attributes {threads = 128 : i64, group = 128 : i64} {
  %s = tile.alloc : <f32, [64, 16], smem>
  %0 = tile.full %v : f32 -> tensor<64x16xf32, #matrices>
  tile.store %0, %s : tensor<64x16xf32, #matrices>, <f32, [64, 16], smem>
  %1 = tile.load %s : <f32, [64, 16], smem> -> tensor<64x16xf32, #matrices>
  %2 = tile.load %s : <f32, [64, 16], smem> -> tensor<64x16xf32, #matrices>
  %3 = tile.add %1, %2 : tensor<64x16xf32, #matrices>
  tile.store %3, %s : tensor<64x16xf32, #matrices>, <f32, [64, 16], smem>
  tile.return
}
#rows = #tile.layout<blocked<[1, 4], lanes [8, 4], warps [4, 1]>>
tile.kernel @rows(%v: f32) attributes {threads = 128 : i64, group = 128 : i64} {
  %s = tile.alloc : <f32, [64, 16], smem>
  %0 = tile.full %v : f32 -> tensor<64x16xf32, #rows>
  tile.store %0, %s : tensor<64x16xf32, #rows>, <f32, [64, 16], smem>
  %1 = tile.load %s : <f32, [64, 16], smem> -> tensor<64x16xf32, #rows>
  tile.store %1, %s : tensor<64x16xf32, #rows>, <f32, [64, 16], smem>
  tile.return
}

// What a step of a loop stores, the next one loads: once, however often the loop is looked at.
// CHECK-LABEL: tile.kernel @matrices_of_steps
// CHECK: scf.for
// CHECK-NEXT: tile.warp_barrier
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.add
// CHECK-NEXT: tile.store
// CHECK-NEXT: }
tile.kernel @matrices_of_steps(%n: i64) attributes {threads = 128 : i64, group = 128 : i64} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %s = tile.alloc : <f32, [64, 16], smem>
  scf.for %i = %zero to %n step %one : i64 {
    %0 = tile.load %s : <f32, [64, 16], smem> -> tensor<64x16xf32, #matrices>
    %1 = tile.add %0, %0 : tensor<64x16xf32, #matrices>
    tile.store %1, %s : tensor<64x16xf32, #matrices>, <f32, [64, 16], smem>
  }
  tile.return
}

// What stmatrix stores, ldmatrix loads.
// CHECK-LABEL: tile.kernel @halves_of_wgmma
// CHECK: tile.store
// CHECK-NEXT: tile.warp_barrier
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.return
tile.kernel @halves_of_wgmma(%v: bf16) attributes {threads = 128 : i64, group = 128 : i64} {
  %s = tile.alloc : <bf16, [64, 16], smem>
  %0 = tile.full %v : bf16 -> tensor<64x16xbf16, #tile.layout<wgmma>>
  tile.store %0, %s : tensor<64x16xbf16, #tile.layout<wgmma>>, <bf16, [64, 16], smem>
  %1 = tile.load %s : <bf16, [64, 16], smem> -> tensor<64x16xbf16, #tile.layout<wgmma>>
  tile.store %1, %s : tensor<64x16xbf16, #tile.layout<wgmma>>, <bf16, [64, 16], smem>
  tile.return
}

// A program that orders its warps itself: lanes of one warp are still kept in order, also where windows of other steps
// are those of this one, or may overlap them. The two halves do not.
// CHECK-LABEL: tile.kernel @windows_of_steps
// CHECK-NOT: tile.barrier
// CHECK: scf.for
// CHECK: tile.warp_barrier
// CHECK-NEXT: tile.load
// CHECK-NOT: barrier
// CHECK: tile.store
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.store
// CHECK-NEXT: }
// CHECK-NOT: barrier
// CHECK: tile.return
tile.kernel @windows_of_steps(%n: i64, %j: i64) attributes {threads = 128 : i64, group = 128 : i64, tile.no_auto_barriers} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %s = tile.alloc : <f32, [2, 64, 16], smem>
  %t = tile.alloc : <f32, [64, 16], smem>
  scf.for %i = %zero to %n step %one : i64 {
    %k = arith.remsi %i, %j : i64
    %a = tile.slice %s[element %k, whole, whole] : <f32, [2, 64, 16], smem> -> <f32, [64, 16], smem>
    %0 = tile.load %a : <f32, [64, 16], smem> -> tensor<64x16xf32, #matrices>
    tile.store %0, %a : tensor<64x16xf32, #matrices>, <f32, [64, 16], smem>
    %1 = tile.load %t : <f32, [64, 16], smem> -> tensor<64x16xf32, #matrices>
    tile.store %1, %a : tensor<64x16xf32, #matrices>, <f32, [64, 16], smem>
  }
  tile.return
}
