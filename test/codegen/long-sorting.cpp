// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of a radix sort: digits are ranked by votes, and nothing is kept in local memory.
// RUN: tegulac --arch sm_90a --emit=ptx %s -o %t
// RUN: FileCheck %s --check-prefix=COUNT --input-file=%t
// RUN: FileCheck %s --check-prefix=MOVE --input-file=%t
// RUN: tegulac --arch sm_75 --arch sm_90a --emit=resources %s -o - | FileCheck %s --check-prefix=RESOURCES
// RESOURCES-COUNT-20: stack 0, spills 0
// RESOURCES-NOT: spills {{[1-9]}}
#include <tegula/tegula.h>
namespace tg = tegula;

// COUNT: .entry f_0_count0(
// COUNT: red.relaxed.cta.shared.add.u32
// COUNT: red.relaxed.gpu.global.add.u64
// COUNT: ret;

// MOVE: .entry f_0_move0(
// MOVE: atom.relaxed.gpu.global.add.u64
// MOVE-COUNT-8: vote.sync.ballot
// MOVE: st.relaxed.gpu.global.b64
// MOVE: ld.relaxed.gpu.global.b64
// MOVE: ret;
TEGULA_KERNEL tg::array<int, 1> f(tg::array<const float, 1> x) {
  auto o = tg::empty<int>(x.dim(0));
  tg::pallas_call([](auto x, auto o) { o[tg::all] = tg::argsort(x[tg::all]); }, tg::in(x), tg::out(o));
  return o;
}
