// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Entries are not overloaded.
#include <tegula/tegula.h>
namespace tg = tegula;

namespace a {
TEGULA_KERNEL void f(int) {}
// CHECK: entry-twice.cpp:[[@LINE+1]]:20: error: there is another entry a::f: entries are not overloaded; give this one another name [tegula-entry-twice]
TEGULA_KERNEL void f(float) {}
} // namespace a
TEGULA_KERNEL void f(float) {}
