// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// Where the mark of an entry stands.
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK: kernel-comes-first.cpp:[[@LINE+1]]:8: error: TEGULA_KERNEL stands first in a declaration: write it in front of static
static TEGULA_KERNEL void f(tg::array<float, 1> o) {}
// CHECK: kernel-comes-first.cpp:[[@LINE+1]]:8: error: TEGULA_KERNEL stands first in a declaration: write it in front of inline
inline TEGULA_KERNEL tg::array<float, 1> g(tg::array<float, 1> o) { return tg::empty_like(o); }
// CHECK: kernel-comes-first.cpp:[[@LINE+1]]:6: error: TEGULA_KERNEL stands first in a declaration: write it in front of void
void TEGULA_KERNEL h(tg::array<float, 1> o) {}
// CHECK: kernel-comes-first.cpp:[[@LINE+1]]:27: error: TEGULA_KERNEL stands first in a declaration: write it in front of static
template <class T> static TEGULA_KERNEL void k(tg::array<T, 1> o) {}
// As the message says:
TEGULA_KERNEL static void l(tg::array<float, 1> o) {}
