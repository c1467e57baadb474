// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that ptxas spills are assembled again without the others, told to have as many blocks as they have got, then
// fewer; those that have a few registers too many for another block are told to have one more. What served each best is
// its cubin. If all are to be in one, they are assembled together at last, each told that; those that do well are told
// nothing.
// RUN: rm -f %t %t.all
// RUN: env TEGULA_PTXAS=%S/Inputs/spilling-ptxas.sh TEGULA_TEST_LOG=%t tegulac --arch sm_90a --emit resources %s | FileCheck %s
// RUN: FileCheck %s --check-prefixes=TOLD,APART --input-file=%t --match-full-lines
// RUN: env TEGULA_PTXAS=%S/Inputs/spilling-ptxas.sh TEGULA_TEST_LOG=%t.all tegulac --arch sm_90a --emit cubin %s -o %t.cubin
// RUN: FileCheck %s --check-prefixes=TOLD,TOGETHER --input-file=%t.all --match-full-lines
// CHECK-DAG: one: registers 64, stack 0, spills 0
// CHECK-DAG: two: registers 64, stack 4, spills 4
// CHECK-DAG: three: registers 64, stack 0, spills 0
// CHECK-DAG: close: registers 64, stack 0, spills 0
// CHECK-DAG: beyond: registers 66, stack 0, spills 0
// CHECK-DAG: told: registers 64, stack 0, spills 0
// CHECK-DAG: narrow: registers 64, stack 0, spills 0
// CHECK-DAG: some: registers 64, stack 0, spills 0
// CHECK-DAG: much: registers 64, stack 0, spills 0
// CHECK-DAG: wide: registers 255, stack 8, spills 8

// 64 registers for 256 threads: four blocks.
// TOLD: one any
// TOLD-NEXT: two any
// TOLD-NEXT: three any
// TOLD-NEXT: close any
// TOLD-NEXT: beyond any
// TOLD-NEXT: told 4
// TOLD-NEXT: narrow any
// TOLD-NEXT: some 4
// TOLD-NEXT: much 4
// TOLD-NEXT: wide any
// TOLD-NEXT: one 4
// TOLD-NEXT: two 4
// 66 registers are three blocks, and two less would be four.
// TOLD-NEXT: close 4
// TOLD-NEXT: beyond 4
// Four of `told` are known to spill.
// TOLD-NEXT: told 3
// 32 to 29 blocks of 32 threads have 64 registers each.
// TOLD-NEXT: narrow 32
// TOLD-NEXT: some 3
// Whoever stores more than 18 bytes for each of the 16 registers that three blocks would add is told two at once.
// TOLD-NEXT: much 2
// A thread of one block of 128 has no more registers than one of two.
// TOLD-NEXT: wide 2
// TOLD-NEXT: one 3
// TOLD-NEXT: two 3
// TOLD-NEXT: narrow 28
// TOLD-NEXT: some 2
// TOLD-NEXT: one 2
// TOLD-NEXT: two 2
// TOLD-NEXT: two 1
// APART-NOT: {{.}}
// TOGETHER-NEXT: one 2
// TOGETHER-NEXT: two 3
// TOGETHER-NEXT: three any
// TOGETHER-NEXT: close 4
// TOGETHER-NEXT: beyond any
// TOGETHER-NEXT: told 3
// TOGETHER-NEXT: narrow 28
// TOGETHER-NEXT: some 2
// TOGETHER-NEXT: much 2
// TOGETHER-NEXT: wide any
// TOGETHER-NOT: {{.}}
tile.kernel @one(%x: !tile.ref<f32, []>) attributes {threads = 256 : i64, group = 1 : i64} {
  %0 = tile.load %x : !tile.ref<f32, []> -> tensor<f32>
  tile.store %0, %x : tensor<f32>, !tile.ref<f32, []>
  tile.return
}
tile.kernel @two(%x: !tile.ref<f32, []>) attributes {threads = 256 : i64, group = 1 : i64} {
  tile.return
}
tile.kernel @three(%x: !tile.ref<f32, []>) attributes {threads = 256 : i64, group = 1 : i64} {
  tile.return
}
tile.kernel @close(%x: !tile.ref<f32, []>) attributes {threads = 256 : i64, group = 1 : i64} {
  %0 = tile.load %x : !tile.ref<f32, []> -> tensor<f32>
  tile.store %0, %x : tensor<f32>, !tile.ref<f32, []>
  tile.return
}
tile.kernel @beyond(%x: !tile.ref<f32, []>) attributes {threads = 256 : i64, group = 1 : i64} {
  %0 = tile.load %x : !tile.ref<f32, []> -> tensor<f32>
  tile.store %0, %x : tensor<f32>, !tile.ref<f32, []>
  tile.return
}
tile.kernel @told(%x: !tile.ref<f32, []>) attributes {threads = 256 : i64, group = 1 : i64, tile.ctas_per_multiprocessor = 4 : i64} {
  %0 = tile.load %x : !tile.ref<f32, []> -> tensor<f32>
  tile.store %0, %x : tensor<f32>, !tile.ref<f32, []>
  tile.return
}
tile.kernel @narrow(%x: !tile.ref<f32, []>) attributes {threads = 32 : i64, group = 1 : i64} {
  %0 = tile.load %x : !tile.ref<f32, []> -> tensor<f32>
  tile.store %0, %x : tensor<f32>, !tile.ref<f32, []>
  tile.return
}
tile.kernel @some(%x: !tile.ref<f32, []>) attributes {threads = 256 : i64, group = 1 : i64, tile.ctas_per_multiprocessor = 4 : i64} {
  %0 = tile.load %x : !tile.ref<f32, []> -> tensor<f32>
  tile.store %0, %x : tensor<f32>, !tile.ref<f32, []>
  tile.return
}
tile.kernel @much(%x: !tile.ref<f32, []>) attributes {threads = 256 : i64, group = 1 : i64, tile.ctas_per_multiprocessor = 4 : i64} {
  %0 = tile.load %x : !tile.ref<f32, []> -> tensor<f32>
  tile.store %0, %x : tensor<f32>, !tile.ref<f32, []>
  tile.return
}
tile.kernel @wide(%x: !tile.ref<f32, []>) attributes {threads = 128 : i64, group = 1 : i64} {
  %0 = tile.load %x : !tile.ref<f32, []> -> tensor<f32>
  tile.store %0, %x : tensor<f32>, !tile.ref<f32, []>
  tile.return
}
