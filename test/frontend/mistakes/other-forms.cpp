// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// Forms that other languages have, and numbers that elements cannot be: each is told what to write.
#include <tegula/tegula.h>
namespace tg = tegula;
TEGULA_KERNEL void f(tg::array<const int, 2> x, tg::array<int, 2> o, bool b) {
  // CHECK-DAG: other-forms.cpp:[[@LINE+1]]:3: error: this check has no message, which the error of a failed call needs: write tg::check(x.dim(0) == o.dim(0), "x and o differ in length")
  tg::check(x.dim(0) == o.dim(0));
  tg::pallas_call([=](auto x, auto o) {
    auto t = x[tg::all];
    // CHECK-DAG: other-forms.cpp:[[@LINE+3]]:5: error: tiles and refs have no ++ or --: write t += 1, or for a ref x[tg::all] += 1
    // CHECK-DAG: other-forms.cpp:[[@LINE+2]]:11: error: tiles and refs have no ++ or --: write t += 1, or for a ref x[tg::all] += 1
    // CHECK-DAG: other-forms.cpp:[[@LINE+1]]:15: error: tiles and refs have no ++ or --: write t += 1, or for a ref x[tg::all] += 1
    ++t; t++; --x;
    // CHECK-DAG: other-forms.cpp:[[@LINE+1]]:18: error: bools cannot be compared with numbers: write two bounds as two comparisons, 0 < x && x < 1
    (void)(0 < t < 1);
    // CHECK-DAG: other-forms.cpp:[[@LINE+1]]:9: error: the scalar does not fit the tile's element type: convert one with tg::astype<...>
    tg::store(o, 1.5);
    // CHECK-DAG: other-forms.cpp:[[@LINE+1]]:15: error: the scalar does not fit the tile's element type: convert one with tg::astype<...>
    (void)tg::load(x, t > 0, 1.5);
    // CHECK-DAG: other-forms.cpp:[[@LINE+1]]:15: error: the scalar does not fit the tile's element type: convert one with tg::astype<...>
    (void)tg::reduce<1>(t, 1.5, [](auto a, auto b) { return a + b; });
    // CHECK-DAG: other-forms.cpp:[[@LINE+1]]:15: error: the scalar does not fit the tile's element type: convert one with tg::astype<...>
    (void)tg::reduce<1>(tg::tuple(t, t), tg::tuple(0, 1.5), [](auto a, auto b) { return tg::tuple(a.first + b.first, a.second); });
    // CHECK-DAG: other-forms.cpp:[[@LINE+1]]:15: error: the scalar does not fit the tile's element type: convert one with tg::astype<...>
    (void)tg::associative_scan<1>(t, 1.5, [](auto a, auto b) { return a + b; });
    // CHECK-DAG: other-forms.cpp:[[@LINE+1]]:11: error: top_k takes its count as a template argument: tg::top_k<8>(x)
    (void)tg::top_k(t, 3);
    // CHECK-DAG: other-forms.cpp:[[@LINE+1]]:11: error: top_k takes its count as a template argument: tg::top_k<8>(x)
    (void)tg::top_k<3>(t, 3);
    // CHECK-DAG: other-forms.cpp:[[@LINE+1]]:11: error: the offset is missing: random numbers take a seed and an offset per number, tg::rand(seed, tg::iota<int, 512>())
    (void)tg::rand(t);
    // CHECK-DAG: other-forms.cpp:[[@LINE+1]]:11: error: the offset is missing: random numbers take a seed and an offset per number, tg::rand(seed, tg::iota<int, 512>())
    (void)tg::randint(t);
    // CHECK-DAG: other-forms.cpp:[[@LINE+1]]:11: error: the offset is missing: random numbers take a seed and an offset per number, tg::rand(seed, tg::iota<int, 512>())
    (void)tg::randn(t);
    // CHECK-DAG: other-forms.cpp:[[@LINE+1]]:11: error: a tuple has one to four values: for more, declare a struct
    (void)tg::tuple(1,2,3,4,5);
  }, tg::in(x), tg::inout(o));
}
