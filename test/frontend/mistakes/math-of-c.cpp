// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --check-prefix=ABSENT --implicit-check-not=error:
// RUN: not tegulac --emit=tile -DCMATH %s 2>&1 | FileCheck %s --check-prefix=CMATH --implicit-check-not=error: --implicit-check-not=mathcalls
// Math functions of C, C++ and CUDA, with and without <cmath>.
#ifdef CMATH
#include <cmath>
#endif
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::check(x.dim(0) == o.dim(0), "x and o differ in length");
  tg::pallas_call(
      [](auto x, auto o) {
        // ABSENT-DAG: math-of-c.cpp:[[@LINE+2]]:22: error: there is no std::sqrt here: use tg::sqrt, which takes scalars and tiles
        // CMATH-DAG: math-of-c.cpp:[[@LINE+1]]:22: error: the functions of the standard library do not take tiles: use tg::sqrt
        o[tg::all] = std::sqrt(x[tg::all]);
        // ABSENT-DAG: math-of-c.cpp:[[@LINE+2]]:22: error: there is no fmaxf here: use tg::fmax, which takes scalars and tiles
        // CMATH-DAG: math-of-c.cpp:[[@LINE+1]]:22: error: the functions of the standard library do not take tiles: use tg::fmax
        o[tg::all] = fmaxf(x[tg::all], x[tg::all]);
        // ABSENT-DAG: math-of-c.cpp:[[@LINE+2]]:22: error: there is no __expf here: use tg::exp, which takes scalars and tiles
        // CMATH-DAG: math-of-c.cpp:[[@LINE+1]]:22: error: the functions of the standard library do not take tiles: use tg::exp
        o[tg::all] = __expf(x[tg::all]);
      },
      tg::in(x), tg::out(o));
}
