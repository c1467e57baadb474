// Each role has its own code, roles within roles, too.
// RUN: tegula-opt %s --tile-outline --canonicalize --cse --tile-specialize-threads --canonicalize --cse | FileCheck %s

// Three roles, told apart one after the other. What follows is there once for each, and knows which it is.
// CHECK-LABEL: tile.kernel @three_0
// CHECK: %[[S:.+]] = tile.alloc
// CHECK: scf.if
// CHECK-NEXT: tile.set_max_registers 24
// CHECK-NOT: tile.set_max_registers
// CHECK: tile.store %{{.+}}, %[[S]]
// CHECK: } else {
// CHECK: scf.if
// CHECK-NEXT: tile.set_max_registers 40
// CHECK-NOT: tile.store
// CHECK: tile.load %[[S]]
// CHECK: } else {
// CHECK-NEXT: tile.set_max_registers increase 240
// CHECK-NOT: tile.store
// CHECK: tile.load %[[S]]
// CHECK: tile.return
tile.entry @three(%x: !tile.array<f32, 1>) attributes {qualified_name = "three"} {
  tile.launch "three_0" grid() args(inout %a = %x : !tile.array<f32, 1>) attributes {warpgroups = 3 : i64} {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %f = arith.constant 1.0 : f32
    %thread = tile.thread_index
    %first = arith.cmpi eq, %thread, %c0 : i64
    %second = arith.cmpi eq, %thread, %c1 : i64
    scf.if %first {
      tile.set_max_registers 24
    } else {
      scf.if %second {
        tile.set_max_registers 40
      } else {
        tile.set_max_registers increase 240
      }
    }
    %s = tile.alloc : !tile.ref<f32, [128], smem>
    scf.if %first {
      %t = tile.full %f : f32 -> tensor<128xf32>
      tile.store %t, %s : tensor<128xf32>, !tile.ref<f32, [128], smem>
    } else {
      %t = tile.load %s : !tile.ref<f32, [128], smem> -> tensor<128xf32>
      %w = tile.slice %a[window %c0] : !tile.ref<f32, [?]> -> !tile.ref<f32, [128?]>
      %v = tile.slice %a[window %thread] : !tile.ref<f32, [?]> -> !tile.ref<f32, [128?]>
      tile.store %t, %v : tensor<128xf32>, !tile.ref<f32, [128?]>
    }
    tile.yield
  }
  tile.return
}

// Two conditions in a row: no thread is both.
// CHECK-LABEL: tile.kernel @row_0
// CHECK: scf.if
// CHECK-NEXT: tile.set_max_registers 24
// CHECK-NOT: tile.set_max_registers
// CHECK: } else {
// CHECK-NEXT: tile.set_max_registers increase 240
// CHECK-NOT: tile.set_max_registers
// CHECK: tile.return
tile.entry @row(%x: !tile.array<f32, 1>) attributes {qualified_name = "row"} {
  tile.launch "row_0" grid() args(inout %a = %x : !tile.array<f32, 1>) attributes {warpgroups = 2 : i64} {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %thread = tile.thread_index
    %first = arith.cmpi eq, %thread, %c0 : i64
    scf.if %first {
      tile.set_max_registers 24
    }
    %second = arith.cmpi eq, %thread, %c1 : i64
    scf.if %second {
      tile.set_max_registers increase 240
    }
    %t = tile.load %a : !tile.ref<f32, [?]> -> tensor<?xf32>
    tile.yield
  }
  tile.return
}
