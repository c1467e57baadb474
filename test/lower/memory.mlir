// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Refs, and which threads store.
// RUN: tegula-opt --tile-assign-layouts --tile-lower-to-llvm --split-input-file %s | FileCheck %s

// A window is clamped at the end of the array, an element drops its dimension.
// CHECK-LABEL: llvm.func @slices
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr<1>, %[[D0:.*]]: i64, %[[D1:.*]]: i64, %[[S0:.*]]: i64, %[[S1:.*]]: i64, %[[O:.*]]: !llvm.ptr<1>, %[[I:.*]]: i64, %[[N:.*]]: i64)
// CHECK: %[[ROW:.*]] = llvm.mul %[[I]], %[[S0]]
// CHECK: %[[AT_ROW:.*]] = llvm.getelementptr %[[P]][%[[ROW]]] {{.*}}, f32
// CHECK: %[[START:.*]] = llvm.mul %[[I]], %[[S1]]
// CHECK: llvm.getelementptr %[[AT_ROW]][%[[START]]]
// CHECK: %[[LEFT:.*]] = llvm.sub %[[D1]], %[[I]]
// CHECK: %[[MOST:.*]] = llvm.intr.smin(%[[LEFT]], %[[N]])
// CHECK: %[[EXTENT:.*]] = llvm.intr.smax(%[[MOST]], %{{.*}})
// CHECK: llvm.store %[[EXTENT]]
tile.kernel @slices(%x: !tile.ref<f32, [?, ?]>, %o: !tile.ref<i64, []>, %i: i64, %n: i64)
    attributes {threads = 1 : i64, team = 1 : i64} {
  %0 = tile.slice %x[element %i, window %i size %n] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?]>
  %1 = tile.dim %0, 0 : !tile.ref<f32, [?]>
  %2 = tile.full %1 : i64 -> tensor<i64>
  tile.store %2, %o : tensor<i64>, !tile.ref<i64, []>
  tile.return
}

// -----

// Arrays that a kernel only reads are loaded invariantly; others are not.
// CHECK-LABEL: llvm.func @invariant
// CHECK: llvm.load %{{.*}} invariant {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: llvm.load %{{[^ ]*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>
tile.kernel @invariant(%x: !tile.ref<f32, [128], align 16>, %y: !tile.ref<f32, [128], align 16>)
    attributes {threads = 32 : i64, team = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [128], align 16> -> tensor<128xf32>
  %1 = tile.load %y : !tile.ref<f32, [128], align 16> -> tensor<128xf32>
  %2 = tile.add %0, %1 : tensor<128xf32>
  tile.store %2, %y : tensor<128xf32>, !tile.ref<f32, [128], align 16>
  tile.return
}

// -----

// Of threads that hold the same, the first stores.
// CHECK-LABEL: llvm.func @primary
// CHECK-DAG: %[[THREAD:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK-DAG: %[[COPIES:.*]] = llvm.mlir.constant(24 : i32)
// CHECK: %[[COPY:.*]] = llvm.and %{{.*}}, %[[COPIES]]
// CHECK: %[[OWN:.*]] = llvm.icmp "eq" %[[COPY]]
// CHECK: llvm.cond_br %[[OWN]], ^[[STORE:.*]], ^
// CHECK: ^[[STORE]]:
// CHECK: llvm.store
tile.kernel @primary(%x: !tile.ref<f32, [8]>, %y: !tile.ref<f32, [8]>) attributes {threads = 32 : i64, team = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [8]> -> tensor<8xf32>
  tile.store %0, %y : tensor<8xf32>, !tile.ref<f32, [8]>
  tile.return
}

// -----

// What one thread of a team wrote, others read: they wait for each other. 32 threads, a part of a block, a block.
// CHECK-LABEL: llvm.func @hazard_32
// CHECK: llvm.load
// CHECK: nvvm.bar.warp.sync
// CHECK: llvm.store
// CHECK: nvvm.bar.warp.sync
// CHECK: llvm.load
tile.kernel @hazard_32(%x: !tile.ref<f32, []>) attributes {threads = 128 : i64, team = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, []> -> tensor<f32>
  %1 = tile.add %0, %0 : tensor<f32>
  tile.store %1, %x : tensor<f32>, !tile.ref<f32, []>
  %2 = tile.load %x : !tile.ref<f32, []> -> tensor<f32>
  tile.store %2, %x : tensor<f32>, !tile.ref<f32, []>
  tile.return
}

// CHECK-LABEL: llvm.func @hazard_64
// CHECK: %[[TEAM:.*]] = llvm.lshr
// CHECK: nvvm.barrier id = %[[TEAM]] number_of_threads = %
// CHECK: llvm.store
tile.kernel @hazard_64(%x: !tile.ref<f32, [?]>, %i: i64) attributes {threads = 256 : i64, team = 64 : i64} {
  %a = tile.slice %x[window %i] : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
  %z = arith.constant 0 : i64
  %b = tile.slice %x[window %z] : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
  %0 = tile.load %a : !tile.ref<f32, [64]> -> tensor<64xf32>
  tile.store %0, %b : tensor<64xf32>, !tile.ref<f32, [64]>
  tile.return
}

// CHECK-LABEL: llvm.func @hazard_block
// CHECK: nvvm.barrier0
// CHECK: llvm.store
tile.kernel @hazard_block(%x: !tile.ref<f32, [?]>, %n: i64) attributes {threads = 64 : i64, team = 64 : i64} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  scf.for %i = %zero to %n step %one : i64 {
    %a = tile.slice %x[window %i] : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
    %0 = tile.load %a : !tile.ref<f32, [64]> -> tensor<64xf32>
    tile.store %0, %a : tensor<64xf32>, !tile.ref<f32, [64]>
  }
  tile.return
}

// Where splitting asks for the order of the program, the threads of a team meet.
// CHECK-LABEL: llvm.func @ordered
// CHECK: st.global
// CHECK: nvvm.bar.warp.sync
// CHECK: st.global
tile.kernel @ordered(%x: !tile.ref<f32, [?]>, %v: f32) attributes {threads = 64 : i64, team = 32 : i64} {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %a = tile.slice %x[window %0] : !tile.ref<f32, [?]> -> !tile.ref<f32, [32?]>
  %b = tile.slice %x[window %1] : !tile.ref<f32, [?]> -> !tile.ref<f32, [32?]>
  %t = tile.full %v : f32 -> tensor<32xf32>
  tile.store %t, %a : tensor<32xf32>, !tile.ref<f32, [32?]>
  tile.barrier
  %u = tile.add %t, %t : tensor<32xf32>
  tile.store %u, %b : tensor<32xf32>, !tile.ref<f32, [32?]>
  tile.return
}

// Threads that meet their own elements alone need not wait.
// CHECK-LABEL: llvm.func @own
// CHECK-NOT: nvvm.bar
// CHECK: llvm.return
tile.kernel @own(%x: !tile.ref<f32, [64]>) attributes {threads = 64 : i64, team = 64 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [64]> -> tensor<64xf32>
  %1 = tile.add %0, %0 : tensor<64xf32>
  tile.store %1, %x : tensor<64xf32>, !tile.ref<f32, [64]>
  tile.return
}
