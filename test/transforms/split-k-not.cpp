// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products that one pass makes: those whose sums cannot be divided, or that are wanted otherwise than where they are.
// RUN: tegulac --arch=sm_90a --emit=tile-split %s -o - | FileCheck %s
// CHECK-NOT: _partial
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> using matrix = tg::array<const T, 2>;

enum class Form { decays, carries_more, stores, row_sums, of_result, in_branch, short_rows };

template <Form F> TEGULA_KERNEL void product(matrix<tg::bf16> a, matrix<tg::bf16> b, tg::array<float, 2> o, tg::s64 n) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 64), tg::cdiv(b.dim(1), 64)}},
      [=](auto a, auto b, auto o) {
        if constexpr (F == Form::short_rows) {
          o[tg::all] = tg::dot(a[tg::all, tg::ds<128>(0)], b[tg::ds<128>(0), tg::all]);
        } else if constexpr (F == Form::in_branch) {
          if (n > 0)
            o[tg::all] = tg::dot(a[tg::all], b[tg::all]);
        } else {
          auto sum = tg::zeros<float, 64, 64>();
          auto weight = tg::zeros<float, 64, 64>();
          for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), 64); ++k) {
            const auto part = tg::dot(a[tg::all, tg::ds<64>(64 * k)], b[tg::ds<64>(64 * k), tg::all]);
            if constexpr (F == Form::decays)
              sum = sum * 0.5f + part;
            else if constexpr (F == Form::of_result) // Each sum needs the one before.
              sum += tg::exp(sum) * part;
            else
              sum += part;
            if constexpr (F == Form::carries_more)
              weight = tg::maximum(weight, part);
            if constexpr (F == Form::stores)
              o[tg::all] = part;
          }
          if constexpr (F == Form::carries_more)
            sum += weight;
          if constexpr (F == Form::row_sums)
            o[tg::all] = sum - tg::sum<1>(sum, tg::keepdims);
          else
            o[tg::all] = sum;
        }
      },
      tg::in<64, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 64>(b, [](auto, auto j) { return tg::index(0, j); }),
      tg::inout<64, 64>(o, [](auto i, auto j) { return tg::index(i, j); }));
}
TEGULA_INSTANTIATE("decays", product<Form::decays>);
TEGULA_INSTANTIATE("carries_more", product<Form::carries_more>);
TEGULA_INSTANTIATE("stores", product<Form::stores>);
TEGULA_INSTANTIATE("row_sums", product<Form::row_sums>);
TEGULA_INSTANTIATE("of_result", product<Form::of_result>);
TEGULA_INSTANTIATE("in_branch", product<Form::in_branch>);
TEGULA_INSTANTIATE("short_rows", product<Form::short_rows>);
