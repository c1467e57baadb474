// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile-split --arch=sm_90a %s -o /dev/null 2>&1 | FileCheck %s
// RUN: tegulac -Rsplit --emit=tile-split --arch=sm_90a %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARKS
// RUN: tegulac --emit=tile-split --arch=sm_75 %s -DOTHER_TYPES -o - 2>&1 | FileCheck %s --check-prefix=QUIET
// Products that tensor cores could take, and that something else of the program keeps from them: a warning says what.
#include <tegula/tegula.h>
namespace tg = tegula;

using matrix = tg::array<const tg::bf16, 2>;

#ifdef OTHER_TYPES
// What no tensor core of the architecture takes is no surprise. (-Rsplit tells.)
// QUIET-NOT: warning
TEGULA_KERNEL void product(matrix a, matrix b, tg::array<float, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  tg::pallas_call([](auto a, auto b, auto o) { o[tg::all] = tg::dot(a[tg::all], b[tg::all]); }, tg::in(a), tg::in(b),
                  tg::out(o));
}
#else

// REMARKS: products-refused.cpp:[[#@LINE+5]]:18: remark: all calls: not on tensor cores: the result is a batch of matrices: {{.*}} (batches_0)
TEGULA_KERNEL void batches(tg::array<const tg::bf16, 3> a, tg::array<const tg::bf16, 3> b, tg::array<float, 3> o) {
  tg::check(a.dim(0) == b.dim(0) && a.dim(2) == b.dim(1), "a and b do not fit");
  tg::check(o.dim(0) == a.dim(0) && o.dim(1) == a.dim(1) && o.dim(2) == b.dim(2), "o does not fit");
  tg::pallas_call([](auto a, auto b, auto o) { // CHECK: products-refused.cpp:[[#@LINE+1]]:18: warning: this product runs on FMA units, some 30 times slower than on tensor cores: the result is a batch of matrices: take the batch as an axis of the grid, in blocks of tg::in<tg::squeezed, ...>, or map the entry by tg::vmap
    o[tg::all] = tg::dot(a[tg::all], b[tg::all]);
  }, tg::in(a), tg::in(b), tg::out(o));
}

TEGULA_KERNEL void shapes(matrix x, matrix w, matrix v, tg::array<float, 2> o, tg::array<float, 2> p) {
  tg::check(x.dim(1) == w.dim(0) && x.dim(1) == v.dim(0), "the inner dimensions differ");
  tg::check(o.dim(0) == x.dim(0) && o.dim(1) == w.dim(1) && p.dim(0) == x.dim(0) && p.dim(1) == v.dim(1), "o or p");
  tg::pallas_call([](auto x, auto w, auto v, auto o, auto p) { // CHECK: :[[#@LINE+1]]:18: warning: {{.*}}: products of several shapes are stored: give each a launch of its own
    o[tg::all] = tg::dot(x[tg::all], w[tg::all]);
    p[tg::all] = tg::dot(x[tg::all], v[tg::all]);
  }, tg::in(x), tg::in(w), tg::in(v), tg::out(o), tg::out(p));
}

TEGULA_KERNEL void with_greatest(matrix a, matrix b, tg::array<float, 2> o, tg::array<float, 1> greatest) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  tg::check(greatest.dim(0) == 1, "one number");
  tg::pallas_call([](auto a, auto b, auto o, auto greatest) { // CHECK: :[[#@LINE+1]]:26: warning: {{.*}}: the program reduces to a number: store what it makes of rows, as by tg::max<1>, and reduce that in another launch
    const auto product = tg::dot(a[tg::all], b[tg::all]);
    o[tg::all] = product;
    greatest[0] = tg::max(product);
  }, tg::in(a), tg::in(b), tg::out(o), tg::out(greatest));
}

TEGULA_KERNEL void of_normalised(matrix a, matrix b, tg::array<float, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  tg::pallas_call([](auto a, auto b, auto o) {
    const auto rows = tg::astype<float>(a[tg::all]);
    const auto norm = tg::rsqrt(tg::sum<1>(rows * rows, tg::keepdims)); // CHECK: :[[#@LINE+1]]:18: warning: {{.*}}: the program reduces rows or columns of the product or of its factors, too: do that in a launch of its own
    o[tg::all] = tg::dot(tg::astype<tg::bf16>(rows * norm), b[tg::all]);
  }, tg::in(a), tg::in(b), tg::out(o));
}

TEGULA_KERNEL void stored_transposed(matrix a, matrix b, tg::array<float, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(1) == a.dim(0) && o.dim(0) == b.dim(1), "a, b and o do not fit");
  tg::pallas_call([](auto a, auto b, auto o) { // CHECK: :[[#@LINE+1]]:32: warning: {{.*}}: the program transposes a tile that is no factor: a result is stored so by tg::transpose_ref(o)[tg::all] = ...
    o[tg::all] = tg::transpose(tg::dot(a[tg::all], b[tg::all]));
  }, tg::in(a), tg::in(b), tg::out(o));
}

TEGULA_KERNEL void every_second_row(matrix a, matrix b, tg::array<float, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && a.dim(0) == 2 * o.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  tg::pallas_call([](auto a, auto b, auto o) { // CHECK: :[[#@LINE+1]]:18: warning: {{.*}}: the left factor is a window with a step, which nothing copies ahead
    o[tg::all] = tg::dot(a[tg::ds(0, o.dim(0), 2), tg::all], b[tg::all]);
  }, tg::in(a), tg::in(b), tg::out(o));
}
#endif
