// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// The language has its own functions.
#include <tegula/tegula.h>
namespace tg = tegula;

extern "C" float expf(float);
extern "C" double fmax(double, double);
extern "C" int printf(const char *, ...);
TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: standard-function.cpp:[[@LINE+1]]:16: error: kernels cannot call 'expf' of the standard library: use tg::exp [tegula-standard-function]
        o[0] = expf(x[0]);
        // CHECK: standard-function.cpp:[[@LINE+1]]:16: error: kernels cannot call 'fmax' of the standard library: use tg::fmax [tegula-standard-function]
        o[1] = fmax(x[0], 1.0);
        // CHECK: standard-function.cpp:[[@LINE+1]]:9: error: kernels cannot call 'printf' of the standard library: use tg::debug_print("x is {}", x) [tegula-standard-function]
        printf("%d", n);
      },
      tg::in(x), tg::out(o));
}

namespace std {
struct stream {
  int width;
};
extern stream cout;
} // namespace std
extern "C" void __assert_fail(const char *, const char *, unsigned int, const char *);
TEGULA_KERNEL int g(tg::array<const float, 1> x) {
  // CHECK: standard-function.cpp:[[@LINE+2]]:5: error: kernels cannot call 'assert' of the standard library: use tg::check(condition, "message") [tegula-standard-function]
  if (x.dim(0) == 0)
    __assert_fail("x.dim(0) != 0", "standard-function.cpp", 1, "g");
  // CHECK: standard-function.cpp:[[@LINE+1]]:15: error: kernels cannot call 'cout' of the standard library: use it in the program that calls the entry [tegula-standard-function]
  return std::cout.width;
}
