// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists of arrays: in the generated header, on the host, and in CPU code.
// RUN: rm -rf %t && mkdir -p %t && tegulac %s --arch sm_80 -o %t/lists && FileCheck %s --check-prefix=HEADER --input-file %t/lists.h
// RUN: FileCheck %s --check-prefix=SOURCE --input-file %t/lists.cpp
#include <tegula/tegula.h>
namespace tg = tegula;

// HEADER: void f(const tegula::arrays<const float, 2> &x, const tegula::arrays<float, 2> &o, const tegula::array<float, 1> &y,
// HEADER-NEXT: const tegula::stream &stream = {});
// SOURCE: void f_0_cpu(std::int64_t grid_0, cpu::table<const float, 3> x, cpu::table<float, 3> o, cpu::ref<float, 1> y) try {
// SOURCE: const auto x_block = x.member({{.*}}, program_0).window({{.*}}, 0, 0, 8)
// SOURCE: void f(
// SOURCE: const auto x_list = call.inputs("x", x);
// SOURCE-NEXT: const auto o_list = call.inouts("o", o);
// SOURCE-NEXT: call.inout("y", y);
// SOURCE: call.no_overlap({abi::reads("x", x_list), abi::writes("o", o_list), abi::writes("y", y)});
// SOURCE: tegula::of_{{[a-z_]+}}::f_0_cpu(
// SOURCE: abi::dense(16, x_list, o_list, y)
TEGULA_KERNEL void f(tg::arrays<const float, 2> x, tg::arrays<float, 2> o, tg::array<float, 1> y) {
  tg::check(x.size() == o.size() && x.dim(1) == o.dim(1) && x.dim(2) == o.dim(2), "x and o differ");
  tg::pallas_call({.grid = {x.size()}},
                  [](auto x, auto o, auto y) {
                    o[tg::program_id(0), tg::ds<8>(0)] = x[tg::all];
                    y[tg::program_id(0)] = 1.0f;
                  },
                  tg::in<tg::squeezed, 8, tg::whole>(x, [](auto i) { return tg::index(i, 0, 0); }), tg::inout(o),
                  tg::partial_out(y));
}
