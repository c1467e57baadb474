// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Outputs go where their names lead: to what the shell has opened, through links, into files that keep their modes.
// RUN: rm -rf %t && mkdir -p %t && %python %S/Inputs/output_places.py %s %t
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void twice(tg::array<float, 1> x) {
  tg::pallas_call([](auto x) { x[tg::all] = 2 * x[tg::all]; }, tg::inout(x));
}
