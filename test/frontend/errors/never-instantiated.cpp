// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=warning:
// A template that is marked, but of which nothing is exported, beside an entry.
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK: never-instantiated.cpp:[[@LINE+1]]:39: warning: the template 'fill' is marked TEGULA_KERNEL, but no TEGULA_INSTANTIATE("name", fill<...>) exports it [-Wnever-instantiated]
template <class T> TEGULA_KERNEL void fill(tg::array<T, 1> o) {
  tg::pallas_call([](auto o) { o[tg::all] = 1; }, tg::out(o));
}
template <class T> TEGULA_KERNEL void clear(tg::array<T, 1> o) {
  tg::pallas_call([](auto o) { o[tg::all] = 0; }, tg::out(o));
}
TEGULA_INSTANTIATE("clear_f32", clear<float>);
