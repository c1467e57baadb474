// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that have nothing to store run once; those that do more run all. Too little memory is an error of the call.
// RUN: tegulac %s --arch=sm_80 -o %t
// RUN: %cxx -O1 -include %t.h %S/Inputs/programs.cpp %t.cpp %link -o %t.program && %t.program > %t.txt && FileCheck %s --input-file %t.txt
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto rows = [](auto i) { return tg::index(i, 0); };

TEGULA_KERNEL void scaled(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "shapes differ");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o) {
        auto e = tg::exp(x[tg::all] - tg::max(x[tg::all]));
        o[tg::all] = e / tg::sum(e);
      },
      tg::in<1, tg::whole>(x, rows), tg::out<1, tg::whole>(o, rows));
}
// 2^40 programs would take hours.
// CHECK: scaled: done

TEGULA_KERNEL void counted(tg::array<const float, 2> x, tg::array<float, 2> o, tg::array<int, 1> count) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1) && count.dim(0) == 1, "shapes differ");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o, auto count) {
        o[tg::all] = x[tg::all];
        tg::atomic_add(count.at(0), 1);
      },
      tg::in<1, tg::whole>(x, rows), tg::out<1, tg::whole>(o, rows), tg::inout(count));
}
// CHECK-NEXT: counted: 1000

TEGULA_KERNEL void told(tg::array<float, 2> o) {
  tg::pallas_call(
      {.grid = {o.dim(0)}},
      [](auto o) {
        o[tg::all] = 0;
        tg::debug_print("program {}", tg::program_id(0));
      },
      tg::out<1, tg::whole>(o, rows));
}
// CHECK-NEXT: program 0
// CHECK-NEXT: program 1
// CHECK-NEXT: program 2

// CHECK-NEXT: {{.*}}cpu-programs.cpp:12:3: the programs of scaled need more memory on the CPU than there is: a program holds as a whole each tile that it indexes several times; give it smaller blocks
