// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s -DSEVERAL 2>&1 | FileCheck %s --check-prefix=SEVERAL --implicit-check-not=error:
// RUN: not tegulac --emit=tile %s -DREGISTERS 2>&1 | FileCheck %s --check-prefix=REGISTERS --implicit-check-not=error:
// RUN: tegulac --emit=tile %s -o /dev/null
// What several threads do that only one can, and what they cannot have together.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::s64 n) {
  tg::kernel({.threads = {"wg", 3}}, [=] {
    const auto copy = [=] {
      tg::emit_pipeline(
          {.grid = {n}}, [](auto, auto) {}, tg::in<8, 32>(x, [](auto i) { return tg::index(i, 0); }));
    };
    if (tg::axis_index("wg") == 2) {
      copy();
      return;
    }
    if (tg::axis_index("wg") > 0)
      copy();
#ifdef SEVERAL
    // SEVERAL: explicit-threads.cpp:[[@LINE+1]]:5: error: several warpgroups of the CTA may reach this tg::emit_pipeline, which only one may run: call it in one of them, if (tg::axis_index(...) == 0), or use tg::emit_pipeline_warp_specialized
    tg::emit_pipeline({.grid = {n}}, [](auto, auto) {}, tg::in<8, 32>(x, [](auto i) { return tg::index(i, 0); }));
#endif
  });
  tg::kernel({.threads = {"wg", 3}}, [=] {
#ifdef REGISTERS
    constexpr int many = 240;
#else
    constexpr int many = 232;
#endif
    if (tg::axis_index("wg") == 2)
      tg::set_max_registers<40>(tg::decrease);
    else
      // REGISTERS: explicit-threads.cpp:[[@LINE+1]]:7: error: the warpgroups of the CTA would have 240 + 240 + 40 registers per thread, but the CTA has 504 in all, 168 each at launch: an increase beyond that waits forever; let other warpgroups release more
      tg::set_max_registers<many>(tg::increase);
  });
}
