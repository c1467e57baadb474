// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the host computes is what the kernels compute, or an error that names entry and line: no sum wraps past a check.
// RUN: rm -rf %t && mkdir -p %t && tegulac %s --arch sm_80 -o %t/host && FileCheck %s --input-file %t/host.cpp
// RUN: %cxx -O2 -include %t/host.h %S/Inputs/host_overflow.cpp %t/host.cpp %link -o %t/gcc && %t/gcc
// RUN: %clangxx -fsanitize=undefined -fno-sanitize-recover=all -include %t/host.h %S/Inputs/host_overflow.cpp %t/host.cpp %link -o %t/clang && %t/clang
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK: call.check(abi::add(start, n, "window (host-overflow.cpp:[[@LINE+2]])") <= x.dim(0), "x is shorter");
TEGULA_KERNEL tg::array<float, 1> window(tg::array<const float, 1> x, tg::s64 start, tg::s64 n) {
  tg::check(start + n <= x.dim(0), "x is shorter");
  auto o = tg::empty<float>(n);
  tg::pallas_call([=](auto x, auto o) { o[tg::all] = x[tg::ds(start, n)]; }, tg::in(x), tg::out(o));
  return o;
}

// What cannot overflow is not looked at: sums of extents, products of those of one array, grids of blocks.
// CHECK-LABEL: abi::call call("plain",
// CHECK-NOT: abi::{{add|sub|mul|fit|grid_size}}
// CHECK-LABEL: abi::call call("scalars",
TEGULA_KERNEL tg::array<float, 2> plain(tg::array<const float, 2> x, int n) {
  tg::check(x.dim(0) + 1 < 2 * x.dim(1) + n, "x is narrow");
  auto o = tg::empty<float>(x.dim(0), x.dim(1));
  auto all = tg::empty<float>(x.dim(0) * x.dim(1));
  tg::pallas_call({.grid = {tg::cdiv(x.dim(0), 8), tg::cdiv(x.dim(1), 128)}},
                  [](auto x, auto o) { o[tg::all] = x[tg::all]; },
                  tg::in<8, 128>(x, [](auto i, auto j) { return tg::index(i, j); }),
                  tg::out<8, 128>(o, [](auto i, auto j) { return tg::index(i, j); }));
  tg::pallas_call([](auto all) { all[tg::all] = 0; }, tg::out(all));
  return o;
}

/// One of many operations, whose lines the program knows.
TEGULA_KERNEL tg::s64 scalars(int which, tg::s64 a, tg::s64 b, int narrow) {
  if (which == 0)
    return a + b; // scalars 0
  if (which == 1)
    return a - b; // scalars 1
  if (which == 2)
    return a * b; // scalars 2
  if (which == 3)
    return -a; // scalars 3
  if (which == 4)
    return a << b; // scalars 4
  if (which == 5)
    return a >> b; // scalars 5
  if (which == 6)
    return a / b; // scalars 6
  if (which == 7)
    return a % b; // scalars 7
  if (which == 8)
    return narrow + narrow; // scalars 8
  if (which == 9)
    return int(a); // scalars 9
  if (which == 10)
    return tg::s64(double(a) * 4.0); // scalars 10
  if (which == 11)
    return tg::cdiv(a, b); // scalars 11
  if (which == 12)
    return narrow / int(b); // scalars 12
  if (which == 13)
    return -narrow; // scalars 13
  if (which == 14) {
    for (int i = 0; i < 3; ++i)
      a *= b; // scalars 14
    return a;
  }
  // Not computed where C++ would not.
  if (a < 100 && a * a < 50)
    return 1;
  return a > 1000 || a * a > 10000 ? 2 : 3;
}

// Unsigned arithmetic is modulo a power of two.
TEGULA_KERNEL tg::u32 hash(tg::u32 x, tg::u64 y) {
  return (x + 5) * 2654435761u + tg::u32(y * 0x9E3779B97F4A7C15u) - (x << 7);
}

TEGULA_KERNEL void grid(tg::array<float, 1> o, tg::s64 n, tg::s64 block) {
  tg::pallas_call({.grid = {tg::cdiv(n, block)}}, [=](auto o) { o[tg::program_id(0)] = 1; }, tg::partial_out(o)); // grid
}
TEGULA_KERNEL void programs(tg::array<float, 1> o, tg::s64 n) {
  tg::pallas_call({.grid = {n}}, [=](auto o) { o[tg::program_id(0)] = 1; }, tg::partial_out(o)); // programs
}
