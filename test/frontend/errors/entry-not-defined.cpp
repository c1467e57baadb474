// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A declaration promises a function.
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK: entry-not-defined.cpp:[[@LINE+1]]:35: error: 'twice' is declared as an entry, but never defined, so no program could call it: define it in this file, or remove TEGULA_KERNEL [tegula-entry-not-defined]
TEGULA_KERNEL tg::array<float, 1> twice(tg::array<const float, 1> x);
TEGULA_KERNEL tg::array<float, 1> twice(tg::array<const float, 1> x);
// CHECK: entry-not-defined.cpp:[[@LINE+1]]:39: error: 'thrice' is declared as an entry, but never defined,
template <class T> TEGULA_KERNEL void thrice(T);

// Defined below.
TEGULA_KERNEL void later(tg::array<float, 1> o);
TEGULA_KERNEL void later(tg::array<float, 1> o) {
  tg::pallas_call([](auto o) { o[tg::all] = 1; }, tg::out(o));
}
