// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: echo '#include <tegula/runtime.h>' > %t.cpp
// RUN: echo '#include <tegula/tegula.h>' >> %t.cpp
// RUN: not tegulac --emit=tile %t.cpp 2>&1 | FileCheck %s --check-prefix=OTHER --implicit-check-not=error:
// OTHER: :1:10: error: a kernel file includes <tegula/tegula.h>; <tegula/runtime.h> is for host code, which includes the generated header
// The language and the library, at the user's #include; nothing follows from it.
#include <tegula/tegula.h>
// CHECK: both-headers.cpp:[[@LINE+1]]:10: error: a kernel file includes <tegula/tegula.h>; <tegula/runtime.h> is for host code, which includes the generated header
#include <tegula/runtime.h>
namespace tg = tegula;
TEGULA_KERNEL void f(tg::array<float, 1> o) {}
