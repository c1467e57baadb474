// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row that all threads copy to shared memory: 250 units of 16 bytes by 128 threads, at constant distances.
// RUN: tegulac %s --emit=ptx --arch=sm_90a -o - | FileCheck %s

// Of an end anywhere, a unit may have some bytes; what lies beyond becomes 0.
// CHECK-LABEL: .entry any_end(
// CHECK: min.s64 %[[LEFT:rd[0-9]+]], %{{.*}}, 16;
// CHECK: max.s64 %{{rd[0-9]+}}, %[[LEFT]], 0;
// CHECK: @%p{{[0-9]+}} cp.async.cg.shared.global [%r{{[0-9]+}}], [%rd{{[0-9]+}}], 16, size;
// The last six threads have one unit.
// CHECK: setp.lt.s32 %p{{[0-9]+}}, %r{{[0-9]+}}, 488;
// CHECK: @%p{{[0-9]+}} cp.async.cg.shared.global [%r{{[0-9]+}}], [%rd{{[0-9]+}}], 16, size;
// CHECK-NOT: cp.async.cg
// CHECK: cp.async.commit_group;
tile.kernel @any_end(%x: !tile.ref<f32, [?], align 16>, %o: !tile.ref<f32, [1000], align 16>, %c: i64) attributes {group = 128 : i64, threads = 128 : i64} {
  %zero = arith.constant 0 : i64
  %is = arith.cmpi sgt, %c, %zero : i64
  %s = tile.alloc at 0 : !tile.ref<f32, [1000], smem swizzle 16>
  %w = tile.slice %x[window %zero] : !tile.ref<f32, [?], align 16> -> !tile.ref<f32, [1000?], align 16>
  tile.cp_async %w, %s if %is : !tile.ref<f32, [1000?], align 16>, !tile.ref<f32, [1000], smem swizzle 16>
  tile.cp_async_commit
  tile.cp_async_wait 0
  %t = tile.load %s : !tile.ref<f32, [1000], smem swizzle 16> -> tensor<1000xf32>
  tile.store %t, %o : tensor<1000xf32>, !tile.ref<f32, [1000], align 16>
  tile.return
}

// Of rows of whole units, a unit is there or not.
// CHECK-LABEL: .entry even_end(
// CHECK-NOT: min.s64
// CHECK: setp.gt.s64 %[[IS:p[0-9]+]],
// CHECK: selp.b32 size, %r{{[0-9]+}}, 0, %[[IS]];
// CHECK-NEXT: cp.async.cg.shared.global [%r{{[0-9]+}}], [%rd{{[0-9]+}}], 16, size;
// CHECK: cp.async.commit_group;
tile.kernel @even_end(%x: !tile.ref<f32, [?], align 16 even>, %o: !tile.ref<f32, [512], align 16>) attributes {group = 128 : i64, threads = 128 : i64} {
  %zero = arith.constant 0 : i64
  %s = tile.alloc at 0 : !tile.ref<f32, [512], smem swizzle 16>
  %w = tile.slice %x[window %zero] : !tile.ref<f32, [?], align 16 even> -> !tile.ref<f32, [512?], align 16 even>
  tile.cp_async %w, %s : !tile.ref<f32, [512?], align 16 even>, !tile.ref<f32, [512], smem swizzle 16>
  tile.cp_async_commit
  tile.cp_async_wait 0
  %t = tile.load %s : !tile.ref<f32, [512], smem swizzle 16> -> tensor<512xf32>
  tile.store %t, %o : tensor<512xf32>, !tile.ref<f32, [512], align 16>
  tile.return
}

// All of a row whose length the type says is there.
// CHECK-LABEL: .entry exact(
// CHECK: griddepcontrol.launch_dependents
// CHECK-NOT: setp
// CHECK: cp.async.cg.shared.global
tile.kernel @exact(%x: !tile.ref<f32, [512], align 16>, %o: !tile.ref<f32, [512], align 16>) attributes {group = 128 : i64, threads = 128 : i64} {
  %s = tile.alloc at 0 : !tile.ref<f32, [512], smem swizzle 16>
  tile.cp_async %x, %s : !tile.ref<f32, [512], align 16>, !tile.ref<f32, [512], smem swizzle 16>
  tile.cp_async_commit
  tile.cp_async_wait 0
  %t = tile.load %s : !tile.ref<f32, [512], smem swizzle 16> -> tensor<512xf32>
  tile.store %t, %o : tensor<512xf32>, !tile.ref<f32, [512], align 16>
  tile.return
}
