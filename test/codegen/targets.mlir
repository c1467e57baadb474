// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every architecture of the table, under its own name; ptxas takes the code of each.
// RUN: tegula-translate --arch=sm_75 %s | FileCheck %s -DTARGET=sm_75
// RUN: tegula-translate --arch=sm_80 %s | FileCheck %s -DTARGET=sm_80
// RUN: tegula-translate --arch=sm_86 %s | FileCheck %s -DTARGET=sm_86
// RUN: tegula-translate --arch=sm_89 %s | FileCheck %s -DTARGET=sm_89
// RUN: tegula-translate --arch=sm_90a %s | FileCheck %s -DTARGET=sm_90a
// RUN: tegula-translate --arch=sm_100a %s | FileCheck %s -DTARGET=sm_100a
// RUN: tegula-translate --arch=sm_103a %s | FileCheck %s -DTARGET=sm_103a
// RUN: tegula-translate --arch=sm_120a %s | FileCheck %s -DTARGET=sm_120a
// RUN: tegula-translate --arch=sm_75 --emit=resources %s | FileCheck %s --check-prefix=CUBIN
// RUN: tegula-translate --arch=sm_80 --emit=resources %s | FileCheck %s --check-prefix=CUBIN
// RUN: tegula-translate --arch=sm_86 --emit=resources %s | FileCheck %s --check-prefix=CUBIN
// RUN: tegula-translate --arch=sm_89 --emit=resources %s | FileCheck %s --check-prefix=CUBIN
// RUN: tegula-translate --arch=sm_90a --emit=resources %s | FileCheck %s --check-prefix=CUBIN
// RUN: tegula-translate --arch=sm_100a --emit=resources %s | FileCheck %s --check-prefix=CUBIN
// RUN: tegula-translate --arch=sm_103a --emit=resources %s | FileCheck %s --check-prefix=CUBIN
// RUN: tegula-translate --arch=sm_120a --emit=resources %s | FileCheck %s --check-prefix=CUBIN
// RUN: not tegula-translate --arch=sm_90 %s 2>&1 | FileCheck %s --check-prefix=NEARLY
// RUN: not tegula-translate --arch=hopper %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: env TEGULA_PTXAS=/nowhere/ptxas not tegula-translate --emit=cubin %s 2>&1 | FileCheck %s --check-prefix=NO-PTXAS

// CHECK: .version
// CHECK-NEXT: .target [[TARGET]]{{$}}
// CHECK: .visible .entry twice(
// CUBIN: twice: registers {{[0-9]+}}, stack 0, spills 0
// CUBIN-NOT: C75
// NEARLY: error: unknown architecture 'sm_90'; say sm_90a, whose code runs on this chip
// UNKNOWN: error: unknown architecture 'hopper'; known are sm_75, sm_80, sm_86, sm_89, sm_90a, sm_100a, sm_103a, sm_120a
// NO-PTXAS: error: ptxas is needed for cubins, and there is no program '/nowhere/ptxas': install a CUDA toolkit, name its ptxas in TEGULA_PTXAS, or ask for --emit=ptx
tile.kernel @twice(%x: !tile.ref<bf16, [512?], align 16>) attributes {threads = 32 : i64, team = 32 : i64} {
  %0 = tile.load %x : !tile.ref<bf16, [512?], align 16> -> tensor<512xbf16>
  %1 = tile.add %0, %0 : tensor<512xbf16>
  tile.store %1, %x : tensor<512xbf16>, !tile.ref<bf16, [512?], align 16>
  tile.return
}
