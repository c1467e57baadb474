// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A template that is marked, but of which nothing is exported.
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK: not-instantiated.cpp:[[@LINE+1]]:39: error: the file exports no entry, because the template 'fill' is not instantiated: write TEGULA_INSTANTIATE("name", fill<...>) after it [tegula-not-instantiated]
template <class T> TEGULA_KERNEL void fill(tg::array<T, 1> o) {
  tg::pallas_call([](auto o) { o[tg::all] = 1; }, tg::out(o));
}
