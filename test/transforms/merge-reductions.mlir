// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt --tile-merge-reductions %s | FileCheck %s

// What the second sum needs comes before both.
// CHECK-LABEL: tile.kernel @together(
// CHECK: %[[X:.*]] = tile.load
// CHECK: %[[Y:.*]] = tile.mul %[[X]], %[[X]]
// CHECK-NEXT: %[[SUMS:.*]]:2 = tile.reduce custom %[[X]], %[[Y]] [0] identities [0.000000e+00 : f32, 0.000000e+00 : f32] cluster {
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32, %[[D:.*]]: f32):
// CHECK-NEXT: %[[AC:.*]] = arith.addf %[[A]], %[[C]]
// CHECK-NEXT: %[[BD:.*]] = arith.addf %[[B]], %[[D]]
// CHECK-NEXT: tile.combined %[[AC]], %[[BD]] : f32, f32
// CHECK: tile.extract %[[SUMS]]#0
// CHECK: tile.extract %[[SUMS]]#1
tile.kernel @together(%x: !tile.ref<f32, [8192]>, %o: !tile.ref<f32, [8192]>) attributes {group = 256 : i64, threads = 256 : i64} {
  %t = tile.load %x : !tile.ref<f32, [8192]> -> tensor<8192xf32>
  %a = tile.reduce sum %t [0] cluster : tensor<8192xf32> -> tensor<f32>
  %as = tile.extract %a : tensor<f32> -> f32
  %y = tile.mul %t, %t : tensor<8192xf32>
  %b = tile.reduce sum %y [0] cluster : tensor<8192xf32> -> tensor<f32>
  %bs = tile.extract %b : tensor<f32> -> f32
  %s = arith.addf %as, %bs : f32
  %f = tile.full %s : f32 -> tensor<8192xf32>
  tile.store %f, %o : tensor<8192xf32>, !tile.ref<f32, [8192]>
  tile.return
}

// One depends on the other, as a variance on the mean.
// CHECK-LABEL: tile.kernel @dependent(
// CHECK-NOT: custom
tile.kernel @dependent(%x: !tile.ref<f32, [8192]>, %o: !tile.ref<f32, [8192]>) attributes {group = 256 : i64, threads = 256 : i64} {
  %t = tile.load %x : !tile.ref<f32, [8192]> -> tensor<8192xf32>
  %a = tile.reduce sum %t [0] cluster : tensor<8192xf32> -> tensor<f32>
  %as = tile.extract %a : tensor<f32> -> f32
  %m = tile.full %as : f32 -> tensor<8192xf32>
  %y = tile.sub %t, %m : tensor<8192xf32>
  %b = tile.reduce sum %y [0] cluster : tensor<8192xf32> -> tensor<f32>
  %bs = tile.extract %b : tensor<f32> -> f32
  %f = tile.full %bs : f32 -> tensor<8192xf32>
  tile.store %f, %o : tensor<8192xf32>, !tile.ref<f32, [8192]>
  tile.return
}

// Loads stay behind stores; sums of one CTA stay as they are.
// CHECK-LABEL: tile.kernel @behind_a_store(
// CHECK-NOT: custom
tile.kernel @behind_a_store(%x: !tile.ref<f32, [8192]>, %o: !tile.ref<f32, [8192]>, %p: !tile.ref<f32, []>) attributes {group = 256 : i64, threads = 256 : i64} {
  %t = tile.load %x : !tile.ref<f32, [8192]> -> tensor<8192xf32>
  %a = tile.reduce sum %t [0] cluster : tensor<8192xf32> -> tensor<f32>
  tile.store %t, %o : tensor<8192xf32>, !tile.ref<f32, [8192]>
  %u = tile.load %o : !tile.ref<f32, [8192]> -> tensor<8192xf32>
  %b = tile.reduce sum %u [0] cluster : tensor<8192xf32> -> tensor<f32>
  %c = tile.reduce sum %t [0] : tensor<8192xf32> -> tensor<f32>
  %d = tile.reduce sum %u [0] : tensor<8192xf32> -> tensor<f32>
  %ab = tile.add %a, %b : tensor<f32>
  %cd = tile.add %c, %d : tensor<f32>
  %all = tile.add %ab, %cd : tensor<f32>
  tile.store %all, %p : tensor<f32>, !tile.ref<f32, []>
  tile.return
}
