// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A file exports something.
#include <tegula/tegula.h>
namespace tg = tegula;

// nothing
void f(tg::array<const float, 1> x);
// CHECK: no-entries.cpp:1:1: error: the file exports no entry: mark a function with TEGULA_KERNEL, and instantiate templates with TEGULA_INSTANTIATE [tegula-no-entries]
