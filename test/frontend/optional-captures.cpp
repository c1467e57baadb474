// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// A launch whose body, or an index map, asks of an array that it captured is compiled with the array and without; one
// that asks of none is compiled once, with all that it captured.
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK-LABEL: tile.entry @asks(
// CHECK: %[[THERE:.*]] = tile.is_present %bias
// CHECK: scf.if %[[THERE]]
// CHECK: tile.launch "asks_0" {{.*}} %bias : !tile.array
// CHECK: } else {
// CHECK: tile.launch "asks_1"
// CHECK-NOT: %bias
// CHECK: tile.return
TEGULA_KERNEL void asks(tg::array<float, 1> x, tg::array<const float, 1> bias = {}) {
  tg::check(!bias || bias.dim(0) == x.dim(0), "one for each of x");
  tg::pallas_call(
      [=](auto x) {
        if (bias)
          x[tg::all] += bias[tg::all];
      },
      tg::inout(x));
}

// Of the explicit level, too.
// CHECK-LABEL: tile.entry @kernel(
// CHECK: scf.if
// CHECK: tile.launch "kernel_0" {{.*}} %bias : !tile.array
// CHECK: } else {
// CHECK: tile.launch "kernel_1"
// CHECK-NOT: %bias
// CHECK: tile.return
TEGULA_KERNEL void kernel(tg::array<float, 1> x, tg::array<const float, 1> bias = {}) {
  tg::check(x.dim(0) == 128 && (!bias || bias.dim(0) == 128), "128 numbers");
  tg::kernel({.grid = {{"m", 1}}}, [=] {
    auto t = x[tg::ds<128>(0)];
    if (bias)
      t += bias[tg::ds<128>(0)];
    x[tg::ds<128>(0)] = t;
  });
}

// CHECK-LABEL: tile.entry @host_asks(
// CHECK: %[[THERE:.*]] = tile.is_present %bias
// CHECK-NOT: scf.if %[[THERE]]
// CHECK: tile.launch "host_asks_0" {{.*}} %bias : !tile.array
// CHECK-NOT: tile.launch
TEGULA_KERNEL void host_asks(tg::array<float, 1> x, tg::array<const float, 1> bias = {}) {
  const bool is_there = static_cast<bool>(bias);
  tg::pallas_call(
      [=](auto x) {
        float shift = 0;
        if (is_there)
          shift = bias[0];
        x[tg::all] += shift;
      },
      tg::inout(x));
}

// Only what a body asks of has versions: by itself, by its helpers and their parameters, by members and references.
struct pair {
  tg::array<const float, 1> b, c;
};
static float shift_of(pair p) { return p.b ? 2.0f : 0.0f; }
template <class T> static float scale_of(const T &array) { return array ? 2.0f : 1.0f; }

// CHECK-LABEL: tile.entry @asks_of_one(
// CHECK: tile.is_present %b
// CHECK: "asks_of_one_1"
// CHECK-NOT: tile.launch
TEGULA_KERNEL void asks_of_one(tg::array<float, 1> x, tg::array<const float, 1> a = {},
                               tg::array<const float, 1> b = {}, tg::array<const float, 1> c = {}) {
  const pair p{b, c};
  tg::pallas_call(
      [=](auto x) {
        auto &also_b = b;
        auto shifted = [&](auto t) {
          if (also_b)
            t += 1.0f;
          return t;
        };
        x[tg::all] = shifted(x[tg::all]) * scale_of(b) + shift_of(p);
        if (a.dim(0) + c.dim(0) == 3)
          x[tg::all] += 1.0f;
      },
      tg::inout(x));
}

// CHECK-LABEL: tile.entry @functor(
// CHECK: tile.is_present %c
// CHECK: "functor_1"
// CHECK-NOT: tile.launch
struct scale {
  pair of;
  void operator()(auto x) const {
    if (of.c)
      x[tg::all] *= 2.0f + of.b.dim(0);
  }
};
TEGULA_KERNEL void functor(tg::array<float, 1> x, tg::array<const float, 1> b = {}, tg::array<const float, 1> c = {}) {
  tg::pallas_call(scale{{b, c}}, tg::inout(x));
}

// CHECK-LABEL: tile.entry @asks_of_block(
// CHECK: tile.is_present %b
// CHECK: "asks_of_block_1"
// CHECK-NOT: tile.launch
TEGULA_KERNEL void asks_of_block(tg::array<float, 1> x, tg::array<const float, 1> a = {},
                                 tg::array<const float, 1> b = {}) {
  tg::pallas_call([=](auto x, auto b) { x[tg::all] += scale_of(b) + a.dim(0); }, tg::inout(x), tg::in(b));
}

// By results of functions.
static tg::array<const float, 1> last_of(pair p) { return p.c; }
// CHECK-LABEL: tile.entry @asks_of_a_result(
// CHECK: "asks_of_a_result_1"
// CHECK-NOT: tile.launch
TEGULA_KERNEL void asks_of_a_result(tg::array<float, 1> x, tg::array<const float, 1> a = {},
                                   tg::array<const float, 1> b = {}) {
  tg::pallas_call(
      [=](auto x) {
        auto copy = last_of({b, a});
        x[tg::all] += scale_of(copy);
      },
      tg::inout(x));
}

// What is asked of only where another array is there has no version of its own elsewhere.
// CHECK-LABEL: tile.entry @asks_in_turn(
// CHECK: "asks_in_turn_2"
// CHECK-NOT: tile.launch
TEGULA_KERNEL void asks_in_turn(tg::array<float, 1> x, tg::array<const float, 1> a = {},
                                tg::array<const float, 1> b = {}) {
  tg::pallas_call(
      [=](auto x) {
        if (a) {
          x[tg::all] += scale_of(b);
        }
      },
      tg::inout(x));
}

// By what closures captured on the host, and by a combiner.
// CHECK-LABEL: tile.entry @asks_by_closures(
// CHECK: "asks_by_closures_3"
// CHECK-NOT: tile.launch
TEGULA_KERNEL void asks_by_closures(tg::array<float, 1> x, tg::array<const float, 1> a = {},
                                    tg::array<const float, 1> b = {}) {
  const auto scaled_by = [](auto array) { return [=](auto t) { return t * scale_of(array); }; };
  const auto by_a = scaled_by(a);
  const auto add = [=](auto one, auto other) { return b ? one + other : other; };
  tg::pallas_call([=](auto x) { x[tg::all] = by_a(x[tg::all]) + tg::reduce(x[tg::all], 0.0f, add); }, tg::inout(x));
}

// Neither is left out here, or both are, or one is at most: what was asked before leaves fewer versions.
// CHECK-LABEL: tile.entry @one_at_least(
// CHECK: "one_at_least_2"
// CHECK-NOT: tile.launch
TEGULA_KERNEL void one_at_least(tg::array<float, 1> x, tg::array<const float, 1> a = {},
                                tg::array<const float, 1> b = {}) {
  if (a || b)
    tg::pallas_call([=](auto x) { x[tg::all] += scale_of(a) + scale_of(b); }, tg::inout(x));
}

// CHECK-LABEL: tile.entry @both_or_neither(
// CHECK: "both_or_neither_1"
// CHECK-NOT: tile.launch
TEGULA_KERNEL void both_or_neither(tg::array<float, 1> x, tg::array<const float, 1> a = {},
                                   tg::array<const float, 1> b = {}) {
  tg::check(!a == !b, "both or neither");
  tg::pallas_call([=](auto x) { x[tg::all] += scale_of(a) + scale_of(b); }, tg::inout(x));
}

// CHECK-LABEL: tile.entry @refused_before(
// CHECK: "refused_before_0"
// CHECK-NOT: tile.launch
TEGULA_KERNEL void refused_before(tg::array<float, 1> x, tg::array<const float, 1> a = {},
                                  tg::array<const float, 1> b = {}) {
  tg::check(!(a && b) && bool(a), "a alone");
  tg::pallas_call([=](auto x) { x[tg::all] += scale_of(a) + scale_of(b); }, tg::inout(x));
}
