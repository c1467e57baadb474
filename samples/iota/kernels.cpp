// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tegula/tegula.h>
namespace tg = tegula;

/// 0, 1, ..., n - 1: program i stores element i.
TEGULA_KERNEL tg::array<int, 1> iota(tg::s64 n) {
  auto o = tg::empty<int>(n);
  tg::pallas_call(
      {.grid = {n}},
      [](auto o) {
        const auto i = tg::program_id(0);
        o[i] = static_cast<int>(i);
      },
      tg::out(o));
  return o;
}
