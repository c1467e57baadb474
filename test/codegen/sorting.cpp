// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row of 1024 is one warp's. Keys and indices are exchanged in shared memory, eight elements of a thread at a time; a key
// of 16 bits has its index in the same word. Nothing is kept in local memory.
// RUN: tegulac --arch sm_90a --emit=ptx %s -o %t
// RUN: FileCheck %s --check-prefix=WIDE --input-file=%t
// RUN: FileCheck %s --check-prefix=NARROW --input-file=%t
// RUN: tegulac --arch sm_75 --arch sm_90a --emit=resources %s -o - | FileCheck %s --check-prefix=RESOURCES
// RESOURCES-COUNT-4: stack 0, spills 0
// RESOURCES-NOT: spills {{[1-9]}}
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto row = [](auto i) { return tg::index(i, 0); };

// WIDE: .entry wide_0_dense(
// WIDE: .shared .align 16 .b8 {{.*}}[49152];
// WIDE: xor.b32
// WIDE: st.shared.u32
// WIDE: st.shared.u16
// WIDE: bar.warp.sync
// WIDE-COUNT-8: ld.shared.u32
// WIDE-COUNT-8: st.shared.u32
// WIDE: bar.warp.sync
// WIDE: ret;
template <class T> TEGULA_KERNEL void sort_rows(tg::array<T, 2> o, tg::array<const T, 2> x) {
  tg::check(o.dim(0) == x.dim(0) && o.dim(1) == 1024 && x.dim(1) == 1024, "rows have 1024 elements");
  tg::pallas_call({.grid = {x.dim(0)}}, [](auto o, auto x) { o[tg::all] = tg::sort(x[tg::all]); },
                  tg::out<tg::squeezed, 1024>(o, row), tg::in<tg::squeezed, 1024>(x, row));
}
TEGULA_INSTANTIATE("wide", sort_rows<float>);

// NARROW: .entry narrow_0_dense(
// NARROW: .shared .align 16 .b8 {{.*}}[32768];
// NARROW-NOT: st.shared.u16
// NARROW: st.shared.u32
// NARROW: ld.shared.u32
// NARROW: ret;
TEGULA_INSTANTIATE("narrow", sort_rows<tg::bf16>);
