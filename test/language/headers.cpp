// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel language and the host's library do not meet in one file, in either order.
// RUN: not %clangxx -D__TEGULA__ -std=c++23 -w -fsyntax-only %s -DLANGUAGE_FIRST 2>&1 | FileCheck %s
// RUN: not %clangxx -D__TEGULA__ -std=c++23 -w -fsyntax-only %s 2>&1 | FileCheck %s
// The kernel language includes no other header than its own.
// RUN: %clangxx -D__TEGULA__ -std=c++23 -w -fsyntax-only -H -x c++ %include/tegula/tegula.h 2>&1 | not grep -v /tegula/
#ifdef LANGUAGE_FIRST
#include <tegula/runtime.h>
#include <tegula/tegula.h>
#else
#include <tegula/runtime.h>
#include <tegula/tegula.h>
#endif
// CHECK: error: {{.*}}a kernel file includes <tegula/tegula.h>
