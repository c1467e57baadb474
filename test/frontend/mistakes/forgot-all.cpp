// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// A ref is not assigned: what is in it is.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void arrays(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::pallas_call(
      [](auto x, auto o) {
        // CHECK: forgot-all.cpp:[[@LINE+1]]:11: error: a ref is a view and cannot be rebound: to store a value, write ref[tg::all] = value, or ref[i] = value for a part
        o = x[tg::all];
        // CHECK: forgot-all.cpp:[[@LINE+1]]:11: error: a ref is a view and cannot be rebound: to store a value, write ref[tg::all] = value, or ref[i] = value for a part
        o = x;
        // CHECK: forgot-all.cpp:[[@LINE+1]]:11: error: a ref is a view and cannot be rebound: to store a value, write ref[tg::all] = value, or ref[i] = value for a part
        o = 1.F;
        // CHECK: forgot-all.cpp:[[@LINE+1]]:17: error: a ref is a view and cannot be rebound: to store a value, write ref[tg::all] = value, or ref[i] = value for a part
        o.at(0) = x[0];
        const auto row = o.at(0);
        // CHECK: forgot-all.cpp:[[@LINE+1]]:13: error: a ref is a view and cannot be rebound: to store a value, write ref[tg::all] = value, or ref[i] = value for a part
        row = o.at(1);
        // CHECK: forgot-all.cpp:[[@LINE+1]]:11: error: a ref is a place, not a value: change what is in it, ref[tg::all] += value
        o += x[tg::all];
        // CHECK: forgot-all.cpp:[[@LINE+1]]:17: error: a ref is a place, not a value: change what is in it, ref[tg::all] *= value
        o.at(0) *= 2.F;
        auto t = x[tg::all];
        // CHECK: forgot-all.cpp:[[@LINE+1]]:11: error: a ref is a place, not a value: load it, ref[tg::all]
        t += x;
        // CHECK: forgot-all.cpp:[[@LINE+1]]:11: error: a ref is a place, not a value: load it, ref[tg::all]
        t = x;
        // CHECK: forgot-all.cpp:[[@LINE+1]]:20: error: a ref is a place, not a value: load it, ref[tg::all]
        o[tg::all] = x;
      },
      tg::in(x), tg::out(o));
}

TEGULA_KERNEL void scratch(tg::array<float, 1> o) {
  tg::kernel([=] {
    tg::smem<float, 64, 64> block;
    tg::acc<float, 64, 64> sums;
    // CHECK: forgot-all.cpp:[[@LINE+1]]:7: error: an array is a view, not a value, and cannot be assigned this: a body stores to it, o[tg::all] = value; on the host, assign an array of the same type
    o = 1.F;
    // CHECK: forgot-all.cpp:[[@LINE+1]]:11: error: a ref is a view and cannot be rebound: to store a value, write ref[tg::all] = value, or ref[i] = value for a part
    block = sums[tg::all];
    // CHECK: forgot-all.cpp:[[@LINE+1]]:11: error: a ref is a place, not a value: change what is in it, ref[tg::all] += value
    block += 1.F;
    // CHECK: forgot-all.cpp:[[@LINE+1]]:10: error: a ref is a view and cannot be rebound: to store a value, write ref[tg::all] = value, or ref[i] = value for a part
    sums = 0.F;
    // CHECK: forgot-all.cpp:[[@LINE+1]]:10: error: a ref is a view and cannot be rebound: to store a value, write ref[tg::all] = value, or ref[i] = value for a part
    sums = block[tg::all];
  });
}

TEGULA_KERNEL void host(tg::array<const float, 1> x, tg::array<float, 1> o) {
  // CHECK: forgot-all.cpp:[[@LINE+1]]:5: error: an array is a view, not a value, and cannot be assigned this: a body stores to it, o[tg::all] = value; on the host, assign an array of the same type
  o = x;
}
