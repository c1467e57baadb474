// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ptxas could not make fast is told in every build, at the launch.
// RUN: tegulac --arch=sm_90a %s -o %t 2>&1 | FileCheck %s
// RUN: tegulac --emit=cubin --arch=sm_90a %s -o %t.cubin 2>&1 | FileCheck %s
#include <tegula/tegula.h>
namespace tg = tegula;

// Scores of 256 keys take half of a thread's registers, and the weights made of them a quarter.
template <int keys>
TEGULA_KERNEL void attend(tg::array<const tg::f16, 2> q, tg::array<const tg::f16, 2> k, tg::array<const tg::f16, 2> v, tg::array<float, 2> o) {
  constexpr int head = 64, queries = 128;
  tg::check(q.dim(1) == head && k.dim(1) == head && v.dim(1) == head && o.dim(1) == head, "other heads");
  tg::check(o.dim(0) == q.dim(0) && v.dim(0) == k.dim(0), "other lengths");
  // CHECK: slow-code.cpp:[[#@LINE+1]]:3: warning: the products of this launch are serialized, which makes it slow: ptxas serializes wgmma due to insufficient register resources. Use smaller blocks or steps, which need fewer registers (sm_90a, wide_0_tensor)
  tg::pallas_call({.grid = {tg::cdiv(q.dim(0), queries)}, .approx_math = true},
      [=](auto q, auto k, auto v, auto o) {
        auto sum = tg::zeros<float, queries, head>();
        auto total = tg::zeros<float, queries>(), greatest = tg::full<float, queries>(-tg::inf);
        for (tg::s64 i = 0; i < k.dim(0); i += keys) {
          const auto scores = tg::dot(q[tg::all], tg::transpose(k[tg::ds<keys>(i)]));
          const auto next = tg::maximum(greatest, tg::max<1>(scores));
          const auto correction = tg::exp(greatest - next);
          const auto weights = tg::exp(scores - next[tg::all, tg::newaxis]);
          total = total * correction + tg::sum<1>(weights);
          sum = sum * correction[tg::all, tg::newaxis] + tg::dot(tg::astype<tg::f16>(weights), v[tg::ds<keys>(i)]);
          greatest = next;
        }
        o[tg::all] = sum * (1.0f / total)[tg::all, tg::newaxis];
      },
      tg::in<queries, head>(q, [](auto i) { return tg::index(i, 0); }), tg::in<tg::whole, head>(k, [](auto) { return tg::index(0, 0); }),
      tg::in<tg::whole, head>(v, [](auto) { return tg::index(0, 0); }), tg::out<queries, head>(o, [](auto i) { return tg::index(i, 0); }));
}
TEGULA_INSTANTIATE("wide", attend<256>);
// CHECK-NOT: warning
TEGULA_INSTANTIATE("narrow", attend<64>);
