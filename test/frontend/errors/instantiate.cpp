// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Instances are those of functions with a body.
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> TEGULA_KERNEL void f(T);
// CHECK: instantiate.cpp:[[@LINE+1]]:1: error: TEGULA_INSTANTIATE("name", f<...>) takes a name and an instance of a function template that is marked TEGULA_KERNEL [tegula-instantiate]
TEGULA_INSTANTIATE("f32", f<float>);
