// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What authors are told whose chained products do not run on tensor cores: the loop's form, blocks and types, and which
// class of GPUs falls behind.
// RUN: tegulac --emit=tile-split --arch=sm_90a %s -o %t 2>&1 | FileCheck %s
// RUN: tegulac -Rsplit --emit=tile-split --arch=sm_75 --arch=sm_80 --arch=sm_90a -DWIDE %s -o %t 2>&1 | FileCheck %s --check-prefix=CLASSES
// RUN: tegulac -Rsplit --emit=tile-split --arch=sm_80 -DWIDE %s -o %t 2>&1 | FileCheck %s --check-prefix=WARPS
// RUN: tegulac -Rsplit --emit=tile-split --arch=sm_90a -DBRANCH %s -o %t 2>&1 | FileCheck %s --check-prefix=BRANCH
#include <tegula/tegula.h>
namespace tg = tegula;

enum class Loop { plain, breaks, down, two, branch, masked_keys, shared_values, mask_in_branch };

template <Loop L, int queries, class T, int consumers>
TEGULA_KERNEL void attend(tg::array<const T, 2> q, tg::array<const T, 2> k, tg::array<const T, 2> v,
                          tg::array<const int, 1> wanted, tg::array<float, 2> o, tg::array<float, 2> other) {
  constexpr int keys = 80, head = 256;
  tg::check(q.dim(1) == head && k.dim(1) == head && v.dim(1) == head && o.dim(1) == head, "other heads");
  tg::check(o.dim(0) == q.dim(0) && v.dim(0) == k.dim(0) && other.dim(0) == q.dim(0) && other.dim(1) == head, "other lengths");
  constexpr auto rows = [](auto i) { return tg::index(i, 0); };
  constexpr auto all = [](auto) { return tg::index(0, 0); };
  tg::pallas_call(
      {.grid = {tg::cdiv(q.dim(0), queries)}, .num_consumers = consumers},
      [=](auto q, auto k, auto v, auto wanted, auto o, auto other) {
        auto sum = tg::zeros<float, queries, head>(), difference = sum;
        auto multiply = [](const auto &a, const auto &b) {
          if constexpr (sizeof(T) == 4)
            return tg::dot(a, b, {.precision = tg::precision::tf32});
          else
            return tg::dot(a, b);
        };
        auto step = [&](tg::s64 i) {
          const auto here = tg::ds<keys>(i);
          auto partOf = [&](auto all) {
            if constexpr (L == Loop::masked_keys)
              return tg::load(all.at(here), i >= 0, 0);
            else
              return all[here];
          };
          auto scores = multiply(q[tg::all], tg::transpose(partOf(k)));
          if constexpr (L == Loop::mask_in_branch)
            if (i > 128)
              scores = tg::where(tg::iota<int, keys>()[tg::newaxis, tg::all] < 40, scores, 0.0f);
          const auto weights = tg::astype<T>(tg::exp(scores - tg::max<1>(scores)[tg::all, tg::newaxis]));
          sum = sum + multiply(weights, partOf(v));
          if constexpr (L == Loop::shared_values)
            difference = difference + multiply(tg::astype<T>(scores), partOf(v));
        };
        if constexpr (L == Loop::breaks)
          for (tg::s64 i = 0; i < k.dim(0); i += keys) {
            if (i >= wanted[0])
              break;
            step(i);
          }
        else if constexpr (L == Loop::down)
          for (tg::s64 i = tg::cdiv(k.dim(0), keys) - 1; i >= 0; --i)
            step(i * keys);
        else if constexpr (L == Loop::branch)
          for (tg::s64 i = 0; i < k.dim(0); i += keys) {
            if (wanted[i / keys] > 0)
              step(i);
          }
        else
          for (tg::s64 i = 0; i < k.dim(0); i += keys)
            step(i);
        if constexpr (L == Loop::two)
          for (tg::s64 i = keys; i < k.dim(0); i += keys)
            step(i);
        o[tg::all] = sum;
        other[tg::all] = difference;
      },
      tg::in<queries, head>(q, rows), tg::in<tg::whole, head>(k, all), tg::in<tg::whole, head>(v, all), tg::in(wanted),
      tg::out<queries, head>(o, rows), tg::out<queries, head>(other, rows));
}
#define KERNEL(name, loop, queries, T, consumers) TEGULA_INSTANTIATE(#name, attend<Loop::loop, queries, T, consumers>)

#if defined(WIDE)
// Of what the newest class does well, the next one that does not.
// CLASSES: remark: factors that TMA can copy{{.*}} (wide_0_tensor)
// CLASSES: warning: this product runs on FMA units, some 30 times slower than on tensor cores, on GPUs of class 8.x: the factors of the steps that are kept take more shared memory than there is: take smaller blocks or steps
// CLASSES-NOT: warning
// WARPS: remark: all calls: not on tensor cores: the factors of the steps that are kept take more shared memory than there is: take smaller blocks or steps
KERNEL(wide, plain, 128, tg::f16, 2);
#elif defined(BRANCH)
// BRANCH: remark: this program is cut into {{.*}} stages that run one after the other, each a launch of its own or a loop of launches
// BRANCH: note: at once, it cannot be split: a branch makes this tile, and all of it is wanted at once, which may be more than a thread group can hold. Write tg::where(condition, a, b) in place of the branch: steps of a loop whose masks leave nothing out do without them
KERNEL(mask_in_branch, mask_in_branch, 128, tg::f16, 0);
#else
// CHECK: warning: this product runs on FMA units, some 30 times slower than on tensor cores: the loop of the product does not count up to a bound that is known in front of it: it breaks, counts down, or its bound changes. Write for (i = begin; i < end; i += step), with a constant step, and let the bound or a mask leave out what is not wanted
KERNEL(breaks, breaks, 128, tg::f16, 0);
// CHECK: warning: {{.*}}: the loop of the product does not count up to a bound that is known in front of it
KERNEL(down, down, 128, tg::f16, 0);
// CHECK: warning: {{.*}}: the program has several products, which are not summed by one loop: sum them in one, of which steps that need no mask do without by themselves, or give each a launch of its own
KERNEL(two, two, 128, tg::f16, 0);
// CHECK: warning: {{.*}}: a product is inside of a branch: loop over the steps that are wanted alone, as by an array of their numbers, or compute it in all steps, and let a mask leave out what is not wanted
KERNEL(branch, branch, 128, tg::f16, 0);
// CHECK: warning: {{.*}}: the right factor of a product is loaded with a mask: load it as it stands, of which what is out of bounds counts as zeros, and mask what is made of it by tg::where
KERNEL(masked_keys, masked_keys, 128, tg::f16, 0);
// CHECK: warning: {{.*}}: products that are made of others have their right factor in common: pass its array once more, as another argument, or put their left factors into one block
KERNEL(shared_values, shared_values, 128, tg::f16, 0);
// CHECK: warning: {{.*}}: a block has 1 row, and tensor cores multiply more: take blocks of 16, of which those out of bounds are left out
KERNEL(one_query, plain, 1, tg::f16, 0);
// What is asked for as tf32 is told of, too.
// CHECK: warning: {{.*}}: products that are made of others, and those, are of f16 or bf16 alone
KERNEL(tf32, plain, 32, float, 0);

TEGULA_KERNEL void constant_sums(tg::array<const tg::f16, 2> a, tg::array<const tg::f16, 2> b, tg::array<float, 2> o, tg::array<float, 1> sums) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1) && sums.dim(0) == a.dim(0), "a, b and o do not fit");
  tg::pallas_call({.grid = {tg::cdiv(a.dim(0), 128)}}, [=](auto a, auto b, auto o, auto sums) {
    // CHECK: :[[#@LINE+1]]:18: warning: {{.*}}: beside the product, the program stores a tile that is not made of it, such as a constant: do that in a launch of its own
    o[tg::all] = tg::dot(a[tg::all], b[tg::all]);
    sums[tg::all] = tg::zeros<float, 128>();
  }, tg::in<128, tg::whole>(a, [](auto i) { return tg::index(i, 0); }), tg::in(b), tg::out<128, tg::whole>(o, [](auto i) { return tg::index(i, 0); }),
     tg::out<128>(sums, [](auto i) { return tg::index(i); }));
}
// CHECK-NOT: warning
#endif
