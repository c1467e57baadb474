// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// What other libraries have functions for, and what the language has instead.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x) {
  tg::pallas_call(
      [](auto x) {
        // CHECK: functions-from-elsewhere.cpp:[[@LINE+1]]:19: error: there is no stddev: it is tg::std(x), along an axis tg::std<1>(x)
        (void)tg::stddev<1>(x[tg::all]);
        // CHECK: functions-from-elsewhere.cpp:[[@LINE+1]]:19: error: there is no softmax: write it out: of a row tg::exp(x - tg::logsumexp(x)), of the rows of a matrix tg::exp(x - tg::logsumexp<1>(x, tg::keepdims))
        (void)tg::softmax(x[tg::all]);
        // CHECK: functions-from-elsewhere.cpp:[[@LINE+1]]:19: error: there is no cat: it is tg::concatenate<0>(x, y)
        (void)tg::cat(x[tg::all], x[tg::all]);
        // CHECK: functions-from-elsewhere.cpp:[[@LINE+1]]:19: error: there is no flatten: it is tg::reshape<64>(x)
        (void)tg::flatten(x[tg::all]);
        // CHECK: functions-from-elsewhere.cpp:[[@LINE+1]]:19: error: there is no log10: it is tg::log(x) * 0.4342944819032518
        (void)tg::log10(x[tg::all]);
        // CHECK: functions-from-elsewhere.cpp:[[@LINE+1]]:19: error: there is no logical_and: an operator does it: x && y, x || y, !x
        (void)tg::logical_and(x[tg::all] > 0, x[tg::all] < 1);
        // CHECK: functions-from-elsewhere.cpp:[[@LINE+1]]:19: error: there is no bincount: add to elements with tg::atomic_add(o.at(rows), x)
        (void)tg::bincount(tg::astype<int>(x[tg::all]));
        // CHECK: functions-from-elsewhere.cpp:[[@LINE+1]]:19: error: there is no tril: tg::where(tg::iota_like<int, 0>(x) >= tg::iota_like<int, 1>(x), x, 0) is the lower half
        (void)tg::tril(x[tg::all]);
        // As the messages say:
        const auto t = x[tg::all];
        (void)(tg::std<1>(t) + tg::sum<1>(tg::exp(t - tg::logsumexp<1>(t, tg::keepdims))));
        (void)tg::where(tg::iota_like<int, 0>(t) >= tg::iota_like<int, 1>(t), t, 0);
        (void)(tg::concatenate<0>(t, t) + tg::log(tg::concatenate<0>(t, t)) * 0.4342944819032518);
      },
      tg::in(x));
}
