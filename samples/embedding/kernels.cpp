// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto same = [](auto i) { return tg::index(i); };
constexpr auto by_row = [](auto i) { return tg::index(i, 0); };

/// The table's row of each token; zeros for a negative one.
TEGULA_KERNEL tg::array<tg::bf16, 2> embed(tg::array<const tg::bf16, 2> table, tg::array<const int, 1> tokens) {
  auto rows = tg::empty<tg::bf16>(tokens.dim(0), table.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(tokens.dim(0), 32)}},
      [=](auto tokens, auto rows) {
        const auto token = tokens[tg::all];
        rows[tg::all] = tg::load(table.at(token), (token >= 0)[tg::all, tg::newaxis]);
      },
      tg::in<32>(tokens, same), tg::out<32, tg::whole>(rows, by_row));
  return rows;
}

/// Adds the gradient of each row to that of its token. Programs meet in rows of common tokens: memory adds up.
TEGULA_KERNEL void add_gradient(tg::array<float, 2> gradient, tg::array<const int, 1> tokens,
                                tg::array<const float, 2> rows) {
  tg::check(rows.dim(0) == tokens.dim(0) && rows.dim(1) == gradient.dim(1), "there is a row for each token");
  tg::pallas_call(
      {.grid = {tg::cdiv(tokens.dim(0), 32)}},
      [](auto gradient, auto tokens, auto rows) {
        const auto token = tokens[tg::all];
        tg::atomic_add(gradient.at(token), rows[tg::all], (token >= 0)[tg::all, tg::newaxis]);
      },
      tg::inout(gradient), tg::in<32>(tokens, same), tg::in<32, tg::whole>(rows, by_row));
}

/// Adds to each of 256 counters how often its byte occurs.
TEGULA_KERNEL void count_bytes(tg::array<int, 1> counters, tg::array<const tg::u8, 1> text) {
  tg::check(counters.dim(0) == 256, "there is a counter for each byte");
  tg::pallas_call([](auto counters, auto text) { tg::atomic_add(counters.at(tg::astype<int>(text[tg::all])), 1); },
                  tg::inout(counters), tg::in(text));
}

/// Sequences of a cache whose pages of 16 rows lie anywhere, one behind the other.
TEGULA_KERNEL tg::array<tg::bf16, 2> copy_pages(tg::array<const tg::bf16, 3> pages, tg::array<const int, 1> table) {
  tg::check(pages.dim(1) == 16, "a page has 16 rows");
  auto o = tg::empty<tg::bf16>(table.dim(0) * 16, pages.dim(2));
  tg::pallas_call(
      {.grid = {table.dim(0)}}, [=](auto o) { o[tg::all] = pages[table[tg::program_id(0)], tg::iota<int, 16>()]; },
      tg::out<16, tg::whole>(o, by_row));
  return o;
}
