// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entries whose names are alike as those of kernels, and names that PTX does not have.
// RUN: rm -rf %t && mkdir -p %t && tegulac %s --arch sm_80 -o %t/names && FileCheck %s --input-file %t/names.h
// RUN: %cxx -fsyntax-only %t/names.cpp
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK: namespace n {
// CHECK: void f(const tegula::array<float, 1> &o
namespace n {
TEGULA_KERNEL void f(tg::array<float, 1> o) {
  tg::pallas_call([](auto o) { o[tg::all] = 1; }, tg::out(o));
}
} // namespace n

// CHECK: void n_f(const tegula::array<float, 1> &o
TEGULA_KERNEL void n_f(tg::array<float, 1> o) {
  tg::pallas_call([](auto o) { o[tg::all] = 2; }, tg::out(o));
}

// A kernel of f is n_f_0, too.
// CHECK: void n_f_0(const tegula::array<float, 1> &o
// CHECK: void n_f_0_dense(const tegula::array<float, 1> &o
TEGULA_KERNEL void n_f_0(tg::array<float, 1> o) {
  tg::pallas_call([](auto o) { o[tg::all] = 4; }, tg::out(o));
}
TEGULA_KERNEL void n_f_0_dense(tg::array<float, 1> o) {
  tg::pallas_call([](auto o) { o[tg::all] = 5; }, tg::out(o));
}

// CHECK: void größe(const tegula::array<float, 1> &
TEGULA_KERNEL void größe(tg::array<float, 1> länge) {
  tg::check(länge.dim(0) > 1, "zu kurz: Länge");
  tg::pallas_call([](auto o) { o[tg::all] = 3; }, tg::out(länge));
}
