// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %clangxx -D__TEGULA__ -std=c++23 -w -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

struct mixed {
  tg::array<float, 1> a;
  int b;
};
struct five {
  tg::array<float, 1> a, b, c, d, e;
};

// CHECK: error: {{.*}}no argument of vmap is sliced: write tg::vmap(f, tg::over(x, 0), y)
// CHECK: vmap.cpp:[[@LINE+1]]:
void nothing(tg::array<float, 2> x) { tg::vmap([](auto x) { return tg::empty_like(x); }, x); }

// CHECK: error: {{.*}}the function of vmap has another result: return an array, a struct of one to four arrays, or nothing
// CHECK: vmap.cpp:[[@LINE+1]]:
void a_struct(tg::array<float, 2> x) { tg::vmap([](auto x) { return mixed{x, 1}; }, tg::over(x, 0)); }

// CHECK: error: {{.*}}the function of vmap has another result: return an array, a struct of one to four arrays, or nothing
// CHECK: vmap.cpp:[[@LINE+1]]:
void many(tg::array<float, 2> x) { tg::vmap([](auto x) { return five{x, x, x, x, x}; }, tg::over(x, 0)); }

// CHECK: error: {{.*}}the function of vmap has another result: return an array, a struct of one to four arrays, or nothing
// CHECK: vmap.cpp:[[@LINE+1]]:
void a_number(tg::array<float, 2> x) { tg::vmap([](auto x) { return x.dim(0); }, tg::over(x, 0)); }

// CHECK: error: {{.*}}an array of rank 0 cannot be sliced: pass it without tg::over
// CHECK: vmap.cpp:[[@LINE+1]]:
void a_point(tg::array<float, 0> x) { (void)tg::over(x, 0); }

// CHECK: error: {{.*}}the result has more than 6 dimensions with the batch axis: return arrays of at most 5
// CHECK: vmap.cpp:[[@LINE+1]]:
void deep(tg::array<float, 1> x) { tg::vmap([](auto) { return tg::empty<float>(1, 1, 1, 1, 1, 1); }, tg::over(x, 0)); }
