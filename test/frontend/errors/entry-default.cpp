// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A default argument that the generated header cannot repeat.
#include <tegula/tegula.h>
namespace tg = tegula;

int counted();
// CHECK: entry-default.cpp:[[@LINE+1]]:35: error: the generated header repeats the default argument of 'n', so it must be a compile-time constant: write a literal or a constexpr variable, or remove it [tegula-entry-default]
TEGULA_KERNEL void called(int n = counted()) {}

// CHECK: entry-default.cpp:[[@LINE+1]]:60: error: the generated header repeats the default argument of 'n'
template <class T> TEGULA_KERNEL void instance(tg::s64 n = sizeof(T)) {}
TEGULA_INSTANTIATE("of_float", instance<float>);

// CHECK: entry-default.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the generated header repeats the default argument of 'xs'
TEGULA_KERNEL void list(tg::arrays<const float, 1> xs = {}) {}
