// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A file whose functions launch, but none of which is marked.
#include <tegula/tegula.h>
namespace tg = tegula;

// A helper that launches nothing.
int twice(int n) { return 2 * n; }

// CHECK: not-marked.cpp:[[@LINE+1]]:6: error: the file exports no entry, because 'fill' is not marked: write TEGULA_KERNEL in front of it [tegula-not-marked]
void fill(tg::array<float, 1> o) {
  tg::pallas_call([](auto o) { o[tg::all] = 1.F; }, tg::out(o));
}
template <class T> void fill_with(tg::array<T, 1> o, T value) {
  tg::pallas_call([=](auto o) { o[tg::all] = value; }, tg::out(o));
}
