// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %clangxx -D__TEGULA__ -std=c++23 -w -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

template <int... N> using floats = tg::tile<float, N...>;

void f(floats<4, 8> a, floats<8, 16> b, floats<2, 4, 8> two, floats<3, 8, 4> three, floats<8> row,
       tg::tile<tg::bf16, 8, 4> narrow, tg::gmem<const float, 8, 4> place) {
  // CHECK: error: {{.*}}dot contracts the last axis of a with the last but one of b: (..., M, K) and (..., K, N)
  // CHECK: matrices.cpp:[[@LINE+1]]:
  (void)tg::dot(b, a);
  // CHECK: error: {{.*}}dot takes tiles of one element type: convert one with tg::astype<...>(tile)
  // CHECK: matrices.cpp:[[@LINE+1]]:
  (void)tg::dot(a, narrow);
  // CHECK: error: {{.*}}dot multiplies matrices, or batches of them: x[tg::newaxis, tg::all] makes a row of x
  // CHECK: matrices.cpp:[[@LINE+1]]:
  (void)tg::dot(a, row);
  (void)tg::dot(two, b); // b is of all batches.
  // CHECK: error: {{.*}}dot multiplies batches of one size: the dimensions before the last two are equal
  // CHECK: matrices.cpp:[[@LINE+1]]:
  (void)tg::dot(two, three);
  // CHECK: error: {{.*}}dot multiplies matrices: a number times a tile is a * b
  // CHECK: matrices.cpp:[[@LINE+1]]:
  (void)tg::dot(2.0f, a);
  // CHECK: error: {{.*}}a ref is a place, not a value: load it, ref[tg::all]
  // CHECK: matrices.cpp:[[@LINE+1]]:
  (void)tg::dot(a, place);
  // CHECK: error: {{.*}}bools do not compute: convert them with tg::astype<...>(tile)
  // CHECK: matrices.cpp:[[@LINE+1]]:
  (void)tg::dot(a > 0, b > 0);
  // CHECK: error: {{.*}}transpose<1, 0>(x) names every dimension of x once; without a list, x has two or more
  // CHECK: matrices.cpp:[[@LINE+1]]:
  (void)tg::transpose<0, 0>(a);
  // CHECK: error: {{.*}}transpose<1, 0>(x) names every dimension of x once; without a list, x has two or more
  // CHECK: matrices.cpp:[[@LINE+1]]:
  (void)tg::transpose<1, 0>(two);
  // CHECK: error: {{.*}}transpose<1, 0>(x) names every dimension of x once; without a list, x has two or more
  // CHECK: matrices.cpp:[[@LINE+1]]:
  (void)tg::transpose(row);
  // CHECK: error: {{.*}}a ref is a place, not a value: load it, or transpose the place, tg::transpose_ref(ref)
  // CHECK: matrices.cpp:[[@LINE+1]]:
  (void)tg::transpose(place);
}
