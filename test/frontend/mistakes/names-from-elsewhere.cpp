// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// What other systems call it, and their syntax.
#include <tegula/tegula.h>

#include <cmath>
namespace tg = tegula;

template <int N> TEGULA_KERNEL void entry(tg::array<float, 1> o) {}
// CHECK: names-from-elsewhere.cpp:[[@LINE+1]]:1: error: TEGULA_INSTANTIATE("name", f<float, 64>) takes a name and one instance of a template, with its arguments
TEGULA_INSTANTIATE("entry", entry);

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::array<float, 1> o, float scale) {
  // Before templates are instantiated.
  // CHECK: names-from-elsewhere.cpp:[[@LINE+1]]:46: error: the body uses scale, which it does not capture: capture it by value, [=]
  tg::pallas_call([](auto o) { o[tg::all] *= scale; }, tg::inout(o));
  // CHECK: names-from-elsewhere.cpp:[[@LINE+1]]:71: error: there is no arange: tg::iota<int, 64>() counts 0, 1, ..., 63, tg::iota<int>(n) up to n - 1; contiguous elements of an array are a slice, x[tg::ds<64>(start)]
  tg::pallas_call([](auto o) { auto at = 64 * tg::program_id(0) + tg::arange<64>(); }, tg::inout(o));
  tg::pallas_call(
      [](auto x, auto o) {
        // CHECK: names-from-elsewhere.cpp:[[@LINE+1]]:28: error: there is no matmul: the matrix product is tg::dot(a, b)
        const auto p = tg::matmul(x[tg::all], x[tg::all]);
        // CHECK: names-from-elsewhere.cpp:[[@LINE+1]]:13: error: no member named 'atomicAdd' in namespace 'tegula'; did you mean 'atomic_add'?
        tg::atomicAdd(o, 1.F);
        // CHECK: names-from-elsewhere.cpp:[[@LINE+1]]:13: error: there is no half: the type is tg::f16
        tg::half h = 1;
        // CHECK: names-from-elsewhere.cpp:[[@LINE+1]]:45: error: a type is not an argument: write it in angle brackets, tg::astype<float>(x)
        (void)tg::astype(x[tg::all], tg::f32);
      },
      tg::in(x), tg::inout(o));
  // CHECK: names-from-elsewhere.cpp:[[@LINE+1]]:71: error: a lambda does not return braces: an index map returns tg::index(i, j)
  tg::pallas_call([](auto o) {}, tg::inout<64>(o, [](auto i) { return {i}; }));
}

TEGULA_KERNEL void g(tg::array<const float, 2> x, tg::array<float, 1> o) {
  tg::pallas_call(
      [](auto x, auto o) {
        // CHECK: names-from-elsewhere.cpp:[[@LINE+1]]:34: error: C++ has no operator **: write x * x, or tg::pow(x, y)
        o[tg::all] = o[tg::all] ** 2;
        // CHECK: names-from-elsewhere.cpp:[[@LINE+1]]:26: error: there is no T: transpose the tile, tg::transpose(x[tg::all]), or the ref, tg::transpose_ref(x)
        const auto a = x.T;
        // CHECK: names-from-elsewhere.cpp:[[@LINE+1]]:31: error: there is no size: the extent along an axis is x.dim(axis)
        for (int i = 0; i < x.size(); ++i)
          o[i] = 1.F;
        // CHECK: names-from-elsewhere.cpp:[[@LINE+1]]:9: error: elements and slices are taken by brackets: x[i, j]
        o(0) = 1.F;
        // CHECK: names-from-elsewhere.cpp:[[@LINE+1]]:16: error: the extent along an axis is x.dim(axis)
        o[0] = x.shape[0];
        // CHECK: names-from-elsewhere.cpp:[[@LINE+1]]:18: error: the extent along an axis is x.dim(axis)
        o[0] = x.dim;
        // CHECK: names-from-elsewhere.cpp:[[@LINE+1]]:22: error: the functions of the standard library do not take tiles: use tg::exp
        o[tg::all] = std::exp(o[tg::all]);
      },
      tg::in(x), tg::inout(o));
}

// Names of one's own, and members of one's own types.
namespace own {
struct pair {
  int first, second;
};
} // namespace own
TEGULA_KERNEL int others(own::pair p) {
  // CHECK: names-from-elsewhere.cpp:[[@LINE+1]]:12: error: no member named 'size' in 'own::pair'
  return p.size();
}
