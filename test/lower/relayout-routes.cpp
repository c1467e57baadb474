// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each route of a relayout is taken by a kernel of test/kernels/relayouts.cpp, which the tests run.
// RUN: tegulac --arch sm_90a --emit ptx %source/test/kernels/relayouts.cpp -o %t
// RUN: FileCheck %s --input-file=%t --check-prefix=COPIES
// RUN: FileCheck %s --input-file=%t --check-prefix=REGISTERS
// RUN: FileCheck %s --input-file=%t --check-prefix=SHUFFLES
// RUN: FileCheck %s --input-file=%t --check-prefix=MEMORY

// All shuffles are the reductions' own, by 1 and 2 for four columns, twice in the code; then each thread keeps one of
// four that it has.
// COPIES-LABEL: .entry both_ways_f32_4_0_dense(
// COPIES-NOT: .shared
// COPIES-COUNT-4: shfl.sync.bfly.b32 {{.*}}, 1, 7199
// COPIES-COUNT-4: shfl.sync.bfly.b32 {{.*}}, 2, 7199
// COPIES-NOT: {{shfl|shared}}
// COPIES-COUNT-3: selp.f32
// COPIES-COUNT-4: shfl.sync.bfly.b32 {{.*}}, 1, 7199
// COPIES-COUNT-4: shfl.sync.bfly.b32 {{.*}}, 2, 7199
// COPIES-NOT: {{shfl|shared}}
// COPIES-COUNT-3: selp.f32
// COPIES-NOT: {{shfl|shared}}
// COPIES: ret;

// A thread has all four.
// REGISTERS-LABEL: .entry both_sides_s32_2_0_dense(
// REGISTERS-NOT: {{shfl|shared}}
// REGISTERS: ret;

// Transpositions of 4 x 4, a row a thread, in two loops: three shuffles each.
// SHUFFLES-LABEL: .entry both_sides_s32_4_0_dense(
// SHUFFLES-NOT: .shared
// SHUFFLES-COUNT-6: shfl.sync.bfly
// SHUFFLES-NOT: {{shfl|shared}}
// SHUFFLES: ret;

// Between warps.
// MEMORY-LABEL: .entry both_sides_s32_32_0_dense(
// MEMORY: .shared
// MEMORY-NOT: shfl
// MEMORY: st.shared
// MEMORY: bar.sync
// MEMORY: ld.shared.v4.u32
// MEMORY: ret;
