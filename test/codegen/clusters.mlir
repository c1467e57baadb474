// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the blocks of a cluster combine goes straight into each other's shared memory; the code for other classes
// of architectures has no such kernel.
// RUN: tegulac --arch sm_90a --emit ptx %s | FileCheck %s
// RUN: tegulac --arch sm_80 --emit ptx %s | FileCheck %s --check-prefix=NONE
// RUN: tegulac --arch sm_90a --emit cubin -o %t.cubin %s
// NONE: .entry alone(
// NONE-NOT: .entry

#row = #tile.layout<blocked<[4], lanes [32], warps [8]>>
#one = #tile.layout<blocked<[], lanes [] x32, warps [] x8>>
tile.kernel @alone(%x: !tile.ref<f32, []>, %o: !tile.ref<f32, []>) attributes {threads = 32 : i64, group = 1 : i64} {
  %0 = tile.load %x : !tile.ref<f32, []> -> tensor<f32, #tile.layout<blocked<[], lanes []>>>
  tile.store %0, %o : tensor<f32, #tile.layout<blocked<[], lanes []>>>, !tile.ref<f32, []>
  tile.return
}

// Nobody sends before all are there; a warp sends once to each block, and waits at one of two barriers in turn.
// CHECK-LABEL: .entry rows(
// CHECK: .minnctapersm 5
// CHECK-COUNT-2: mbarrier.init
// CHECK: barrier.cluster.arrive.relaxed
// CHECK: ld.global
// CHECK: barrier.cluster.wait.acquire
// CHECK: st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [to], %{{.*}}, [counter];
// CHECK: mbarrier.arrive.expect_tx.shared::cta.b64 _, [%[[FIRST:r[0-9]+]]]
// CHECK: mbarrier.try_wait.parity.shared::cta.b64 done, [%[[FIRST]]]
// CHECK-NOT: bar.sync
// CHECK-COUNT-2: ld.shared
// CHECK: st.async
// CHECK-NOT: [%[[FIRST]]]
// CHECK: mbarrier.try_wait
// CHECK-NOT: barrier.cluster
// CHECK: ret;
tile.kernel @rows(%x: !tile.ref<f32, [?], align 16>, %o: !tile.ref<f32, [?]>) attributes {threads = 256 : i64, group = 256 : i64, classes = ["9.0a"], cluster = 8 : i64, tile.ctas_per_multiprocessor = 5 : i64} {
  %c = arith.constant 1024 : i64
  %r = tile.cluster_rank
  %s = arith.muli %r, %c : i64
  %i = tile.thread_group
  %w = tile.slice %x[window %s] {in_bounds} : !tile.ref<f32, [?], align 16> -> !tile.ref<f32, [1024], align 16>
  %0 = tile.load %w : !tile.ref<f32, [1024], align 16> -> tensor<1024xf32, #row>
  %1 = tile.reduce max %0 [0] cluster : tensor<1024xf32, #row> -> tensor<f32, #one>
  %2 = tile.broadcast %1 [] : tensor<f32, #one> -> tensor<1024xf32, #row>
  %3 = tile.sub %0, %2 : tensor<1024xf32, #row>
  %4 = tile.reduce sum %3 [0] cluster : tensor<1024xf32, #row> -> tensor<f32, #one>
  %p = tile.slice %o[element %i] : !tile.ref<f32, [?]> -> !tile.ref<f32, []>
  tile.store %4, %p : tensor<f32, #one>, !tile.ref<f32, []>
  tile.return
}

// Where not every block may come by, all meet at once. A word is as wide as an element of 64 bits.
// CHECK-LABEL: .entry sometimes(
// CHECK: barrier.cluster.arrive.relaxed
// CHECK-NEXT: barrier.cluster.wait.acquire
// CHECK: bra
// CHECK: st.async.shared::cluster.mbarrier::complete_tx::bytes.b64
tile.kernel @sometimes(%x: !tile.ref<i64, [1024], align 16>, %o: !tile.ref<i64, []>, %times: i64) attributes {threads = 256 : i64, group = 256 : i64, classes = ["9.0a"], cluster = 8 : i64} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  scf.for %i = %zero to %times step %one : i64 {
    %0 = tile.load %x : !tile.ref<i64, [1024], align 16> -> tensor<1024xi64, #row>
    %1 = tile.reduce min %0 [0] cluster : tensor<1024xi64, #row> -> tensor<i64, #one>
    tile.store %1, %o : tensor<i64, #one>, !tile.ref<i64, []>
  }
  tile.return
}

// Words of 4 bytes go to the second place although words of 8 fill the first: 64 of them. Elements of 8 bytes take too
// many registers for as many blocks.
// CHECK-LABEL: .entry of_two_widths(
// CHECK-NOT: .minnctapersm
// CHECK: .shared .align 16 .b8 of_two_widths_scratch[3088]
// CHECK: add.s64 %{{rd[0-9]+}}, %{{rd[0-9]+}}, 2064;
// CHECK: st.async.shared::cluster.mbarrier::complete_tx::bytes.b64
// CHECK: add.s64 %{{rd[0-9]+}}, %{{rd[0-9]+}}, 2576;
// CHECK: st.async.shared::cluster.mbarrier::complete_tx::bytes.b32
// CHECK: ld.shared.f32
tile.kernel @of_two_widths(%x: !tile.ref<f64, [1024], align 16>, %o: !tile.ref<f64, []>, %p: !tile.ref<f32, []>) attributes {threads = 256 : i64, group = 256 : i64, classes = ["9.0a"], cluster = 8 : i64} {
  %0 = tile.load %x : !tile.ref<f64, [1024], align 16> -> tensor<1024xf64, #row>
  %1 = tile.reduce max %0 [0] cluster : tensor<1024xf64, #row> -> tensor<f64, #one>
  %2 = tile.cast %0 : tensor<1024xf64, #row> -> tensor<1024xf32, #row>
  %3 = tile.reduce sum %2 [0] cluster : tensor<1024xf32, #row> -> tensor<f32, #one>
  tile.store %1, %o : tensor<f64, #one>, !tile.ref<f64, []>
  tile.store %3, %p : tensor<f32, #one>, !tile.ref<f32, []>
  tile.return
}

// A tuple, by a combiner of the program's own: each of its elements is sent, and counted by one barrier.
// CHECK-LABEL: .entry of_tuples(
// CHECK: barrier.cluster.wait.acquire
// CHECK: st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [to], %{{.*}}, [counter];
// CHECK: st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 [to], %{{.*}}, [counter];
// CHECK: mbarrier.arrive.expect_tx.shared::cta.b64 _, [%[[FIRST:r[0-9]+]]]
// CHECK: mbarrier.try_wait.parity.shared::cta.b64 done, [%[[FIRST]]]
// CHECK-NOT: st.async
// CHECK: ld.shared.f32
// CHECK: ld.shared.u64
// CHECK: ld.shared.f32
// CHECK: ld.shared.u64
// CHECK: ret;
tile.kernel @of_tuples(%x: !tile.ref<f32, [1024], align 16>, %y: !tile.ref<i64, [1024], align 16>, %o: !tile.ref<f32, []>, %p: !tile.ref<i64, []>) attributes {threads = 256 : i64, group = 256 : i64, classes = ["9.0a"], cluster = 8 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [1024], align 16> -> tensor<1024xf32, #row>
  %1 = tile.load %y : !tile.ref<i64, [1024], align 16> -> tensor<1024xi64, #row>
  %2:2 = tile.reduce custom %0, %1 [0] identities [0xFF800000 : f32, 9223372036854775807 : i64] cluster {
  ^bb0(%a: f32, %i: i64, %b: f32, %j: i64):
    %greater = arith.cmpf ogt, %a, %b : f32
    %value = arith.select %greater, %a, %b : f32
    %place = arith.select %greater, %i, %j : i64
    tile.combined %value, %place : f32, i64
  } : tensor<1024xf32, #row>, tensor<1024xi64, #row> -> tensor<f32, #one>, tensor<i64, #one>
  tile.store %2#0, %o : tensor<f32, #one>, !tile.ref<f32, []>
  tile.store %2#1, %p : tensor<i64, #one>, !tile.ref<i64, []>
  tile.return
}
