// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Entries of one name take different parameters.
#include <tegula/tegula.h>
namespace tg = tegula;

namespace a {
TEGULA_KERNEL void f(int) {}
TEGULA_KERNEL void f(float) {}
TEGULA_KERNEL void f(unsigned) {}
TEGULA_KERNEL void f(long) {}
// To the host, both are 64 bits.
// CHECK: entry-twice.cpp:[[@LINE+1]]:20: error: there is another entry a::f with the same parameters: entries of one name must differ in the types of their parameters [tegula-entry-twice]
TEGULA_KERNEL void f(long long) {}
} // namespace a
TEGULA_KERNEL void f(float) {}

template <class T> TEGULA_KERNEL void g(T) {}
TEGULA_INSTANTIATE("g", g<int>);
TEGULA_INSTANTIATE("g", g<float>);
// CHECK: entry-twice.cpp:[[@LINE-3]]:39: error: there is another entry g with the same parameters
TEGULA_INSTANTIATE("g", g<int>);
