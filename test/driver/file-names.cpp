// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of any name: in comments, #line and messages of generated files, and in dependency files, as make and ninja
// read them; what these cannot name is an error.
// RUN: rm -rf %t && mkdir -p %t && %python %S/Inputs/file_names.py %s %t %include
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL tg::array<float, 1> f(tg::array<const float, 1> x, tg::s64 n) {
  tg::check(n + 1 <= x.dim(0), "x is short");
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = x[tg::all]; }, tg::in(x), tg::out(o));
  return o;
}
