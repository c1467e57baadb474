// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of a radix sort. Votes find equal digits; words that tell counts are written and read atomically.
// RUN: tegula-opt --tile-lower-to-llvm %s | FileCheck %s

// The digits of four bytes are counted in shared memory, then for all.
// CHECK: llvm.mlir.global internal @count_counts() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4096 x i8>
// CHECK-LABEL: llvm.func @count(
// CHECK: red.relaxed.cta.shared.add.u32
// CHECK: nvvm.barrier0
// CHECK-COUNT-4: red.relaxed.gpu.global.add.u64
// CHECK: llvm.return
tile.kernel @count(%k: !tile.ref<ui32, [?]>, %s: !tile.ref<i64, [?]>, %n: i64) attributes {threads = 256 : i64, group = 256 : i64} {
  tile.radix_count %k in %s length %n : !tile.ref<ui32, [?]>, !tile.ref<i64, [?]>
  tile.return
}

// CHECK-LABEL: llvm.func @move(
// CHECK: atom.relaxed.gpu.global.add.u64
// CHECK-COUNT-8: nvvm.vote.ballot.sync
// CHECK: st.relaxed.gpu.global.b64
// CHECK: ld.relaxed.gpu.global.b64
// CHECK: st.relaxed.gpu.global.b64
// CHECK: llvm.return
tile.kernel @move(%k: !tile.ref<f32, [?]>, %c: !tile.ref<i32, [?]>, %kt: !tile.ref<f32, [?]>, %ct: !tile.ref<i32, [?]>, %s: !tile.ref<i64, [?]>, %r: i64, %n: i64, %d: i64) attributes {threads = 256 : i64, group = 256 : i64} {
  tile.radix_pass %k carry %c : !tile.ref<i32, [?]> keys_to %kt : !tile.ref<f32, [?]> carried_to %ct : !tile.ref<i32, [?]> in %s rows %r length %n digit %d : !tile.ref<f32, [?]>, !tile.ref<i64, [?]>
  tile.return
}
