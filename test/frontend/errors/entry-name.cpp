// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// The name becomes a function.
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> TEGULA_KERNEL void f(T) {}
// CHECK: entry-name.cpp:[[@LINE+1]]:1: error: 'f-32' cannot be the name of a C++ function [tegula-entry-name]
TEGULA_INSTANTIATE("f-32", f<int>);
// CHECK: entry-name.cpp:[[@LINE+1]]:1: error: 'class' cannot be the name of a C++ function [tegula-entry-name]
TEGULA_INSTANTIATE("class", f<float>);
