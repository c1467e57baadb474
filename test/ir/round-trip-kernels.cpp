// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is printed of arrays without dimensions, and of launches without arguments, is read back, too.
// RUN: %python %S/round_trip.py tile %source/test/kernels/*.cpp
// RUN: %python %S/round_trip.py tile,tile-split,tile-layout %s %source/test/kernels/printing.cpp
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void add(tg::array<float, 0> o, tg::array<const float, 0> x, float a) {
  tg::pallas_call([=](auto o, auto x) { o[] = x[] + a; }, tg::out(o), tg::in(x));
}

TEGULA_KERNEL tg::array<float, 0> total(tg::array<const float, 1> x) {
  auto o = tg::empty<float>();
  tg::pallas_call([=](auto o, auto x) { o[] = tg::sum(x[tg::all]); }, tg::out(o), tg::in(x));
  return o;
}

// Each program has the one element.
TEGULA_KERNEL void count(tg::array<int, 0> o, tg::s64 n) {
  tg::pallas_call({.grid = {n}}, [](auto o) { tg::atomic_add(o.at(), 1); }, tg::inout<>(o, [](auto) { return tg::index(); }));
}
