// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// What is a constant null pointer is refused as other pointers are.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 1> o) {
  tg::pallas_call(
      [](auto o) {
        constexpr const char *text = nullptr;
        // CHECK: null-pointers.cpp:[[@LINE+1]]:27: error: kernels have no pointers: pass an object by reference, an array as tg::array, a place in it as ref.at(...) [tegula-pointer]
        const auto same = text;
        o[0] = 1;
      },
      tg::out(o));
}

TEGULA_KERNEL void g(tg::array<float, 1> o) {
  tg::pallas_call(
      [](auto o) {
        constexpr decltype(nullptr) none = nullptr;
        // CHECK: null-pointers.cpp:[[@LINE+1]]:27: error: kernels have no pointers: pass an object by reference, an array as tg::array, a place in it as ref.at(...) [tegula-pointer]
        const auto same = none;
        o[0] = 1;
      },
      tg::out(o));
}
