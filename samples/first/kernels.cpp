// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tegula/tegula.h>
namespace tg = tegula;

// softmax of each row of x, of any length. An entry: host code, which allocates and launches.
TEGULA_KERNEL tg::array<float, 2> softmax(tg::array<const float, 2> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {x.dim(0)}}, // one program for each row
      [](auto x, auto o) {  // the body, device code: x and o are this program's blocks
        const auto row = x[tg::all];
        const auto e = tg::exp(row - tg::max(row));
        o[tg::all] = e / tg::sum(e);
      },
      tg::in<tg::squeezed, tg::whole>(x, [](auto i) { return tg::index(i, 0); }), // program i gets row i
      tg::out<tg::squeezed, tg::whole>(o, [](auto i) { return tg::index(i, 0); }));
  return o;
}
