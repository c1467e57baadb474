// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto block = [](auto i) { return tg::index(i); };
constexpr auto row_of = [](auto i) { return tg::index(i, 0); };

/// x[i] - x[i - 1]; the element before the first one counts as 0.
TEGULA_KERNEL tg::array<float, 1> differences(tg::array<const float, 1> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 1024)}},
      [=](auto o) {
        const auto start = tg::program_id(0) * 1024;
        const auto i = start + tg::iota<tg::s64, 1024>();
        const auto here = tg::load(x.at(tg::ds<1024>(start)), true, 0);
        const auto before = tg::load(x.at(tg::ds<1024>(start - 1)), i > 0, 0);
        tg::store(o, here - before, true);
      },
      tg::out<1024>(o, block));
  return o;
}

/// Row tokens[i] of the table, for each i; a negative token has a row of zeros.
TEGULA_KERNEL tg::array<float, 2> embed(tg::array<const float, 2> table, tg::array<const int, 1> tokens) {
  auto o = tg::empty<float>(tokens.dim(0), table.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(tokens.dim(0), 16)}},
      [=](auto tokens, auto o) {
        const auto token = tokens[tg::all];
        o[tg::all] = tg::load(table.at(token), (token >= 0)[tg::all, tg::newaxis], 0);
      },
      tg::in<16>(tokens, block), tg::out<16, tg::whole>(o, row_of));
  return o;
}
