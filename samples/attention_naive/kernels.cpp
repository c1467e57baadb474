// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tegula/tegula.h>
namespace tg = tegula;

/// softmax(q k^T / sqrt(D)) v for every head, without ever holding all scores of a row: what is known so far of the
/// softmax is carried through a loop over the keys, and corrected when a greater score turns up.
template <int D, int Rows, int Keys>
TEGULA_KERNEL tg::array<float, 3> attention(tg::array<const float, 3> q, tg::array<const float, 3> k,
                                            tg::array<const float, 3> v) {
  tg::check(q.dim(0) == k.dim(0) && q.dim(0) == v.dim(0), "q, k and v differ in the number of heads");
  tg::check(k.dim(1) == v.dim(1) && k.dim(1) > 0, "k and v have a row per key, and there is one at least");
  tg::check(q.dim(2) == D && k.dim(2) == D && v.dim(2) == D, "the head dimension is another one");
  auto o = tg::empty_like(q);
  const auto rows = [](auto head, auto i) { return tg::index(head, i, 0); };
  const auto all = [](auto head, auto) { return tg::index(head, 0, 0); };
  tg::pallas_call(
      {.grid = {q.dim(0), tg::cdiv(q.dim(1), Rows)}},
      [](auto q, auto k, auto v, auto o) {
        const auto queries = q[tg::all] * tg::rsqrt(static_cast<float>(D));
        auto greatest = tg::full<float, Rows>(-tg::inf);
        auto total = tg::zeros<float, Rows>();
        auto sum = tg::zeros<float, Rows, D>();
        for (tg::s64 i = 0; i < k.dim(0); i += Keys) { // The last slice may extend past the edge: only its keys count.
          const auto scores = tg::dot(queries, tg::transpose(k[tg::ds<Keys>(i)]));
          const auto next = tg::maximum(greatest, tg::max<1>(scores));
          const auto weights = tg::exp(scores - next[tg::all, tg::newaxis]);
          const auto correction = tg::exp(greatest - next);
          total = total * correction + tg::sum<1>(weights);
          sum = sum * correction[tg::all, tg::newaxis] + tg::dot(weights, v[tg::ds<Keys>(i)]);
          greatest = next;
        }
        o[tg::all] = sum / total[tg::all, tg::newaxis];
      },
      tg::in<tg::squeezed, Rows, D>(q, rows), tg::in<tg::squeezed, tg::whole, D>(k, all),
      tg::in<tg::squeezed, tg::whole, D>(v, all), tg::out<tg::squeezed, Rows, D>(o, rows));
  return o;
}
TEGULA_INSTANTIATE("attention_64", attention<64, 64, 64>);
TEGULA_INSTANTIATE("attention_128", attention<128, 32, 32>);
