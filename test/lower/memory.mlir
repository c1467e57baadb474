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
    attributes {threads = 1 : i64, group = 1 : i64} {
  %0 = tile.slice %x[element %i, window %i size %n] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?]>
  %1 = tile.dim %0, 0 : !tile.ref<f32, [?]>
  %2 = tile.full %1 : i64 -> tensor<i64>
  tile.store %2, %o : tensor<i64>, !tile.ref<i64, []>
  tile.return
}

// -----

// With a step: as many as there are.
// CHECK-LABEL: llvm.func @strided
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr<1>, %[[D0:.*]]: i64, %[[D1:.*]]: i64, %[[S0:.*]]: i64, %[[S1:.*]]: i64, %[[O:.*]]: !llvm.ptr<1>, %[[I:.*]]: i64, %[[T:.*]]: i64)
// CHECK: %[[START:.*]] = llvm.mul %[[I]], %[[S1]]
// CHECK: llvm.getelementptr %[[P]][%[[START]]]
// CHECK: %[[REST:.*]] = llvm.sub %[[D1]], %[[I]]
// CHECK: %[[MORE:.*]] = llvm.sub %[[T]], %{{.*}}
// CHECK: %[[UP:.*]] = llvm.add %[[REST]], %[[MORE]]
// CHECK: %[[THERE:.*]] = llvm.sdiv %[[UP]], %[[T]]
// CHECK: %[[MOST:.*]] = llvm.intr.smin(%[[THERE]], %{{.*}})
// CHECK: %[[EXTENT:.*]] = llvm.intr.smax(%[[MOST]], %{{.*}})
// CHECK: %[[STRIDE:.*]] = llvm.mul %[[S1]], %[[T]]
// CHECK: llvm.store %[[EXTENT]]
tile.kernel @strided(%x: !tile.ref<f32, [?, ?]>, %o: !tile.ref<i64, []>, %i: i64, %t: i64)
    attributes {threads = 1 : i64, group = 1 : i64} {
  %0 = tile.strided_slice %x axis 1 from %i step %t : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?, 64?]>
  %1 = tile.dim %0, 1 : !tile.ref<f32, [?, 64?]>
  %2 = tile.full %1 : i64 -> tensor<i64>
  tile.store %2, %o : tensor<i64>, !tile.ref<i64, []>
  tile.return
}

// -----

// Behind a window at a constant, and in front of one: a step changes what the constants are counted in.
// CHECK-LABEL: llvm.func @strided_windows
// CHECK-SAME: (%[[P:[^:]*]]: !llvm.ptr<1>, %[[D0:[^:]*]]: i64, %[[S0:[^:]*]]: i64,
// CHECK: %[[FIVE:.*]] = llvm.mlir.constant(5 : i64)
// CHECK: %[[BEHIND:.*]] = llvm.mul %[[S0]], %{{.*}}
// CHECK: %[[A:.*]] = llvm.getelementptr %[[P]][%[[BEHIND]]]
// CHECK: %[[B:.*]] = llvm.getelementptr %[[A]][%{{.*}}]
// CHECK: %[[STEP:.*]] = llvm.mul %[[S0]], %{{.*}}
// CHECK: %[[FURTHER:.*]] = llvm.mul %[[STEP]], %[[FIVE]]
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[B]][%[[FURTHER]]]
// CHECK: llvm.load %[[AT]]
tile.kernel @strided_windows(%x: !tile.ref<f32, [?]>, %o: !tile.ref<f32, [1]>, %i: i64)
    attributes {threads = 1 : i64, group = 1 : i64} {
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %c5 = arith.constant 5 : i64
  %0 = tile.slice %x[window %c3 size %i] : !tile.ref<f32, [?]> -> !tile.ref<f32, [?]>
  %1 = tile.strided_slice %0 axis 0 from %i step %c2 : !tile.ref<f32, [?]> -> !tile.ref<f32, [64?]>
  %2 = tile.slice %1[window %c5] {in_bounds} : !tile.ref<f32, [64?]> -> !tile.ref<f32, [1]>
  %3 = tile.load %2 : !tile.ref<f32, [1]> -> tensor<1xf32>
  tile.store %3, %o : tensor<1xf32>, !tile.ref<f32, [1]>
  tile.return
}

// -----

// Arrays that a kernel only reads are loaded invariantly; others are not.
// CHECK-LABEL: llvm.func @invariant
// CHECK: llvm.load %{{.*}} invariant {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: llvm.load %{{[^ ]*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>
tile.kernel @invariant(%x: !tile.ref<f32, [128], align 16>, %y: !tile.ref<f32, [128], align 16>)
    attributes {threads = 32 : i64, group = 32 : i64} {
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
tile.kernel @primary(%x: !tile.ref<f32, [8]>, %y: !tile.ref<f32, [8]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [8]> -> tensor<8xf32>
  tile.store %0, %y : tensor<8xf32>, !tile.ref<f32, [8]>
  tile.return
}

// -----

// Memory that copies write to is not read through the read-only cache.
// CHECK-LABEL: llvm.func @copied
// CHECK: llvm.load %{{[^ ]*}} {alignment = 4 : i64} :
// CHECK: llvm.return
tile.kernel @copied(%x: !tile.ref<f32, [64]> {tile.written_by_copies}, %y: !tile.ref<f32, [64]>) attributes {threads = 64 : i64, group = 64 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [64]> -> tensor<64xf32>
  tile.store %0, %y : tensor<64xf32>, !tile.ref<f32, [64]>
  tile.return
}

// -----

// A barrier of a thread group: 32 threads, a part of a CTA, a CTA. Each of few thread groups has a constant one.
// CHECK-LABEL: llvm.func @barrier_32
// CHECK: nvvm.bar.warp.sync
tile.kernel @barrier_32() attributes {threads = 128 : i64, group = 32 : i64} {
  tile.barrier
  tile.return
}
// CHECK-LABEL: llvm.func @barrier_64
// CHECK: %[[TEAM:.*]] = llvm.lshr
// CHECK: llvm.inline_asm {{.*}}setp.eq.u32 is_own, $0, 0;{{.*}}@is_own bar.sync 0, 64;{{.*}}@is_own bar.sync 3, 64;{{.*}} %[[TEAM]]
tile.kernel @barrier_64() attributes {threads = 256 : i64, group = 64 : i64} {
  tile.barrier
  tile.return
}
// More than four: a register says which.
// CHECK-LABEL: llvm.func @barrier_of_many
// CHECK: %[[TEAM:.*]] = llvm.lshr
// CHECK: nvvm.barrier id = %[[TEAM]] number_of_threads = %
tile.kernel @barrier_of_many() attributes {threads = 512 : i64, group = 64 : i64} {
  tile.barrier
  tile.return
}
// CHECK-LABEL: llvm.func @barrier_block
// CHECK: nvvm.barrier0
tile.kernel @barrier_block() attributes {threads = 64 : i64, group = 64 : i64} {
  tile.barrier
  tile.return
}

// -----

// Under a mask, one by one: no address is used where it is false, or where the window has ended.
// CHECK-LABEL: llvm.func @masked_one
// CHECK: %[[ROOM:.*]] = llvm.sub %{{.*}}, %{{.*}} : i32
// CHECK: %[[INSIDE:.*]] = llvm.icmp "sgt" %[[ROOM]], %{{.*}} : i32
// CHECK: %[[HAS:.*]] = llvm.and %{{.*}}, %[[INSIDE]] : i1
// CHECK: llvm.inline_asm "mov.b32 $0, $3; @$2 ld.global.nc.b32 $0, [$1];", "=&f,l,b,f" %[[AT:.*]], %[[HAS]], %{{.*}} : (!llvm.ptr<1>, i1, f32) -> f32
// CHECK: llvm.inline_asm has_side_effects "@$2 st.global.b32 [$0], $1;", "l,f,b,~{memory}" %{{.*}}, %{{.*}}, %{{.*}} : (!llvm.ptr<1>, f32, i1) -> ()
// CHECK-NOT: llvm.load
// CHECK-NOT: llvm.store
tile.kernel @masked_one(%x: !tile.ref<f32, [32?]>, %o: !tile.ref<f32, [32?]>, %n: i32, %f: f32) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.iota 0 : tensor<32xi32>
  %1 = tile.full %n : i32 -> tensor<32xi32>
  %2 = tile.lt %0, %1 : tensor<32xi32> -> tensor<32xi1>
  %3 = tile.full %f : f32 -> tensor<32xf32>
  %4 = tile.load %x mask %2 : tensor<32xi1> other %3 : tensor<32xf32> : !tile.ref<f32, [32?]> -> tensor<32xf32>
  tile.store %4, %o mask %2 : tensor<32xi1> : tensor<32xf32>, !tile.ref<f32, [32?]>
  tile.return
}

// -----

// A thread whose mask holds for all of its elements moves them together. Bools are bytes, also those of `other`.
// CHECK-LABEL: llvm.func @masked_wide
// CHECK: %[[TWO:.*]] = llvm.and %{{.*}}, %{{.*}} : i1
// CHECK: %[[THREE:.*]] = llvm.and %[[TWO]], %{{.*}} : i1
// CHECK: %[[ALL:.*]] = llvm.and %[[THREE]], %{{.*}} : i1
// CHECK: llvm.cond_br %[[ALL]], ^[[TOGETHER:bb[0-9]+]], ^[[EACH:bb[0-9]+]]
// CHECK: ^[[TOGETHER]]:
// CHECK: llvm.load %{{.*}} invariant {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: ^[[EACH]]:
// CHECK-COUNT-4: "mov.b32 $0, $3; @$2 ld.global.nc.b32
// CHECK: llvm.cond_br
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK-COUNT-4: "@$2 st.global.b32
tile.kernel @masked_wide(%x: !tile.ref<f32, [128], align 16>, %o: !tile.ref<f32, [128], align 16>, %w: !tile.ref<i1, [128]>, %f: f32) attributes {threads = 32 : i64, group = 32 : i64} {
  %2 = tile.load %w : !tile.ref<i1, [128]> -> tensor<128xi1>
  %3 = tile.full %f : f32 -> tensor<128xf32>
  %4 = tile.load %x mask %2 : tensor<128xi1> other %3 : tensor<128xf32> : !tile.ref<f32, [128], align 16> -> tensor<128xf32>
  tile.store %4, %o mask %2 : tensor<128xi1> : tensor<128xf32>, !tile.ref<f32, [128], align 16>
  tile.return
}

// CHECK-LABEL: llvm.func @masked_bools
// CHECK: %[[WORD:.*]] = llvm.zext %{{.*}} : i1 to i16
// CHECK: "mov.b16 $0, $3; @$2 ld.global.b8 $0, [$1];", "=&h,l,b,h,~{memory}" %{{.*}}, %{{.*}}, %[[WORD]]
// CHECK: "@$2 st.global.b8
tile.kernel @masked_bools(%x: !tile.ref<i1, [32]>, %b: i1) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.full %b : i1 -> tensor<32xi1>
  %1 = tile.load %x mask %0 : tensor<32xi1> other %0 : tensor<32xi1> : !tile.ref<i1, [32]> -> tensor<32xi1>
  %2 = tile.logical_not %1 : tensor<32xi1>
  tile.store %2, %x mask %1 : tensor<32xi1> : tensor<32xi1>, !tile.ref<i1, [32]>
  tile.return
}

// -----

// A mask that always holds asks for what lies beyond the end alone: an exact window has nothing there.
// CHECK-LABEL: llvm.func @always
// CHECK-NOT: llvm.inline_asm
// CHECK: llvm.load %{{.*}} invariant {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xf32>
// CHECK: llvm.load %{{.*}} invariant {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-NOT: llvm.inline_asm
// CHECK: llvm.store %{{.*}} {alignment = 8 : i64} : vector<2xf32>, !llvm.ptr<1>
// CHECK-NOT: llvm.inline_asm
// CHECK: llvm.return
tile.kernel @always(%x: !tile.ref<f32, [64], align 8>, %y: !tile.ref<f32, [64]>, %o: !tile.ref<f32, [64], align 8>) attributes {threads = 32 : i64, group = 32 : i64} {
  %true = arith.constant true
  %f = arith.constant 1.0 : f32
  %0 = tile.full %true : i1 -> tensor<64xi1>
  %1 = tile.full %f : f32 -> tensor<64xf32>
  %2 = tile.load %x mask %0 : tensor<64xi1> other %1 : tensor<64xf32> : !tile.ref<f32, [64], align 8> -> tensor<64xf32>
  %3 = tile.load %y mask %0 : tensor<64xi1> other %1 : tensor<64xf32> : !tile.ref<f32, [64]> -> tensor<64xf32>
  %4 = tile.add %2, %3 : tensor<64xf32>
  tile.store %4, %o mask %0 : tensor<64xi1> : tensor<64xf32>, !tile.ref<f32, [64], align 8>
  tile.return
}

// -----

// Of threads that hold the same number, the first stores it, if the mask holds.
// CHECK-LABEL: llvm.func @masked_number
// CHECK: %[[FIRST:.*]] = llvm.icmp "eq" %{{.*}}, %{{.*}} : i32
// CHECK: %[[IF:.*]] = llvm.and %{{.*}}, %[[FIRST]] : i1
// CHECK: "@$2 st.global.b64 [$0], $1;", "l,d,b,~{memory}" %{{.*}}, %{{.*}}, %[[IF]]
tile.kernel @masked_number(%x: !tile.ref<f64, []>, %b: i1, %f: f64) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.full %b : i1 -> tensor<i1>
  %1 = tile.full %f : f64 -> tensor<f64>
  tile.store %1, %x mask %0 : tensor<i1> : tensor<f64>, !tile.ref<f64, []>
  tile.return
}

// -----

// A thread group keeps the program's order where a kernel says so, and waits nowhere else.
// CHECK-LABEL: llvm.func @ordered
// CHECK: llvm.store
// CHECK-NOT: nvvm.bar
// CHECK: nvvm.barrier0
// CHECK-NOT: nvvm.bar
// CHECK: llvm.return
tile.kernel @ordered(%x: !tile.ref<f32, [?]>, %i: i64, %f: f32) attributes {threads = 64 : i64, group = 64 : i64} {
  %a = tile.slice %x[window %i] : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
  %0 = tile.full %f : f32 -> tensor<64xf32>
  tile.store %0, %a : tensor<64xf32>, !tile.ref<f32, [64]>
  tile.barrier
  %b = tile.slice %x[window %i] : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
  %1 = tile.load %b : !tile.ref<f32, [64]> -> tensor<64xf32>
  tile.store %1, %a : tensor<64xf32>, !tile.ref<f32, [64]>
  tile.return
}

// -----

// Thread groups update an array's copies in shared memory. One that has no program waits for the others at a barrier of
// its own: the first ones are those of the thread groups.
// CHECK-LABEL: llvm.func @private_copies
// CHECK-NOT: nvvm.barrier0
// CHECK: "bar.sync 15, 256;"
// CHECK-NOT: nvvm.barrier0
// CHECK: @is_own bar.sync 0, 128;
// CHECK-NOT: nvvm.barrier0
// CHECK: "bar.sync 15, 256;"
// CHECK-NOT: nvvm.barrier0
// CHECK: llvm.return
tile.kernel @private_copies(%x: !tile.ref<i64, [16]>) attributes {threads = 256 : i64, group = 128 : i64} {
  tile.private_open add %x in 1024 : !tile.ref<i64, [16]>
  %0 = tile.iota 0 : tensor<16xi64>
  tile.atomic add %0, %x indices(%0 : tensor<16xi64>) [0] at 0 privately : tensor<16xi64>, !tile.ref<i64, [16]>
  tile.barrier
  tile.private_flush add %x : !tile.ref<i64, [16]>
  tile.return
}

// -----

// An array of a list begins where the table says, of a number that the table has; windows of all arrays are added to that.
// CHECK-LABEL: llvm.func @table
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr<1>, %[[D0:.*]]: i64, %[[D1:.*]]: i64, %[[S0:.*]]: i64, %[[S1:.*]]: i64, %[[O:.*]]: !llvm.ptr<1>, %[[I:.*]]: i64, %[[N:.*]]: i64)
// CHECK-DAG: %[[ZERO:.*]] = llvm.mlir.constant(0 : i64)
// CHECK: %[[START:.*]] = llvm.mul %[[N]], %[[S1]]
// CHECK: %[[OFFSET:.*]] = llvm.add %[[START]],
// CHECK: %[[IS_THERE:.*]] = llvm.icmp "ult" %[[I]], %[[D0]]
// CHECK: %[[NUMBER:.*]] = llvm.select %[[IS_THERE]], %[[I]], %[[ZERO]]
// CHECK: %[[ENTRY:.*]] = llvm.getelementptr %[[P]][%[[NUMBER]]] {{.*}}, !llvm.ptr<1>
// CHECK: %[[ARRAY:.*]] = llvm.load %[[ENTRY]] invariant {alignment = 8 : i64} : !llvm.ptr<1> -> !llvm.ptr<1>
// CHECK: llvm.getelementptr %[[ARRAY]][%[[OFFSET]]] {{.*}}, f32
tile.kernel @table(%x: !tile.ref<f32, [?, ?], table>, %o: !tile.ref<f32, []>, %i: i64, %n: i64)
    attributes {threads = 1 : i64, group = 1 : i64} {
  %0 = tile.slice %x[whole, window %n] : !tile.ref<f32, [?, ?], table> -> !tile.ref<f32, [?, 4?], table>
  %zero = arith.constant 0 : i64
  %1 = tile.slice %0[element %i, element %zero] : !tile.ref<f32, [?, 4?], table> -> !tile.ref<f32, []>
  %2 = tile.load %1 : !tile.ref<f32, []> -> tensor<f32>
  tile.store %2, %o : tensor<f32>, !tile.ref<f32, []>
  tile.return
}
