// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose products are made of other products, with vectors of keys beside them, and in all the ways in which such
// a loop counts. All is exact: weights are scores within -64 and 64.
#include <tegula/tegula.h>
namespace tg = tegula;

enum class With { key_mask, added_scores, key_bias, value_scales, int_blocks, unsigned_keys, listed_blocks };

/// q is M x 64, k and v are N x 64; x and sees have N elements. With listed_blocks, counts[0] blocks of keys, which
/// counts names.
template <With W>
TEGULA_KERNEL tg::array<float, 2> chain(tg::array<const tg::f16, 2> q, tg::array<const tg::f16, 2> k,
                                        tg::array<const tg::f16, 2> v, tg::array<const float, 1> x,
                                        tg::array<const bool, 1> sees, tg::array<const int, 1> counts) {
  constexpr int queries = 128, keys = 64, head = 64;
  tg::check(q.dim(1) == head && k.dim(1) == head && v.dim(1) == head, "heads are of 64");
  tg::check(k.dim(0) == v.dim(0) && x.dim(0) == k.dim(0) && sees.dim(0) == k.dim(0), "keys differ in number");
  auto o = tg::empty<float>(q.dim(0), head);
  const auto rows = [](auto i) { return tg::index(i, 0); };
  const auto all = [](auto) { return tg::index(0, 0); };
  tg::pallas_call(
      {.grid = {tg::cdiv(q.dim(0), queries)}},
      [=](auto q, auto k, auto v, auto x, auto sees, auto counts, auto o) {
        auto sum = tg::zeros<float, queries, head>();
        auto total = tg::zeros<float, queries>();
        const auto query =
            (tg::iota<int, queries>() + static_cast<int>(tg::program_id(0) * queries))[tg::all, tg::newaxis];
        auto step = [&](tg::s64 i) {
          const auto here = tg::ds<keys>(i);
          const auto key = (tg::iota<int, keys>() + static_cast<int>(i))[tg::newaxis, tg::all];
          auto scores = tg::dot(q[tg::all], tg::transpose(k[here]));
          if constexpr (W == With::added_scores)
            scores = scores + tg::dot(q[tg::all], tg::transpose(v[here]));
          if constexpr (W == With::key_bias)
            scores = scores + x[here][tg::newaxis, tg::all];
          auto weights = tg::minimum(tg::maximum(scores, -64.0f), 64.0f);
          if constexpr (W == With::key_mask)
            weights = tg::where(sees[here][tg::newaxis, tg::all], weights, 0.0f);
          if constexpr (W == With::int_blocks)
            weights = tg::where(key <= query, weights, 0.0f);
          if constexpr (W == With::unsigned_keys)
            weights = tg::where(key >= query - 40, weights, 0.0f);
          total = total + tg::sum<1>(weights);
          if constexpr (W == With::value_scales)
            weights = weights * x[here][tg::newaxis, tg::all];
          sum = sum + tg::dot(tg::astype<tg::f16>(weights), v[here]);
        };
        if constexpr (W == With::int_blocks)
          for (int block = 0; block < tg::cdiv(k.dim(0), keys); ++block)
            step(block * keys);
        else if constexpr (W == With::unsigned_keys)
          for (unsigned i = 0; i < static_cast<unsigned>(k.dim(0)); i += keys)
            step(i);
        else if constexpr (W == With::listed_blocks)
          for (int block = 0; block < counts[0]; ++block)
            step(tg::s64{counts[block + 1]} * keys);
        else
          for (tg::s64 i = 0; i < k.dim(0); i += keys)
            step(i);
        o[tg::all] = sum + total[tg::all, tg::newaxis];
      },
      tg::in<queries, head>(q, rows), tg::in<tg::whole, head>(k, all), tg::in<tg::whole, head>(v, all), tg::in(x),
      tg::in(sees), tg::in(counts), tg::out<queries, head>(o, rows));
  return o;
}
TEGULA_INSTANTIATE("key_mask", chain<With::key_mask>);
TEGULA_INSTANTIATE("added_scores", chain<With::added_scores>);
TEGULA_INSTANTIATE("key_bias", chain<With::key_bias>);
TEGULA_INSTANTIATE("value_scales", chain<With::value_scales>);
TEGULA_INSTANTIATE("int_blocks", chain<With::int_blocks>);
TEGULA_INSTANTIATE("unsigned_keys", chain<With::unsigned_keys>);
TEGULA_INSTANTIATE("listed_blocks", chain<With::listed_blocks>);
