// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that count become scf.for, whatever computes their bound: what the condition computes from values outside of the
// loop is hoisted.
// RUN: tegulac --emit=tile %s -o - | FileCheck %s
#include <tegula/tegula.h>
namespace tg = tegula;

#define ENTRY(NAME, LOOP)                                                                                              \
  TEGULA_KERNEL void NAME(tg::array<const float, 2> x, tg::array<float, 2> o) {                                        \
    tg::pallas_call(                                                                                                   \
        {.grid = {tg::cdiv(x.dim(0), 64)}},                                                                            \
        [](auto x, auto o) {                                                                                           \
          [[maybe_unused]] const auto i = tg::program_id(0);                                                           \
          auto acc = tg::zeros<float, 64, 64>();                                                                       \
          LOOP acc += tg::load(x.at(tg::all, tg::ds<64>(k * 64)), true, 0);                                            \
          o[tg::all] = acc;                                                                                            \
        },                                                                                                             \
        tg::in<64, tg::whole>(x, [](auto i) { return tg::index(i, 0); }),                                              \
        tg::out<64, 64>(o, [](auto i) { return tg::index(i, 0); }));                                                   \
  }

// CHECK-LABEL: tile.entry @by_cdiv
// CHECK: tile.launch
// CHECK: %[[DIM:.+]] = tile.dim %{{.+}}, 1 : !tile.ref
// CHECK: %[[SUM:.+]] = arith.addi %[[DIM]], %{{.+}}
// CHECK: %[[BOUND:.+]] = arith.divsi %[[SUM]]
// CHECK-NOT: scf.while
// CHECK: scf.for %{{.+}} = %{{.+}} to %[[BOUND]] step
ENTRY(by_cdiv, for (tg::s64 k = 0; k < tg::cdiv(x.dim(1), 64); ++k))

// CHECK-LABEL: tile.entry @by_quotient
// CHECK: tile.launch
// CHECK: %[[BOUND:.+]] = arith.divsi
// CHECK-NOT: scf.while
// CHECK: scf.for %{{.+}} = %{{.+}} to %[[BOUND]] step
ENTRY(by_quotient, for (tg::s64 k = 0; k < x.dim(1) / 64; ++k))

// CHECK-LABEL: tile.entry @by_dim
// CHECK: tile.launch
// CHECK: %[[BOUND:.+]] = tile.dim %{{.+}}, 1 : !tile.ref
// CHECK-NOT: scf.while
// CHECK: scf.for %{{.+}} = %{{.+}} to %[[BOUND]] step %c64
ENTRY(by_dim, for (tg::s64 k = 0; k < x.dim(1); k += 64))

// CHECK-LABEL: tile.entry @by_program
// CHECK: tile.launch
// CHECK: %[[BOUND:.+]] = tile.program_id 0
// CHECK-NOT: scf.while
// CHECK: scf.for %{{.+}} = %{{.+}} to %[[BOUND]] step
ENTRY(by_program, for (tg::s64 k = 0; k < i; ++k))

// k <= n: up to n + 1.
// CHECK-LABEL: tile.entry @up_to_program
// CHECK: tile.launch
// CHECK: %[[I:.+]] = tile.program_id 0
// CHECK: %[[BOUND:.+]] = arith.addi %[[I]], %c1
// CHECK-NOT: scf.while
// CHECK: scf.for %{{.+}} = %{{.+}} to %[[BOUND]] step
ENTRY(up_to_program, for (tg::s64 k = 0; k <= i; ++k))

// An int counts in 64 bits.
// CHECK-LABEL: tile.entry @by_int
// CHECK: tile.launch
// CHECK-NOT: scf.while
// CHECK: scf.for %[[K:.+]] = %{{.+}} to %{{.+}} step %{{.+}} : i64
// CHECK: arith.trunci %[[K]] : i64 to i32
ENTRY(by_int, for (int k = 0; k < x.dim(1) / 64; ++k))

// Numbers without sign, and counters that are compared by !=: signed ones of 64 bits, one by one.
// CHECK-LABEL: tile.entry @by_unsigned
// CHECK: tile.launch
// CHECK: %[[BOUND:.+]] = arith.extui
// CHECK-NOT: scf.while
// CHECK: scf.for %{{.+}} = %c0_i64{{.*}} to %[[BOUND]] step %c1_i64
ENTRY(by_unsigned, for (unsigned k = 0; k < unsigned(i); ++k))
// CHECK-LABEL: tile.entry @by_size
// CHECK: tile.launch
// CHECK-NOT: scf.while
// CHECK: scf.for %{{.+}} = %c1_i64 to %{{.+}} step %c1_i64
ENTRY(by_size, for (tg::u64 k = 1; k <= tg::u64(i); ++k))
// CHECK-LABEL: tile.entry @until
// CHECK: tile.launch
// CHECK: %[[BOUND:.+]] = tile.program_id 0
// CHECK-NOT: scf.while
// CHECK: scf.for %{{.+}} = %{{.+}} to %[[BOUND]] step
ENTRY(until, for (tg::s64 k = 0; k != i; ++k))
// From where it starts it may never come to the end.
// CHECK-LABEL: tile.entry @until_from
// CHECK: tile.launch
// CHECK: scf.while
ENTRY(until_from, for (tg::s64 k = i; k != 7; ++k))

// What is carried and grows by a constant is made of the counter.
// CHECK-LABEL: tile.entry @carried
// CHECK: tile.launch
// CHECK: scf.for %[[K:.+]] = %{{.+}} to %{{.+}} step %{{.+}} iter_args(%{{[^,]+}} = %{{[^,]+}}) -> (tensor<64x64xf32>)
// CHECK: %[[FAR:.+]] = arith.muli %[[K]], %c3_i64
// CHECK: arith.addi %[[FAR]], %{{.+}}
ENTRY(carried, tg::s64 k = 5; for (tg::s64 j = 0; j < i; ++j, k += 3))

// What changes inside is no bound.
// CHECK-LABEL: tile.entry @by_what_changes
// CHECK: tile.launch
// CHECK: scf.while
ENTRY(by_what_changes, tg::s64 n = i; for (tg::s64 k = 0; k < n / 2; ++k, --n))
