// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grouped work: of lists of arrays, and the same of one array.
#include <tegula/tegula.h>
namespace tg = tegula;

namespace benchmark_kernels {

// p -= rate * g, of all arrays in one launch.
TEGULA_KERNEL void descend_all(tg::arrays<float, 1> p, tg::arrays<const float, 1> g, float rate) {
  tg::check(p.size() == g.size() && p.dim(1) == g.dim(1), "p and g differ in number or length");
  const auto map = [](auto i, auto j) { return tg::index(i, j); };
  tg::pallas_call(
      {.grid = {p.size(), tg::cdiv(p.dim(1), 4096)}}, [=](auto p, auto g) { p[tg::all] -= rate * g[tg::all]; },
      tg::inout<tg::squeezed, 4096>(p, map), tg::in<tg::squeezed, 4096>(g, map));
}
TEGULA_KERNEL void descend(tg::array<float, 1> p, tg::array<const float, 1> g, float rate) {
  tg::check(p.dim(0) == g.dim(0), "p and g differ in length");
  tg::pallas_call([=](auto p, auto g) { p[tg::all] -= rate * g[tg::all]; }, tg::inout(p), tg::in(g));
}

TEGULA_KERNEL void multiply_all(tg::arrays<const tg::bf16, 2> a, tg::arrays<const tg::bf16, 2> b,
                                tg::arrays<tg::bf16, 2> c) {
  tg::check(a.size() == b.size() && a.size() == c.size(), "a, b and c differ in number");
  tg::check(a.dim(2) == b.dim(1) && c.dim(1) == a.dim(1) && c.dim(2) == b.dim(2), "a b is not of c's shape");
  tg::pallas_call(
      {.grid = {c.size()}},
      [](auto a, auto b, auto c) { c[tg::all] = tg::astype<tg::bf16>(tg::dot(a[tg::all], b[tg::all])); },
      tg::in<tg::squeezed, tg::whole, tg::whole>(a, [](auto i) { return tg::index(i, 0, 0); }),
      tg::in<tg::squeezed, tg::whole, tg::whole>(b, [](auto i) { return tg::index(i, 0, 0); }),
      tg::out<tg::squeezed, tg::whole, tg::whole>(c, [](auto i) { return tg::index(i, 0, 0); }));
}
TEGULA_KERNEL void multiply(tg::array<const tg::bf16, 2> a, tg::array<const tg::bf16, 2> b, tg::array<tg::bf16, 2> c) {
  tg::check(a.dim(1) == b.dim(0) && c.dim(0) == a.dim(0) && c.dim(1) == b.dim(1), "a b is not of c's shape");
  tg::pallas_call([](auto a, auto b, auto c) { c[tg::all] = tg::astype<tg::bf16>(tg::dot(a[tg::all], b[tg::all])); },
                  tg::in(a), tg::in(b), tg::out(c));
}

} // namespace benchmark_kernels
