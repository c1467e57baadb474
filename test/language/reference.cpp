// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Doxygen is given of the headers: declarations as their users write them, each with its comment, on one page for each header, in the groups of
// include/tegula/README.md's table; nothing that is for tegulac alone.
// RUN: %python %source/cmake/reference.py %include/tegula/language/reductions.h | FileCheck %s --check-prefix=REDUCTIONS
// REDUCTIONS: @defgroup header_reductions reductions.h
// REDUCTIONS-NEXT: @ingroup group_reductions_scans
// REDUCTIONS: @code{.cpp}
// REDUCTIONS-NEXT: sum(x) all of x, a number
// REDUCTIONS: @par Cost
// REDUCTIONS-NEXT: each CUDA thread combines
// REDUCTIONS: namespace tg {
// REDUCTIONS-NOT: {{detail|refused|requires|constexpr|static_assert|TEGULA_}}
// REDUCTIONS: /// sum(x), the sum of elements, prod(x), their product.
// REDUCTIONS: template <int... Axes, class V> auto prod(const V &);
// REDUCTIONS: template <int... Axes, class V> auto prod(const V &, keepdims_t);
// REDUCTIONS: template <int... Axes, class V, class Identity, class F> auto reduce(const V &, const Identity &, F combine);

// RUN: %python %source/cmake/reference.py %include/tegula/language/random.h | FileCheck %s --check-prefix=RANDOM
// RANDOM: namespace random {
// RANDOM: struct key_t {
// RANDOM-NEXT: public:
// RANDOM-NEXT: u32 x, y;
// RANDOM-NEXT: };
// RANDOM: key_t fold_in(key_t key, u32 number);

// RUN: %python %source/cmake/reference.py %include/tegula/runtime.h | FileCheck %s --check-prefix=RUNTIME
// RUNTIME: @ingroup group_runtime
// RUNTIME: namespace tegula {
// RUNTIME: class stream {
// RUNTIME: static stream create(tegula::device where = tegula::device::gpu(0));
// RUNTIME-NOT: owner_
// RUNTIME: template <class T, int Rank> buffer<std::remove_const_t<T>, Rank> to(const array<T, Rank> &from, device where, const stream &on = {});

// RUN: %python %source/cmake/reference.py %include/tegula/tegula.h | FileCheck %s --check-prefix=RULES
// RULES: @page language_header
// Pages are Markdown: tables, code and links between pages; README.md is the first one.
// RUN: %python %source/cmake/reference.py %source/README.md | FileCheck %s --check-prefix=MAIN
// MAIN: @mainpage Tegula
// MAIN: <tr><th>for you if</th><th>not if</th></tr>
// MAIN: @code{.cpp}
// MAIN: <a href="page_compiler.html">compiler/README.md</a>
// RUN: %python %source/cmake/reference.py %include/tegula/README.md | FileCheck %s --check-prefix=GROUPS
// GROUPS: @defgroup group_reductions_scans Reductions, scans
// GROUPS: @defgroup group_runtime The host library
