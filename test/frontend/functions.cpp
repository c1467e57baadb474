// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// Functions run inline: by value, by reference, recursive over constants, templates, lambdas.
#include <tegula/tegula.h>
namespace tg = tegula;

inline int by_value(int n) { return n *= 2; }
inline void by_reference(int &n) { n += 3; }
template <class V> auto power(const V &x, int n) { return n == 1 ? x : x * power(x, n - 1); }
inline int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
template <auto F, class... V> auto fold(const V &...x) { return (F(x) + ...); }
inline int offset(int n, int by = 5) { return n + by; }
TEGULA_KERNEL void functions(tg::array<int, 1> o, int n) {
  tg::pallas_call(
      [=](auto o) {
        int m = n;
        by_reference(m);
        const auto later = [&m, k = by_value(n)](auto x) { return m + k + x; };
        m = 9;
        o[0] = later(factorial(4));
        o[1] = power(n, 3);
        o[2] = fold<offset>(n, m) + fold<[](auto v) { return -v; }>(n);
      },
      tg::out(o));
}
