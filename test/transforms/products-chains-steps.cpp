// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps of chained products: which of them keep masks, what is out of bounds in the last one, and which places the
// factors may have.
// RUN: tegulac -Rsplit --verify --emit=tile-expanded --arch=sm_90a %s -o %t 2>%t.remarks
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --check-prefix=REMARKS --input-file=%t.remarks
// RUN: tegulac --verify --emit=tile-expanded --arch=sm_80 %s -o %t.80
// RUN: FileCheck %s --check-prefix=WARPS --input-file=%t.80
#include <tegula/tegula.h>
namespace tg = tegula;

enum class Step {
  two_reductions, narrowed_keys, far_window, flag, narrowed_counter, element, counted_pages, linked_pages, branch
};
constexpr int queries = 64, keys = 64, head = 64;

template <Step S>
TEGULA_KERNEL void attend(tg::array<const tg::f16, 2> q, tg::array<const tg::f16, 2> k, tg::array<const tg::f16, 2> v,
                          tg::array<const tg::f16, 3> pages, tg::array<const tg::f16, 3> values, tg::array<const float, 1> x,
                          tg::array<const int, 1> next, tg::array<float, 2> o, int right, bool flag) {
  tg::check(q.dim(1) == head && k.dim(1) == head && v.dim(1) == head && o.dim(1) == head, "other heads");
  tg::check(o.dim(0) == q.dim(0) && v.dim(0) == k.dim(0), "other lengths");
  tg::check(pages.dim(1) == keys && pages.dim(2) == head, "other pages");
  tg::check(values.dim(1) == keys && values.dim(2) == head, "other values");
  constexpr bool isPaged = S == Step::counted_pages || S == Step::linked_pages;
  constexpr auto rows = [](auto i) { return tg::index(i, 0); };
  constexpr auto all = [](auto) { return tg::index(0, 0); };
  tg::pallas_call(
      {.grid = {tg::cdiv(q.dim(0), queries)}},
      [=](auto q, auto k, auto v, auto pages, auto values, auto x, auto next, auto o) {
        auto sum = tg::zeros<float, queries, head>();
        auto total = tg::zeros<float, queries>();
        auto greatest = tg::zeros<float, queries>();
        const auto query = (tg::iota<int, queries>() + static_cast<int>(tg::program_id(0) * queries))[tg::all, tg::newaxis];
        int page = 0;
        tg::s64 end = k.dim(0);
        if constexpr (S == Step::element)
          end = next[0];
        for (tg::s64 i = 0; i < end; i += keys) {
          const auto key = (tg::iota<int, keys>() + static_cast<int>(i))[tg::newaxis, tg::all];
          auto weights = tg::zeros<float, queries, keys>();
          if constexpr (isPaged)
            weights = tg::dot(q[tg::all], tg::transpose(pages[page, tg::all, tg::all]));
          else
            weights = tg::dot(q[tg::all], tg::transpose(k[tg::ds<keys>(i)]));
          if constexpr (S == Step::two_reductions) {
            total = total + tg::sum<1>(weights);
            greatest = tg::maximum(greatest, tg::max<1>(weights));
          }
          if constexpr (S == Step::narrowed_keys)
            weights = tg::where(tg::astype<int>(tg::astype<tg::s8>(key)) <= query, weights, 0.0f);
          if constexpr (S == Step::far_window)
            weights = tg::where(key <= query + right, weights, 0.0f);
          if constexpr (S == Step::flag)
            weights = tg::where(key <= query + tg::astype<int>(tg::full<bool, queries, 1>(flag)), weights, 0.0f);
          if constexpr (S == Step::element)
            weights = weights * x[next[0] - 1];
          if constexpr (S == Step::branch)
            if (i > 128)
              weights = tg::where(key <= query, weights, 0.0f);
          if constexpr (isPaged)
            sum = sum + tg::dot(tg::astype<tg::f16>(weights), values[page, tg::all, tg::all]);
          else
            sum = sum + tg::dot(tg::astype<tg::f16>(weights), v[tg::ds<keys>(i)]);
          if constexpr (S == Step::counted_pages)
            ++page;
          if constexpr (S == Step::linked_pages)
            page = next[page];
        }
        o[tg::all] = sum * (total + greatest)[tg::all, tg::newaxis];
      },
      tg::in<queries, head>(q, rows), tg::in<tg::whole, head>(k, all), tg::in<tg::whole, head>(v, all),
      tg::in<tg::whole, keys, head>(pages, [](auto) { return tg::index(0, 0, 0); }),
      tg::in<tg::whole, keys, head>(values, [](auto) { return tg::index(0, 0, 0); }), tg::in(x), tg::in(next), tg::out<queries, head>(o, rows));
}

// A row sum leaves zeros out of bounds, and the maximum behind it other numbers: the left factor is masked anew.
// CHECK-LABEL: tile.kernel @two_reductions_0_tensor(
// CHECK: %[[MASKED:[0-9]+]] = tile.where {{.*}}, tensor<64x64xf32>
// CHECK: tile.reduce sum %[[MASKED]]
// CHECK: %[[LEAST:[0-9]+]] = tile.where {{.*}} %[[MASKED]], {{.*}}, tensor<64x64xf32>
// CHECK: tile.reduce max %[[LEAST]]
// CHECK: %[[LEFT:[0-9]+]] = tile.cast %[[LEAST]]
// CHECK: tile.where {{.*}} %[[LEFT]], {{.*}}, tensor<64x64xf16>
// WARPS-LABEL: tile.kernel @two_reductions_0_tensor_dense(
// WARPS: tile.reduce max
// WARPS: tile.where {{.*}}, tensor<{{.*}}xf16>
TEGULA_INSTANTIATE("two_reductions", attend<Step::two_reductions>);

// Where integers wrap, a comparison that holds at both ends of the steps need not hold between. Numbers of 8 bits are
// not told in advance.
// CHECK-LABEL: tile.kernel @narrowed_keys_0_tensor(
// CHECK: arith.addi %end, %c191_i64
// CHECK: arith.cmpi ult, %{{.*}}, %c256_i64
// CHECK: arith.select
TEGULA_INSTANTIATE("narrowed_keys", attend<Step::narrowed_keys>);
// The sum of a query and `right` may be more than an int holds: then all steps have masks.
// CHECK-LABEL: tile.kernel @far_window_0_tensor(
// CHECK: arith.extsi %right : i32 to i64
// CHECK: arith.cmpi ult, %{{.*}}, %c4294967296_i64
// CHECK: arith.select
TEGULA_INSTANTIATE("far_window", attend<Step::far_window>);
// A bool is no signed number.
// CHECK-LABEL: tile.kernel @flag_0_tensor(
// CHECK-NOT: arith.extsi
// CHECK-LABEL: tile.kernel @flag_0(
TEGULA_INSTANTIATE("flag", attend<Step::flag>);

// What an index names is loaded in the loop alone: there may be no such element if it does not run.
// CHECK-LABEL: tile.kernel @element_0_tensor(
// CHECK: scf.if
// CHECK: tile.load {{.*}} -> tensor<f32>
TEGULA_INSTANTIATE("element", attend<Step::element>);

// A number that counts steps is one of the loop's variable. What else the steps before make, the producer does not know.
// REMARKS: (counted_pages_0_tensor)
TEGULA_INSTANTIATE("counted_pages", attend<Step::counted_pages>);
// REMARKS: the places of the factors are computed in a branch, of what the step before has made, or loaded from an array that the program stores to: compute them of the loop's variable
TEGULA_INSTANTIATE("linked_pages", attend<Step::linked_pages>);
// REMARKS: between the products, the loop transposes, prints, stores or branches: it can compute, and reduce rows. A mask needs no branch: steps that need none have a loop of their own
TEGULA_INSTANTIATE("branch", attend<Step::branch>);
