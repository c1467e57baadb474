// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every architecture of the table, under its own name; ptxas takes the code of each.
// RUN: tegulac --emit ptx %s -o %t \
// RUN:   --arch sm_75 --arch sm_80 --arch sm_86 --arch sm_89 --arch sm_90a --arch sm_100a --arch sm_103a --arch sm_120a
// RUN: FileCheck %s -DTARGET=sm_75 --input-file=%t.sm_75.ptx
// RUN: FileCheck %s -DTARGET=sm_80 --input-file=%t.sm_80.ptx
// RUN: FileCheck %s -DTARGET=sm_86 --input-file=%t.sm_86.ptx
// RUN: FileCheck %s -DTARGET=sm_89 --input-file=%t.sm_89.ptx
// RUN: FileCheck %s -DTARGET=sm_90a --input-file=%t.sm_90a.ptx
// RUN: FileCheck %s -DTARGET=sm_100a --input-file=%t.sm_100a.ptx
// RUN: FileCheck %s -DTARGET=sm_103a --input-file=%t.sm_103a.ptx
// RUN: FileCheck %s -DTARGET=sm_120a --input-file=%t.sm_120a.ptx
// RUN: tegulac --emit resources %s \
// RUN:   --arch sm_75 --arch sm_80 --arch sm_86 --arch sm_89 --arch sm_90a --arch sm_100a --arch sm_103a --arch sm_120a | FileCheck %s --check-prefix=CUBIN
// RUN: not tegulac --arch sm_90 --emit ptx %s 2>&1 | FileCheck %s --check-prefix=NEARLY
// RUN: not tegulac --arch hopper --emit ptx %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: env TEGULA_PTXAS=/nowhere/ptxas not tegulac --arch sm_90a --emit cubin %s 2>&1 | FileCheck %s --check-prefix=NO-PTXAS

// CHECK: .version
// CHECK-NEXT: .target [[TARGET]]{{$}}
// CHECK: .visible .entry twice(
// CUBIN: {{^}}sm_75 twice: registers {{[0-9]+}}, stack 0, spills 0
// CUBIN-NEXT: {{^}}sm_80 twice: registers {{[0-9]+}}, stack 0, spills 0
// CUBIN-NEXT: {{^}}sm_86 twice: registers {{[0-9]+}}, stack 0, spills 0
// CUBIN-NEXT: {{^}}sm_89 twice: registers {{[0-9]+}}, stack 0, spills 0
// CUBIN-NEXT: {{^}}sm_90a twice: registers {{[0-9]+}}, stack 0, spills 0
// CUBIN-NEXT: {{^}}sm_100a twice: registers {{[0-9]+}}, stack 0, spills 0
// CUBIN-NEXT: {{^}}sm_103a twice: registers {{[0-9]+}}, stack 0, spills 0
// CUBIN-NEXT: {{^}}sm_120a twice: registers {{[0-9]+}}, stack 0, spills 0
// CUBIN-NOT: {{.}}
// NEARLY: error: unknown architecture 'sm_90'; write sm_90a, whose code runs on this chip
// UNKNOWN: error: unknown architecture 'hopper'; known are sm_75, sm_80, sm_86, sm_89, sm_90a, sm_100a, sm_103a, sm_120a
// NO-PTXAS: error: ptxas is needed for cubins, and there is no program '/nowhere/ptxas': install a CUDA toolkit, name its ptxas in TEGULA_PTXAS, or ask for --emit=ptx
tile.kernel @twice(%x: !tile.ref<bf16, [512?], align 16>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<bf16, [512?], align 16> -> tensor<512xbf16>
  %1 = tile.add %0, %0 : tensor<512xbf16>
  tile.store %1, %x : tensor<512xbf16>, !tile.ref<bf16, [512?], align 16>
  tile.return
}
