// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// A body that asks of many arrays whether they are there is compiled very often: that is said.
#include <tegula/tegula.h>
namespace tg = tegula;
using row = tg::array<const float, 1>;

template <class T> static float scale_of(const T &array) { return array ? 2.0f : 1.0f; }

TEGULA_KERNEL void five(tg::array<float, 1> x, row a = {}, row b = {}, row c = {}, row d = {}, row e = {}) {
  // CHECK: launch-versions.cpp:[[@LINE+1]]:3: warning: the launch is compiled in 32 versions, one for each combination of the optional arrays that it takes or tests: test some of them in host code, if (array) { ... } around launches of their own [-Wlaunch-versions]
  tg::pallas_call(
      [=](auto x) { x[tg::all] *= scale_of(a) * scale_of(b) * scale_of(c) * scale_of(d) * scale_of(e); }, tg::inout(x));
}

TEGULA_KERNEL void four(tg::array<float, 1> x, row a = {}, row b = {}, row c = {}, row d = {}, row e = {}) {
  if (e)
    tg::pallas_call(
        [=](auto x) { x[tg::all] *= scale_of(a) * scale_of(b) * scale_of(c) * scale_of(d) * scale_of(e); },
        tg::inout(x));
}
