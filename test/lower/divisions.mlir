// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread's divisions of f32 are made together: quickly if all are in range, in f64 if one is not.
// RUN: tegula-opt --tile-lower-to-llvm --split-input-file %s | FileCheck %s

// A Newton step makes the reciprocal, one correction the quotient. Any others: two terms of a series, one correction, and
// what is special is chosen. Nothing is called, and no memory is used.
// CHECK-LABEL: llvm.func @together
// CHECK-NOT: llvm.alloca
// CHECK: llvm.cond_br %{{.*}}, ^[[FAST:.*]], ^[[SLOW:.*]]
// CHECK: ^[[FAST]]:
// CHECK: %[[MINUS:.*]] = llvm.fneg %[[Y:.*]] : f32
// CHECK-NEXT: %[[GUESS:.*]] = llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"(%[[Y]])
// CHECK-NEXT: %[[MISSES:.*]] = llvm.intr.fma(%[[MINUS]], %[[GUESS]], %{{.*}})
// CHECK-NEXT: %[[RECIPROCAL:.*]] = llvm.intr.fma(%[[GUESS]], %[[MISSES]], %[[GUESS]])
// CHECK-NEXT: %[[FIRST:.*]] = llvm.fmul %[[X:.*]], %[[RECIPROCAL]]
// CHECK-NEXT: %[[REST:.*]] = llvm.intr.fma(%[[MINUS]], %[[FIRST]], %[[X]])
// CHECK-NEXT: llvm.intr.fma(%[[REST]], %[[RECIPROCAL]], %[[FIRST]])
// CHECK-COUNT-28: llvm.intr.fma
// CHECK-NOT: llvm.intr.fma
// CHECK: ^[[SLOW]]:
// CHECK: %[[WX:.*]] = llvm.fpext %{{.*}} : f32 to f64
// CHECK-NEXT: %[[WY:.*]] = llvm.fpext %{{.*}} : f32 to f64
// CHECK-NEXT: %[[WMINUS:.*]] = llvm.fneg %[[WY]] : f64
// CHECK-NEXT: %[[WGUESS:.*]] = llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.d"(%[[WY]])
// CHECK-NEXT: %[[ERROR:.*]] = llvm.intr.fma(%[[WMINUS]], %[[WGUESS]], %{{.*}})
// CHECK-NEXT: %[[TERMS:.*]] = llvm.intr.fma(%[[ERROR]], %[[ERROR]], %[[ERROR]])
// CHECK-NEXT: %[[WRECIPROCAL:.*]] = llvm.intr.fma(%[[WGUESS]], %[[TERMS]], %[[WGUESS]])
// CHECK-NEXT: %[[WFIRST:.*]] = llvm.fmul %[[WX]], %[[WRECIPROCAL]]
// CHECK-NEXT: %[[WREST:.*]] = llvm.intr.fma(%[[WMINUS]], %[[WFIRST]], %[[WX]])
// CHECK-NEXT: %[[CORRECTED:.*]] = llvm.intr.fma(%[[WREST]], %[[WRECIPROCAL]], %[[WFIRST]])
// CHECK-NEXT: %[[ORDINARY:.*]] = llvm.fcmp "one" %[[CORRECTED]], %{{.*}}
// CHECK-NEXT: %[[SPECIAL:.*]] = llvm.fmul %[[WX]], %[[WGUESS]]
// CHECK-NEXT: %[[CHOSEN:.*]] = llvm.select %[[ORDINARY]], %[[CORRECTED]], %[[SPECIAL]]
// CHECK-NEXT: llvm.fptrunc %[[CHOSEN]] : f64 to f32
// CHECK-COUNT-7: llvm.fptrunc
// CHECK-NOT: llvm.fptrunc
// CHECK-NOT: llvm.fdiv
// CHECK: llvm.return
#row = #tile.layout<blocked<[8], lanes [32]>>
tile.kernel @together(%x: !tile.ref<bf16, [256], align 16>, %y: !tile.ref<f32, [256]>, %o: !tile.ref<f32, [256]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<bf16, [256], align 16> -> tensor<256xbf16, #row>
  %1 = tile.cast %0 : tensor<256xbf16, #row> -> tensor<256xf32, #row>
  %2 = tile.load %y : !tile.ref<f32, [256]> -> tensor<256xf32, #row>
  %3 = tile.div %1, %2 : tensor<256xf32, #row>
  tile.store %3, %o : tensor<256xf32, #row>, !tile.ref<f32, [256]>
  tile.return
}

// -----

// More than eight are made in a loop over local memory, which has room for whole vectors.
// CHECK-LABEL: llvm.func @many
// CHECK-DAG: %[[COUNT:.*]] = llvm.mlir.constant(16 : i32)
// CHECK: %[[XS:.*]] = llvm.alloca %[[COUNT]] x f32 {alignment = 64 : i64}
// CHECK: %[[YS:.*]] = llvm.alloca %[[COUNT]] x f32 {alignment = 64 : i64}
// CHECK: llvm.store %{{.*}}, %[[XS]] : vector<16xf32>, !llvm.ptr
// CHECK: llvm.store %{{.*}}, %[[YS]] : vector<16xf32>, !llvm.ptr
// CHECK: ^[[HEAD:.*]](%[[I:.*]]: i32):
// CHECK-NEXT: llvm.icmp "slt" %[[I]], %[[COUNT]]
// CHECK: llvm.getelementptr %[[XS]]
// CHECK-COUNT-4: llvm.fptrunc
// CHECK-NOT: llvm.fptrunc
// CHECK: llvm.br ^[[HEAD]](
// CHECK: llvm.load %[[XS]] : !llvm.ptr -> vector<16xf32>
#long = #tile.layout<blocked<[16], lanes [32]>>
tile.kernel @many(%x: !tile.ref<f32, [512], align 16>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [512], align 16> -> tensor<512xf32, #long>
  %1 = tile.div %0, %0 : tensor<512xf32, #long>
  tile.store %1, %x : tensor<512xf32, #long>, !tile.ref<f32, [512], align 16>
  tile.return
}

// -----

// Fewer than four, and f64: each by itself.
// CHECK-LABEL: llvm.func @alone
// CHECK-NOT: {{rcp|alloca|cond_br}}
// CHECK: llvm.fdiv {{.*}} : vector<2xf32>
// CHECK-NOT: {{rcp|alloca|cond_br}}
// CHECK: llvm.fdiv {{.*}} : vector<2xf64>
// CHECK-NOT: {{rcp|alloca|cond_br}}
// CHECK: llvm.return
#two = #tile.layout<blocked<[2], lanes [32]>>
tile.kernel @alone(%x: !tile.ref<f32, [64], align 16>, %y: !tile.ref<f64, [256], align 16>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [64], align 16> -> tensor<64xf32, #two>
  %1 = tile.div %0, %0 : tensor<64xf32, #two>
  tile.store %1, %x : tensor<64xf32, #two>, !tile.ref<f32, [64], align 16>
  %2 = tile.load %y : !tile.ref<f64, [256], align 16> -> tensor<256xf64, #two>
  %3 = tile.div %2, %2 : tensor<256xf64, #two>
  tile.store %3, %y : tensor<256xf64, #two>, !tile.ref<f64, [256], align 16>
  tile.return
}

// -----

// Numerators without sign are compared as integers, at both ends of the range.
// CHECK-LABEL: llvm.func @exponentials
// CHECK: llvm.intr.umin
// CHECK-NEXT: llvm.intr.umax
// CHECK-NOT: llvm.fcmp
// CHECK: llvm.icmp "uge"
// CHECK: llvm.icmp "ule"
// CHECK: llvm.intr.minnum
// CHECK: llvm.cond_br
#four = #tile.layout<blocked<[4], lanes [32]>>
tile.kernel @exponentials(%x: !tile.ref<f32, [128], align 16>, %y: !tile.ref<f32, [128], align 16>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [128], align 16> -> tensor<128xf32, #four>
  %1 = tile.load %y : !tile.ref<f32, [128], align 16> -> tensor<128xf32, #four>
  %2 = tile.exp %0 : tensor<128xf32, #four>
  %3 = tile.div %2, %1 : tensor<128xf32, #four>
  tile.store %3, %x : tensor<128xf32, #four>, !tile.ref<f32, [128], align 16>
  tile.return
}

// -----

// Those that are at most 1 at the lower end alone; and such an exponential takes no libdevice.
// CHECK-LABEL: llvm.func @at_most_one
// CHECK-NOT: __nv_expf
// CHECK-COUNT-4: "llvm.nvvm.ex2.approx.ftz.f"
// CHECK-COUNT-3: llvm.intr.umin
// CHECK-NOT: llvm.intr.umax
// CHECK: llvm.icmp "uge"
// CHECK-NOT: llvm.icmp
// CHECK: llvm.intr.minnum
// CHECK: llvm.cond_br
#least = #tile.layout<blocked<[4], lanes [32]>>
tile.kernel @at_most_one(%x: !tile.ref<f32, [128], align 16>, %y: !tile.ref<f32, [128], align 16>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [128], align 16> -> tensor<128xf32, #least>
  %1 = tile.load %y : !tile.ref<f32, [128], align 16> -> tensor<128xf32, #least>
  %2 = tile.exp %0 {tile.never_positive} : tensor<128xf32, #least>
  %3 = tile.div %2, %1 : tensor<128xf32, #least>
  tile.store %3, %x : tensor<128xf32, #least>, !tile.ref<f32, [128], align 16>
  tile.return
}
