// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// No unions but of shared memory, and these stay where they are.
#include <tegula/tegula.h>
namespace tg = tegula;

union bits {
  float number;
  int word;
};
TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: union.cpp:[[@LINE+1]]:14: error: 'bits' is a union, and kernels have unions of shared memory only, of tg::smem and structs of it: use a struct, or one variable per type [tegula-union]
        bits b{1.0f};
        o[0] = b.number;
      },
      tg::in(x), tg::out(o));
}

// Shared memory and something else; a union that is assigned, which is not another place then.
union both {
  tg::smem<float, 32> place;
  tg::s32 number;
};
union places {
  tg::smem<float, 32> one;
  struct {
    tg::smem<tg::s32, 8> first, second;
  } two;
};
TEGULA_KERNEL void g(tg::array<float, 1> o) {
  tg::kernel([=] {
    // CHECK: union.cpp:[[@LINE+1]]:10: error: 'both' is a union, and kernels have unions of shared memory only, of tg
    both b;
    places p{.two = {.second = {.transforms = {tg::swizzle(16)}}}}, q{};
    const auto same = p;
    o[tg::ds<32>(0)] = same.one[tg::all];
    // CHECK: union.cpp:[[@LINE+1]]:7: error: an object of type 'places' is bound to one place or function and cannot be assigned: declare a new variable; to store a value, write ref[tg::all] = value [tegula-ref-assigned]
    p = q;
  });
}
