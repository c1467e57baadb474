// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clusters that read the same for all rows stay for several: it is copied to shared memory once, and the next row while
// this one is computed.
// RUN: tegula-opt --tile-split='classes=9.0a variants=vector,cluster' --canonicalize --cse --split-input-file %s | FileCheck %s
// RUN: tegula-opt --tile-split='classes=12.x variants=vector,cluster' --canonicalize --cse --split-input-file %s | FileCheck %s --check-prefix=SMALL
// RUN: tegula-opt --tile-split='classes=10.x,12.x variants=vector,cluster' --canonicalize --cse --split-input-file %s | FileCheck %s --check-prefix=BOTH

// At least four waves of as many clusters as the GPU holds, each of which has up to two rows: what is shared takes half
// of what it reads. They count through the rows by their number.
// CHECK-LABEL: tile.launch "weighted_0"
// CHECK:   %[[SIZE:.*]] = arith.divsi %{{.*}}, %c8192
// CHECK:   %[[RESIDENT:.*]] = tile.resident_clusters @weighted_0_cluster8192_dense of %[[SIZE]]
// CHECK:   %[[WAVE:.*]] = arith.muli %[[RESIDENT]], %c2
// CHECK:   %[[FEW:.*]] = arith.ceildivsi %[[M:.*]], %[[WAVE]]
// CHECK:   %[[WAVES:.*]] = arith.maxsi %[[FEW]], %c4
// CHECK:   %[[ENOUGH:.*]] = arith.muli %[[RESIDENT]], %[[WAVES]]
// CHECK:   %[[CLUSTERS:.*]] = arith.minsi %[[M]], %[[ENOUGH]]
// CHECK:   %[[BLOCKS:.*]] = arith.muli %[[CLUSTERS]], %[[SIZE]]
// CHECK:   tile.launch_kernel @weighted_0_cluster8192_dense blocks(%[[BLOCKS]]) cluster(%[[SIZE]]) ({{.*}}, %[[M]], %[[CLUSTERS]])
// CHECK-LABEL: tile.kernel @weighted_0_cluster8192_dense(
// CHECK-SAME:  %[[X:[^:]*]]: !tile.ref<bf16, [?, ?], align 16 even>, %[[W:[^:]*]]: !tile.ref<bf16, [?], align 16 even>
// CHECK-SAME:  %[[END:[^:, ]*]]: i64, %[[STEP:[^:, ]*]]: i64)
// CHECK-SAME:  tile.ctas_per_multiprocessor = 4 : i64, tile.rows_of_cluster = 2 : i64
// CHECK-DAG: %[[FIRST:.*]] = tile.thread_group
// CHECK:   %[[MINE:.*]] = arith.muli %{{.*}}, %c8192
// CHECK:   %[[ROW:.*]] = tile.alloc : <bf16, [8192], smem>
// CHECK:   tile.slice %[[X]][element %[[FIRST]], whole]
// CHECK:   tile.cp_async %{{.*}}, %[[ROW]] : <bf16, [8192?], align 16 even>, <bf16, [8192], smem>
// CHECK:   %[[WEIGHT:.*]] = tile.alloc : <bf16, [8192], smem>
// CHECK:   %[[PART:.*]] = tile.slice %[[W]][window %[[MINE]]]
// CHECK:   tile.cp_async %[[PART]], %[[WEIGHT]]
// CHECK-NEXT: tile.cp_async_commit
// CHECK-NEXT: scf.for %[[I:.*]] = %[[FIRST]] to %[[END]] step %[[STEP]]
// CHECK-NEXT:   tile.cp_async_wait 0
// CHECK-NEXT:   %[[HERE:.*]] = tile.load %[[ROW]]
// CHECK-NEXT:   tile.barrier
// CHECK-NEXT:   %[[NEXT:.*]] = arith.addi %[[I]], %[[STEP]]
// CHECK-NEXT:   %[[IS:.*]] = arith.cmpi slt, %[[NEXT]], %[[END]]
// CHECK-NEXT:   %[[THEN:.*]] = tile.slice %[[X]][element %[[NEXT]], whole]
// CHECK-NEXT:   %[[MORE:.*]] = tile.slice %[[THEN]][window %[[MINE]]]
// CHECK-NEXT:   tile.cp_async %[[MORE]], %[[ROW]] if %[[IS]]
// CHECK-NEXT:   tile.cp_async_commit
// CHECK-NOT:    tile.load
// CHECK:        tile.reduce sum {{.*}} cluster
// CHECK:        tile.load %[[WEIGHT]]
// CHECK-NOT:    tile.load
// CHECK:        tile.return

// Two CTAs of 48 KiB on a multiprocessor of 100 KiB.
// SMALL-LABEL: tile.kernel @weighted_0_cluster8192_dense(
// SMALL-SAME:  tile.ctas_per_multiprocessor = 2
// Each class has a kernel for its shared memory.
// BOTH-LABEL: tile.launch "weighted_0"
// BOTH:        tile.resident_clusters @weighted_0_cluster8192_dense of
// BOTH:        tile.resident_clusters @weighted_0_cluster8192_dense_sm10x of
// BOTH-DAG:    tile.kernel @weighted_0_cluster8192_dense_sm10x({{.*}}classes = ["10.x"], {{.*}}tile.ctas_per_multiprocessor = 4
// BOTH-DAG:    tile.kernel @weighted_0_cluster8192_dense({{.*}}classes = ["12.x"], {{.*}}tile.ctas_per_multiprocessor = 2
tile.entry @weighted(%x: !tile.array<bf16, 2, const>, %w: !tile.array<bf16, 1, const>, %o: !tile.array<bf16, 2>) attributes {qualified_name = "weighted"} {
  %m = tile.dim %x, 0 : !tile.array<bf16, 2, const>
  %n = tile.dim %x, 1 : !tile.array<bf16, 2, const>
  %wn = tile.dim %w, 0 : !tile.array<bf16, 1, const>
  %on = tile.dim %o, 1 : !tile.array<bf16, 2>
  %same = arith.cmpi eq, %n, %wn : i64
  tile.check %same, "x and w differ in length"
  %fits = arith.cmpi eq, %n, %on : i64
  tile.check %fits, "x and o differ in length"
  tile.launch "weighted_0" grid(%m) args(in %a = %x : !tile.array<bf16, 2, const>, in %b = %w : !tile.array<bf16, 1, const>, out %r = %o : !tile.array<bf16, 2>) {
    %i = tile.program_id 0
    %xb = tile.slice %a[element %i, whole] {spec} : !tile.ref<bf16, [?, ?]> -> !tile.ref<bf16, [?]>
    %ob = tile.slice %r[element %i, whole] {spec} : !tile.ref<bf16, [?, ?]> -> !tile.ref<bf16, [?]>
    %t = tile.load %xb : !tile.ref<bf16, [?]> -> tensor<?xbf16>
    %s = tile.reduce sum %t [0] : tensor<?xbf16> -> tensor<bf16>
    %sb = tile.broadcast %s [] : tensor<bf16> -> tensor<?xbf16>
    %d = tile.sub %t, %sb : tensor<?xbf16>
    %wt = tile.load %b : !tile.ref<bf16, [?]> -> tensor<?xbf16>
    %q = tile.mul %d, %wt : tensor<?xbf16>
    tile.store %q, %ob : tensor<?xbf16>, !tile.ref<bf16, [?]>
    tile.yield
  }
  tile.return
}

// -----
// Rows of f32 and what they are multiplied by, of 32 KiB each: two CTAs hold all. Where they do not, the first come first.
// CHECK-LABEL: tile.kernel @scaled_0_cluster8192_dense(
// CHECK-SAME:  tile.ctas_per_multiprocessor = 2
// CHECK-COUNT-3: tile.alloc : <f32, [8192], smem>
// CHECK-NOT:   tile.alloc
// SMALL-LABEL: tile.kernel @scaled_0_cluster8192_dense(
// SMALL-SAME:  tile.ctas_per_multiprocessor = 2
// SMALL-COUNT-1: tile.alloc : <f32, [8192], smem>
// SMALL-NOT:   tile.alloc
// SMALL:       scf.for
// SMALL-COUNT-2: tile.load %{{.*}} : <f32, [8192?], align 16 even>
tile.entry @scaled(%x: !tile.array<f32, 2, const>, %w: !tile.array<f32, 1, const>, %b: !tile.array<f32, 1, const>, %o: !tile.array<f32, 2>) attributes {qualified_name = "scaled"} {
  %m = tile.dim %x, 0 : !tile.array<f32, 2, const>
  %n = tile.dim %x, 1 : !tile.array<f32, 2, const>
  %wn = tile.dim %w, 0 : !tile.array<f32, 1, const>
  %bn = tile.dim %b, 0 : !tile.array<f32, 1, const>
  %on = tile.dim %o, 1 : !tile.array<f32, 2>
  %same = arith.cmpi eq, %n, %wn : i64
  tile.check %same, "x and w differ in length"
  %equal = arith.cmpi eq, %n, %bn : i64
  tile.check %equal, "x and b differ in length"
  %fits = arith.cmpi eq, %n, %on : i64
  tile.check %fits, "x and o differ in length"
  tile.launch "scaled_0" grid(%m) args(in %a = %x : !tile.array<f32, 2, const>, in %v = %w : !tile.array<f32, 1, const>, in %c = %b : !tile.array<f32, 1, const>, out %r = %o : !tile.array<f32, 2>) {
    %i = tile.program_id 0
    %xb = tile.slice %a[element %i, whole] {spec} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?]>
    %ob = tile.slice %r[element %i, whole] {spec} : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?]>
    %t = tile.load %xb : !tile.ref<f32, [?]> -> tensor<?xf32>
    %s = tile.reduce sum %t [0] : tensor<?xf32> -> tensor<f32>
    %sb = tile.broadcast %s [] : tensor<f32> -> tensor<?xf32>
    %d = tile.sub %t, %sb : tensor<?xf32>
    %wt = tile.load %v : !tile.ref<f32, [?]> -> tensor<?xf32>
    %q = tile.mul %d, %wt : tensor<?xf32>
    %bt = tile.load %c : !tile.ref<f32, [?]> -> tensor<?xf32>
    %z = tile.add %q, %bt : tensor<?xf32>
    tile.store %z, %ob : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}

// -----
// Which row is next, an array says: it is loaded when it is there. Elements of 64 bits fill the registers of one CTA.
// CHECK-LABEL: tile.kernel @permuted_0_cluster8192_dense(
// CHECK-SAME:  tile.ctas_per_multiprocessor = 1
// CHECK:       tile.alloc : <f64, [8192], smem>
// CHECK:       tile.cp_async
// CHECK-NOT:   tile.alloc
// CHECK-NOT:   tile.cp_async %
// CHECK:       tile.cp_async_wait 0
// CHECK:       scf.for
// CHECK-NOT:   tile.cp_async
// CHECK:       tile.load %{{.*}} : <f64, [8192?], align 16 even>
// CHECK:       tile.load %{{.*}} : <f64, [8192], smem>
// CHECK:       tile.return
tile.entry @permuted(%x: !tile.array<f64, 2, const>, %p: !tile.array<i64, 1, const>, %w: !tile.array<f64, 1, const>, %o: !tile.array<f64, 2>) attributes {qualified_name = "permuted"} {
  %m = tile.dim %o, 0 : !tile.array<f64, 2>
  %n = tile.dim %x, 1 : !tile.array<f64, 2, const>
  %wn = tile.dim %w, 0 : !tile.array<f64, 1, const>
  %on = tile.dim %o, 1 : !tile.array<f64, 2>
  %same = arith.cmpi eq, %n, %wn : i64
  tile.check %same, "x and w differ in length"
  %fits = arith.cmpi eq, %n, %on : i64
  tile.check %fits, "x and o differ in length"
  tile.launch "permuted_0" grid(%m) args(in %a = %x : !tile.array<f64, 2, const>, in %b = %p : !tile.array<i64, 1, const>, in %c = %w : !tile.array<f64, 1, const>, out %r = %o : !tile.array<f64, 2>) {
    %i = tile.program_id 0
    %pb = tile.slice %b[element %i] {spec} : !tile.ref<i64, [?]> -> !tile.ref<i64, []>
    %pt = tile.load %pb : !tile.ref<i64, []> -> tensor<i64>
    %from = tile.extract %pt : tensor<i64> -> i64
    %xb = tile.slice %a[element %from, whole] : !tile.ref<f64, [?, ?]> -> !tile.ref<f64, [?]>
    %ob = tile.slice %r[element %i, whole] {spec} : !tile.ref<f64, [?, ?]> -> !tile.ref<f64, [?]>
    %t = tile.load %xb : !tile.ref<f64, [?]> -> tensor<?xf64>
    %s = tile.reduce max %t [0] : tensor<?xf64> -> tensor<f64>
    %sb = tile.broadcast %s [] : tensor<f64> -> tensor<?xf64>
    %d = tile.sub %t, %sb : tensor<?xf64>
    %wt = tile.load %c : !tile.ref<f64, [?]> -> tensor<?xf64>
    %q = tile.mul %d, %wt : tensor<?xf64>
    tile.store %q, %ob : tensor<?xf64>, !tile.ref<f64, [?]>
    tile.yield
  }
  tile.return
}

// -----
// A grid of two axes: the next row may be the first one of the next plane.
// CHECK-LABEL: tile.kernel @planes_0_cluster8192_dense(
// CHECK-COUNT-2: tile.alloc : <bf16, [8192], smem>
// CHECK:       scf.for
// CHECK-NEXT:  tile.cp_async_wait 0
// CHECK-NEXT:  tile.load
// CHECK:       %[[NEXT:.*]] = arith.addi
// CHECK:       %[[IS:.*]] = arith.cmpi slt, %[[NEXT]]
// CHECK-DAG:   %[[PLANE:.*]] = arith.divui %[[NEXT]], %[[HEIGHT:.*]] :
// CHECK-DAG:   %[[ROW:.*]] = arith.remui %[[NEXT]], %[[HEIGHT]] :
// CHECK:       tile.slice %{{.*}}[element %[[PLANE]], element %[[ROW]], whole]
// CHECK:       tile.cp_async %{{.*}}, %{{.*}} if %[[IS]]
tile.entry @planes(%x: !tile.array<bf16, 3, const>, %w: !tile.array<bf16, 1, const>, %o: !tile.array<bf16, 3>) attributes {qualified_name = "planes"} {
  %l = tile.dim %x, 0 : !tile.array<bf16, 3, const>
  %m = tile.dim %x, 1 : !tile.array<bf16, 3, const>
  %n = tile.dim %x, 2 : !tile.array<bf16, 3, const>
  %wn = tile.dim %w, 0 : !tile.array<bf16, 1, const>
  %on = tile.dim %o, 2 : !tile.array<bf16, 3>
  %same = arith.cmpi eq, %n, %wn : i64
  tile.check %same, "x and w differ in length"
  %fits = arith.cmpi eq, %n, %on : i64
  tile.check %fits, "x and o differ in length"
  tile.launch "planes_0" grid(%l, %m) args(in %a = %x : !tile.array<bf16, 3, const>, in %b = %w : !tile.array<bf16, 1, const>, out %r = %o : !tile.array<bf16, 3>) {
    %i = tile.program_id 0
    %j = tile.program_id 1
    %xb = tile.slice %a[element %i, element %j, whole] {spec} : !tile.ref<bf16, [?, ?, ?]> -> !tile.ref<bf16, [?]>
    %ob = tile.slice %r[element %i, element %j, whole] {spec} : !tile.ref<bf16, [?, ?, ?]> -> !tile.ref<bf16, [?]>
    %t = tile.load %xb : !tile.ref<bf16, [?]> -> tensor<?xbf16>
    %s = tile.reduce sum %t [0] : tensor<?xbf16> -> tensor<bf16>
    %sb = tile.broadcast %s [] : tensor<bf16> -> tensor<?xbf16>
    %d = tile.sub %t, %sb : tensor<?xbf16>
    %wt = tile.load %b : !tile.ref<bf16, [?]> -> tensor<?xbf16>
    %q = tile.mul %d, %wt : tensor<?xbf16>
    tile.store %q, %ob : tensor<?xbf16>, !tile.ref<bf16, [?]>
    tile.yield
  }
  tile.return
}
