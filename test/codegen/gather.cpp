// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows that are gathered, scattered and added to move in accesses of 16 bytes, with an index each.
// RUN: tegulac --arch sm_90a --emit=ptx %s -o %t.90
// RUN: tegulac --arch sm_80 --emit=ptx %s -o %t.80
// RUN: FileCheck %s --check-prefix=GATHER --input-file=%t.90
// RUN: FileCheck %s --check-prefix=SCATTER --input-file=%t.90
// RUN: FileCheck %s --check-prefixes=FLOAT,FLOAT-90 --input-file=%t.90
// RUN: FileCheck %s --check-prefixes=FLOAT,FLOAT-80 --input-file=%t.80
// RUN: FileCheck %s --check-prefixes=HALF,HALF-90 --input-file=%t.90
// RUN: FileCheck %s --check-prefixes=HALF,HALF-80 --input-file=%t.80
// RUN: tegulac --arch sm_75 --arch sm_90a --emit=resources %s -o - | FileCheck %s --check-prefix=RESOURCES
// RESOURCES-COUNT-8: stack 0, spills 0
// RESOURCES-NOT: spills {{[1-9]}}
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto same = [](auto i) { return tg::index(i); };
constexpr auto by_row = [](auto i) { return tg::index(i, 0); };

// GATHER: .entry gather_0_dense(
// GATHER: ld.global.nc.u32
// GATHER: ld.global.nc.u32
// GATHER-NOT: ld.global.nc.u32
// GATHER: ld.global.nc.v4.f32
// GATHER: ld.global.nc.v4.f32
// GATHER: st.global.v4.f32
// GATHER: st.global.v4.f32
// GATHER: bra
TEGULA_KERNEL tg::array<float, 2> gather(tg::array<const float, 2> x, tg::array<const int, 1> rows) {
  tg::check(x.dim(1) == 128, "rows have 128 elements");
  auto o = tg::empty<float>(rows.dim(0), 128);
  tg::pallas_call(
      {.grid = {tg::cdiv(rows.dim(0), 64)}}, [](auto x, auto rows, auto o) { o[tg::all] = x[rows[tg::all]]; },
      tg::in<tg::whole, 128>(x, [](auto) { return tg::index(0, 0); }), tg::in<64>(rows, same), tg::out<64, 128>(o, by_row));
  return o;
}

// Where the mask is false for a row, nothing is touched.
// SCATTER: .entry scatter_0_dense(
// SCATTER: @%p{{[0-9]+}} st.global.v4.b32
// SCATTER: @%p{{[0-9]+}} st.global.v4.b32
// SCATTER-NOT: st.global
// SCATTER: bra
TEGULA_KERNEL void scatter(tg::array<float, 2> o, tg::array<const float, 2> x, tg::array<const int, 1> rows) {
  tg::check(x.dim(1) == o.dim(1) && x.dim(0) == rows.dim(0), "the arrays differ in shape");
  tg::pallas_call(
      {.grid = {tg::cdiv(rows.dim(0), 64)}},
      [](auto o, auto x, auto rows) {
        tg::store(o.at(rows[tg::all]), x[tg::all], (rows[tg::all] >= 0)[tg::all, tg::newaxis]);
      },
      tg::inout(o), tg::in<64, tg::whole>(x, by_row), tg::in<64>(rows, same));
}

// Sums are added in vectors where there are instructions for that.
// FLOAT: .entry add_f32_0_dense(
// FLOAT-90: red.relaxed.gpu.global.add.v4.f32
// FLOAT-80-COUNT-4: red.relaxed.gpu.global.add.f32
// HALF: .entry add_bf16_0_dense(
// HALF-90: red.relaxed.gpu.global.add.noftz.v4.bf16x2
// HALF-80: atom.global.cas.b32
template <class T>
TEGULA_KERNEL void add(tg::array<T, 2> o, tg::array<const T, 2> x, tg::array<const int, 1> rows) {
  tg::check(x.dim(1) == o.dim(1) && x.dim(0) == rows.dim(0), "the arrays differ in shape");
  tg::pallas_call(
      {.grid = {tg::cdiv(rows.dim(0), 64)}},
      [](auto o, auto x, auto rows) { tg::atomic_add(o.at(rows[tg::all]), x[tg::all]); }, tg::inout(o),
      tg::in<64, tg::whole>(x, by_row), tg::in<64>(rows, same));
}
TEGULA_INSTANTIATE("add_f32", add<float>);
TEGULA_INSTANTIATE("add_bf16", add<tg::bf16>);
