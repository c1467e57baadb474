// The explicit level in PTX: one kernel with a cluster, TMA both ways, and products of bf16.
// RUN: tegulac %s --emit=ptx --arch=sm_90a -o - | FileCheck %s
// No register is spilled, and ptxas has nothing to remark: it did not serialise the products or drop setmaxnreg.
// RUN: tegulac %s --emit=resources --arch=sm_90a -o - | FileCheck %s --check-prefix=RESOURCES
// RUN: not tegulac %s --emit=ptx --arch=sm_80 -o %t 2>&1 | FileCheck %s --check-prefix=ARCH

// RESOURCES: sm_90a products_0: registers {{[0-9]+}}, stack 0, spills 0
// RESOURCES-NOT: remark
// ARCH: error: {{wgmma needs sm_90a|(a copy by TMA|tg::barrier|a cluster of CTAs) needs sm_90a or sm_100a or sm_103a or sm_120a}}; sm_80 has none: leave it out of --arch (in CMake: ARCHS)

// CHECK: .extern .shared .align 1024 .b8 tegula_shared_memory[];
// CHECK: .entry products_0(
// CHECK: .param .align 64 .b8 products_0_param_{{[0-9]+}}[128]
// CHECK: .reqntid 256
// The barriers are ready before any thread, or the other block, goes on.
// CHECK: mbarrier.init.shared::cta.b64
// CHECK: fence.mbarrier_init.release.cluster;
// CHECK: barrier.cluster.arrive.release.aligned;
// CHECK: barrier.cluster.wait.acquire.aligned;
// CHECK: setmaxnreg.dec.sync.aligned.u32 40;
// CHECK: mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r{{[0-9]+}}], %r{{[0-9]+}};
// CHECK: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster
// CHECK: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [
// CHECK: setmaxnreg.inc.sync.aligned.u32 240;
// CHECK: mbarrier.try_wait.parity.shared::cta.b64
// CHECK: wgmma.fence.sync.aligned;
// Two blocks of 64 rows, 8 KiB apart; four steps of 32 bytes along a's rows, and of 16 rows of b, which is transposed.
// CHECK: add.s64 da, %rd{{[0-9]+}}, 0;
// CHECK-NEXT: add.s64 db, %rd{{[0-9]+}}, 0;
// The first instruction overwrites the accumulator, which is zero.
// CHECK-NEXT: wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {{.*}}, da, db, %p{{[0-9]+}}, 1, 1, 0, 1;
// CHECK-NEXT: add.s64 da, %rd{{[0-9]+}}, 2;
// CHECK-NEXT: add.s64 db, %rd{{[0-9]+}}, 128;
// CHECK: add.s64 da, %rd{{[0-9]+}}, 6;
// CHECK-NEXT: add.s64 db, %rd{{[0-9]+}}, 384;
// CHECK: add.s64 da, %rd{{[0-9]+}}, 512;
// CHECK-NEXT: add.s64 db, %rd{{[0-9]+}}, 0;
// CHECK: wgmma.commit_group.sync.aligned;
// CHECK: wgmma.wait_group.sync.aligned 0;
// Of 64 x 128 results a warp stores 16 x 16 with each instruction.
// CHECK-COUNT-8: stmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK-NOT: stmatrix
// CHECK: fence.proxy.async.shared::cta;
// CHECK: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group
// CHECK: cp.async.bulk.commit_group;
// CHECK: cp.async.bulk.wait_group 0;
// No block ends while the other may reach into its shared memory.
// CHECK: barrier.cluster.wait.acquire.aligned;
// CHECK: ret;
tile.entry @products(%x: !tile.array<bf16, 2, const>, %y: !tile.array<bf16, 2, const>, %z: !tile.array<bf16, 2>, %n: i64) attributes {qualified_name = "products"} {
  tile.launch "products_0" grid(%n) args(in %a = %x : !tile.array<bf16, 2, const>, in %b = %y : !tile.array<bf16, 2, const>, out %o = %z : !tile.array<bf16, 2>, scalar %steps = %n : i64) attributes {warpgroups = 2 : i64, cluster = array<i64: 1, 2>} {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c64 = arith.constant 64 : i64
    %c128 = arith.constant 128 : i64
    %false = arith.constant false
    %zero = arith.constant 0.0 : f32
    %m = tile.program_id 0
    %cn = tile.cluster_index 1
    %thread = tile.thread_index
    %row = arith.muli %m, %c128 : i64
    %column = arith.muli %cn, %c128 : i64
    %as = tile.alloc : !tile.ref<bf16, [2, 128, 64], smem>
    %bs = tile.alloc : !tile.ref<bf16, [2, 64, 128], smem>
    %full = tile.alloc_barriers arrivals 2 : !tile.barriers<2>
    %copies = arith.cmpi eq, %thread, %c1 : i64
    scf.if %copies {
      tile.set_max_registers 40
    } else {
      tile.set_max_registers increase 240
    }
    %a1 = tile.slice %as[element %c1, whole, whole] : !tile.ref<bf16, [2, 128, 64], smem> -> !tile.ref<bf16, [128, 64], smem>
    %b1 = tile.slice %bs[element %c1, whole, whole] : !tile.ref<bf16, [2, 64, 128], smem> -> !tile.ref<bf16, [64, 128], smem>
    scf.if %copies {
      scf.for %k = %c0 to %steps step %c64 : i64 {
        %ag = tile.slice %a[window %row, window %k] : !tile.ref<bf16, [?, ?]> -> !tile.ref<bf16, [128?, 64?]>
        %bg = tile.slice %b[window %k, window %column] : !tile.ref<bf16, [?, ?]> -> !tile.ref<bf16, [64?, 128?]>
        tile.copy_to_shared %ag, %a1, %full[%c1] multicast [1] : !tile.ref<bf16, [128?, 64?]>, !tile.ref<bf16, [128, 64], smem>, !tile.barriers<2>
        tile.copy_to_shared %bg, %b1, %full[%c1] : !tile.ref<bf16, [64?, 128?]>, !tile.ref<bf16, [64, 128], smem>, !tile.barriers<2>
      }
    } else {
      tile.barrier_wait %full[%c1] parity %false : !tile.barriers<2>
      %start = tile.full %zero : f32 -> tensor<128x128xf32>
      %acc = tile.wgmma %start, %a1, %b1 : !tile.ref<bf16, [128, 64], smem>, !tile.ref<bf16, [64, 128], smem> -> tensor<128x128xf32>
      %done = tile.wgmma_wait 0(%acc) : (tensor<128x128xf32>) -> tensor<128x128xf32>
      %os = tile.alloc : !tile.ref<bf16, [3, 64, 128], smem>
      %o1 = tile.slice %os[element %c1, whole, whole] : !tile.ref<bf16, [3, 64, 128], smem> -> !tile.ref<bf16, [64, 128], smem>
      %half = tile.subtile %done[window %c64, whole] : tensor<128x128xf32> -> tensor<64x128xf32>
      %cast = tile.cast %half : tensor<64x128xf32> -> tensor<64x128xbf16>
      tile.store %cast, %o1 : tensor<64x128xbf16>, !tile.ref<bf16, [64, 128], smem>
      tile.fence_shared
      %og = tile.slice %o[window %row, window %column] : !tile.ref<bf16, [?, ?]> -> !tile.ref<bf16, [64?, 128?]>
      tile.copy_to_global commit %o1, %og : !tile.ref<bf16, [64, 128], smem>, !tile.ref<bf16, [64?, 128?]>
      tile.wait_group 0
    }
    tile.yield
  }
  tile.return
}
