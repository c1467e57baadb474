// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// Lists of arrays: parameters of entries, which stay what they are.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void assigned(tg::arrays<float, 1> x, tg::arrays<float, 1> o) {
  // CHECK: lists.cpp:[[@LINE+1]]:5: error: a list cannot be assigned, because it is a parameter of the entry: add another parameter
  o = x;
}

TEGULA_KERNEL void swapped(tg::arrays<float, 1> x, tg::arrays<float, 1> o) {
  // CHECK: lists.cpp:[[@LINE+1]]:7: error: a list cannot be assigned, because it is a parameter of the entry: add another parameter
  tg::swap(x, o);
}

TEGULA_KERNEL void stored_as_one(tg::arrays<float, 1> x) {
  // CHECK: lists.cpp:[[@LINE+1]]:27: error: a list is a view, not a value: a body stores to an array of it, xs[i, tg::all] = value
  tg::pallas_call([=] { x = 1.0f; });
}

TEGULA_KERNEL void not_there(tg::arrays<float, 1> x) {
  // CHECK: lists.cpp:[[@LINE+1]]:13: error: a list is never absent, but may be empty: test xs.size() == 0
  tg::check(!x, "x is given");
}

// CHECK: lists.cpp:[[@LINE+1]]:49: error: a list cannot have elements of 4 bits: use elements of whole bytes
TEGULA_KERNEL void packed(tg::arrays<tg::s4, 1> x) {}

// CHECK: lists.cpp:[[@LINE+2]]:51: error: the rank is out of range: an array has at most 6 dimensions
// CHECK: lists.cpp:[[@LINE+1]]:51: error: the rank is out of range: the arrays of a list have 0 to 5 dimensions
TEGULA_KERNEL void of_rank_6(tg::arrays<float, 6> x) {}
