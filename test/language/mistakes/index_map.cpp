// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %clangxx -D__TEGULA__ -std=c++23 -w -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

// An index map returns one index per dimension of its array, a block has one extent per dimension.
void f(tg::array<const float, 2> x) {
  const auto body = [](auto x) { (void)x; };
  const auto map = [](auto i) { return tg::index(i, 0); };
  // CHECK: error: {{.*}}the index map does not fit: it takes one index per grid axis and returns tg::index(...) with one entry per dimension of its array
  // CHECK: index_map.cpp:[[@LINE+1]]:
  tg::pallas_call({.grid = {8}}, body, tg::in<64, 128>(x, [](auto i) { return tg::index(i); }));
  // CHECK: error: {{.*}}the index map does not fit: it takes one index per grid axis and returns tg::index(...) with one entry per dimension of its array
  // CHECK: index_map.cpp:[[@LINE+1]]:
  tg::pallas_call({.grid = {8}}, body, tg::in<64, 128>(x, [](auto i) { return i; }));
  // CHECK: error: {{.*}}the block has another rank than its array: give one extent per dimension; tg::whole and tg::squeezed count
  // CHECK: index_map.cpp:[[@LINE+1]]:
  tg::pallas_call({.grid = {8}}, body, tg::in<64>(x, map));
  // CHECK: error: {{.*}}an extent of the block is not valid: write a positive number, tg::whole or tg::squeezed
  // CHECK: index_map.cpp:[[@LINE+1]]:
  tg::pallas_call({.grid = {8}}, body, tg::in<64, -2>(x, map));
  // CHECK: error: {{.*}}a block needs an index map from grid indices to block indices: [](auto i) { return tg::index(i); }
  // CHECK: index_map.cpp:[[@LINE+1]]:
  tg::pallas_call({.grid = {8}}, body, tg::in<64, 64>(x));
  // CHECK: error: {{.*}}a block needs an index map from grid indices to block indices: [](auto i) { return tg::index(i); }
  // CHECK: index_map.cpp:[[@LINE+1]]:
  tg::pallas_call({.grid = {8}}, body, tg::in(x, {64, x.dim(1)}));
}
