// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto queries_of = [](auto head, auto i) { return tg::index(head, i, 0); };
constexpr auto keys_of = [](auto head, auto) { return tg::index(head, 0, 0); };

/// softmax(q k^T / 8) v of each head: q is heads x queries x 64, k and v are heads x keys x 64.
TEGULA_KERNEL tg::array<tg::f16, 3> attention(tg::array<const tg::f16, 3> q, tg::array<const tg::f16, 3> k,
                                              tg::array<const tg::f16, 3> v) {
  tg::check(q.dim(2) == 64 && k.dim(2) == 64 && v.dim(2) == 64, "heads have 64 columns");
  tg::check(q.dim(0) == k.dim(0) && q.dim(0) == v.dim(0), "q, k and v differ in heads");
  tg::check(k.dim(1) == v.dim(1) && k.dim(1) > 0, "each key has a value, and there is a key");
  auto o = tg::empty_like(q);
  tg::pallas_call(
      {.grid = {q.dim(0), tg::cdiv(q.dim(1), 128)}, .approx_math = true},
      [](auto q, auto k, auto v, auto o) {
        auto greatest = tg::full<float, 128>(-tg::inf), total = tg::zeros<float, 128>();
        auto sum = tg::zeros<float, 128, 64>();
        for (tg::s64 i = 0; i < k.dim(0); i += 128) {
          const auto scores = tg::dot(q[tg::all], tg::transpose(k[tg::ds<128>(i)])) * 0.125f;
          const auto next = tg::maximum(greatest, tg::max<1>(scores));
          const auto correction = tg::exp(greatest - next);
          const auto weights = tg::exp(scores - next[tg::all, tg::newaxis]);
          total = total * correction + tg::sum<1>(weights);
          sum = sum * correction[tg::all, tg::newaxis] + tg::dot(tg::astype<tg::f16>(weights), v[tg::ds<128>(i)]);
          greatest = next;
        }
        o[tg::all] = tg::astype<tg::f16>(sum / total[tg::all, tg::newaxis]);
      },
      tg::in<tg::squeezed, 128, 64>(q, queries_of), tg::in<tg::squeezed, tg::whole, 64>(k, keys_of),
      tg::in<tg::squeezed, tg::whole, 64>(v, keys_of), tg::out<tg::squeezed, 128, 64>(o, queries_of));
  return o;
}
