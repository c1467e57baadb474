// From a launch of the explicit level to its kernel: axes, shared memory, tensor maps, roles.
// RUN: tegula-opt %s --tile-outline --canonicalize --cse --tile-assign-shared --tile-specialize-threads --canonicalize --tile-tensor-maps --canonicalize --cse | FileCheck %s

// CHECK: } plan (%[[CLUSTERS:.+]], %[[X:.+]], %[[Y:.+]], %[[O:.+]], %[[STEPS:.+]]) {
// The grid counts clusters.
// CHECK: %[[KNOWN:.+]] = arith.maxsi %[[CLUSTERS]], %c0_i64
// CHECK: %[[BLOCKS:.+]] = arith.muli %[[KNOWN]], %c2_i64
// Each block of the cluster fetches half of the rows of a's window, and all of b's: by panels of 128 bytes.
// CHECK: tile.tensor_map %[[X]] box [64, 64] swizzle 128
// CHECK: tile.tensor_map %[[Y]] box [64, 64] swizzle 128
// CHECK: tile.tensor_map %[[O]] box [64, 64] swizzle 128
// CHECK: tile.launch_kernel @products_0 blocks(%[[BLOCKS]])

// CHECK: tile.kernel @products_0({{.*}}%[[A:.+]]: !tile.tensor_map, %[[B:.+]]: !tile.tensor_map, {{.*}}!tile.tensor_map) attributes {cluster = 2 : i64, cluster_shape = array<i64: 1, 2>, group = 128 : i64, shared_bytes = 114704 : i64, threads = 256 : i64}
// CHECK: %[[RANK:.+]] = tile.cluster_rank
// What needs the most alignment comes first, barriers last.
// CHECK: %[[AS:.+]] = tile.alloc at 0 : <bf16, [2, 128, 64], smem swizzle 128>
// CHECK: %[[BS:.+]] = tile.alloc at 32768 : <bf16, [2, 64, 128], smem swizzle 128>
// CHECK: tile.alloc_barriers arrivals 2 at {{[0-9]+}}
// CHECK: scf.if
// Only the thread that copies.
// CHECK: tile.set_max_registers 40
// CHECK: scf.for
// CHECK: tile.tma_load %[[A]][{{.*}}], %{{.*}} offset %{{.*}} bytes %c16384_i64 mask %
// CHECK: tile.tma_load %[[B]][{{.*}}], %{{.*}} bytes %c16384_i64 :
// CHECK: tile.tma_load %[[B]][{{.*}}], %{{.*}} offset %{{[^ ]+}}, %{{[^ ]+}} :
// CHECK-NOT: tile.wgmma
// CHECK: } else {
// CHECK: tile.set_max_registers increase 232
// CHECK-NOT: tile.tma_load
// CHECK: tile.wgmma
// CHECK: tile.tma_store commit
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
      tile.set_max_registers increase 232
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
