// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=note: --implicit-check-not=tegula.h
// How the functions of the language are called, where a call fits none of their overloads.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL tg::array<float, 2> host(tg::array<const float, 1> x, tg::array<float, 1> o, int block) {
  // CHECK: calls.cpp:[[@LINE+1]]:18: error: tg::empty<float>(m, n) takes the dtype in angle brackets, and an extent per dimension
  const auto a = tg::empty(x.dim(0));
  // CHECK: calls.cpp:[[@LINE+1]]:18: error: tg::empty<float>(m, n) takes the dtype in angle brackets, and an extent per dimension
  const auto b = tg::empty<float>({x.dim(0)});
  // CHECK: calls.cpp:[[@LINE+1]]:18: error: tg::empty_like(x) has the shape and the dtype of x; for another dtype, write tg::empty<float>(x.dim(0))
  const auto c = tg::empty_like<tg::f16>(x);
  const auto map = [](auto i) { return tg::index(i); };
  // CHECK: calls.cpp:[[@LINE+1]]:34: error: a spec takes a whole array, tg::in(x), blocks of compile-time constant sizes, tg::in<64, tg::whole>(x, map), or of run-time sizes, tg::in(x, {m, n}, map)
  tg::pallas_call([](auto o) {}, tg::out<block>(o, map));
  // CHECK: calls.cpp:[[@LINE+1]]:42: error: a spec takes a whole array, {{.*}}; a scalar is captured by the body, [=]
  tg::pallas_call([](auto n, auto o) {}, tg::in(block), tg::out(o));
  // CHECK: calls.cpp:[[@LINE+1]]:54: error: tg::over(x, 0) takes an array and the number of one of its axes
  tg::vmap([](auto x) { return tg::empty_like(x); }, tg::over(x));
  // CHECK: calls.cpp:[[@LINE+1]]:10: error: the dtype or the rank of the returned array is not that of the function's return type
  return tg::empty_like(x);
}

TEGULA_KERNEL void device(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: calls.cpp:[[@LINE+1]]:22: error: tg::zeros<float, 64, 64>() and tg::full<float, 64, 64>(value) take compile-time constant extents in angle brackets after the dtype; run-time extents stand in parentheses, tg::zeros<float>(m, n), tg::full<float>(value, m, n)
        o[tg::all] = tg::zeros<float>();
        // CHECK: calls.cpp:[[@LINE+1]]:22: error: tg::zeros<float, 64, 64>() and tg::full<float, 64, 64>(value) take compile-time constant extents
        o[tg::all] = tg::full<float, n>(1.F);
        // CHECK: calls.cpp:[[@LINE+1]]:22: error: tg::iota<int, 64>() counts 0, 1, ..., 63
        o[tg::all] = tg::iota<float>();
        const auto t = x[tg::all];
        // CHECK: calls.cpp:[[@LINE+1]]:22: error: tg::where(condition, a, b) takes a condition and two values
        o[tg::all] = tg::where(t > 0.F, t);
        // CHECK: calls.cpp:[[@LINE+1]]:22: error: tg::zeros_like(t) and tg::full_like(t, value) take a tile: load it, x[tg::all]
        o[tg::all] = tg::zeros_like(x);
        // CHECK: calls.cpp:[[@LINE+1]]:22: error: tg::astype<float>(x) takes the dtype in angle brackets, and a tile or a scalar
        o[tg::all] = tg::astype(t);
        // CHECK: calls.cpp:[[@LINE+1]]:22: error: tg::maximum(a, b) and tg::minimum(a, b) take two values; tg::max and tg::min reduce
        o[tg::all] = tg::maximum(t);
        // CHECK: calls.cpp:[[@LINE+1]]:22: error: this function takes one tile or scalar: tg::exp(x)
        o[tg::all] = tg::exp(t, t);
        // CHECK: calls.cpp:[[@LINE+1]]:22: error: tg::load takes a ref, then perhaps a mask and the value where the mask is false: tg::load(x, mask, 0)
        o[tg::all] = tg::load(x, t > 0.F, 0.F, 0.F);
        // CHECK: calls.cpp:[[@LINE+1]]:22: error: tg::load has no option .mask: it has .layout
        o[tg::all] = tg::load(x, {.mask = t > 0.F});
        // CHECK: calls.cpp:[[@LINE+1]]:9: error: tg::store takes a ref and a value, then perhaps a mask: tg::store(o, value, mask)
        tg::store(o);
        // CHECK: calls.cpp:[[@LINE+1]]:15: error: tg::dot(a, b) takes two matrices, then perhaps options in braces, {.precision = tg::precision::tf32}: to add up, write c += tg::dot(a, b)
        (void)tg::dot(t, t, t);
      },
      tg::in(x), tg::out(o));
}
