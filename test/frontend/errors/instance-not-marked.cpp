// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A template that is exported, but not marked.
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK: instance-not-marked.cpp:[[@LINE+1]]:25: error: TEGULA_INSTANTIATE exports an instance of 'fill<float>', which is not marked: write TEGULA_KERNEL after template <...> [tegula-instance-not-marked]
template <class T> void fill(tg::array<T, 1> o) {
  tg::pallas_call([](auto o) { o[tg::all] = 1; }, tg::out(o));
}
TEGULA_INSTANTIATE("fill_f32", fill<float>);
