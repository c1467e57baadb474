// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %clangxx -D__TEGULA__ -std=c++23 -w -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

template <int... N> using floats = tg::tile<float, N...>;

void f(floats<4, 8> a, floats<8, 16> b, floats<2, 4, 8> two, floats<3, 8, 4> three, floats<8> row,
       tg::tile<tg::bf16, 8, 4> narrow, tg::gmem<const float, 8, 4> place) {
  // CHECK: error: {{.*}}the factors of dot differ in K: a is (..., M, K) and b is (..., K, N)
  // CHECK: matrices.cpp:[[@LINE+1]]:
  (void)tg::dot(b, a);
  // CHECK: error: {{.*}}the factors of dot differ in element type: convert one with tg::astype<...>(tile)
  // CHECK: matrices.cpp:[[@LINE+1]]:
  (void)tg::dot(a, narrow);
  // CHECK: error: {{.*}}a factor of dot has fewer than two dimensions: x[tg::newaxis, tg::all] makes a row of x
  // CHECK: matrices.cpp:[[@LINE+1]]:
  (void)tg::dot(a, row);
  (void)tg::dot(two, b); // b is of all batches.
  // CHECK: error: {{.*}}the batch dimensions of dot's factors do not broadcast: those before the last two are equal, or a static 1
  // CHECK: matrices.cpp:[[@LINE+1]]:
  (void)tg::dot(two, three);
  // CHECK: error: {{.*}}dot takes matrices, not scalars: multiply a number and a tile by a * b
  // CHECK: matrices.cpp:[[@LINE+1]]:
  (void)tg::dot(2.0f, a);
  // CHECK: error: {{.*}}a ref is a place, not a value: load it, ref[tg::all]
  // CHECK: matrices.cpp:[[@LINE+1]]:
  (void)tg::dot(a, place);
  // CHECK: error: {{.*}}bools have no arithmetic: convert them with tg::astype<...>(tile)
  // CHECK: matrices.cpp:[[@LINE+1]]:
  (void)tg::dot(a > 0, b > 0);
  // CHECK: error: {{.*}}the axes of transpose are not a permutation: transpose<1, 0>(x) names every dimension of x once; without a list, x has two or more
  // CHECK: matrices.cpp:[[@LINE+1]]:
  (void)tg::transpose<0, 0>(a);
  // CHECK: error: {{.*}}the axes of transpose are not a permutation: transpose<1, 0>(x) names every dimension of x once; without a list, x has two or more
  // CHECK: matrices.cpp:[[@LINE+1]]:
  (void)tg::transpose<1, 0>(two);
  // CHECK: error: {{.*}}the axes of transpose are not a permutation: transpose<1, 0>(x) names every dimension of x once; without a list, x has two or more
  // CHECK: matrices.cpp:[[@LINE+1]]:
  (void)tg::transpose(row);
  // CHECK: error: {{.*}}a ref is a place, not a value: load it, or transpose the ref, tg::transpose_ref(ref)
  // CHECK: matrices.cpp:[[@LINE+1]]:
  (void)tg::transpose(place);
}
