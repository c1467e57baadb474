// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs whose blocks are too large for one thread group, and which thread groups cannot share at once: they are cut
// into stages. With static blocks one thread group does it, also with slices of them of run-time size.
// RUN: tegulac --emit=tile-split -Rsplit --verify %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=warning:
// RUN: tegulac --emit=tile-split -Rsplit -DSTATIC %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHOLE --implicit-check-not="is cut into"
// RUN: tegulac --emit=tile-split -Rsplit -DSTATIC -DSLICES %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHOLE --implicit-check-not="is cut into"
// WHOLE: remark: a thread group of {{.*}} threads takes a program
#include <tegula/tegula.h>
namespace tg = tegula;

#ifdef STATIC
#ifdef SLICES
#define WINDOW(start) tg::ds(start, n)
#else
#define WINDOW(start) tg::ds<64>(start)
#endif
#define ROW(spec, x) spec<64>(x, [] { return tg::index(0); })
#define SQUARE(spec, x) spec<64, 64>(x, [] { return tg::index(0, 0); })
#else
#define WINDOW(start) tg::ds(start, n)
#define ROW(spec, x) spec(x)
#define SQUARE(spec, x) spec(x)
#endif

// ---- The order of accesses ----

TEGULA_KERNEL void sliding(tg::array<float, 1> x, tg::s64 n) {
  // CHECK: split-stages.cpp:[[@LINE+3]]:{{[0-9]+}}: remark: this program is cut into 1 stage, each a launch of its own or a loop of launches
  // CHECK: split-stages.cpp:[[@LINE+4]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+4]]:{{[0-9]+}}: note: at once, it cannot be split: the windows that this store writes may overlap from one iteration to the next, and its blocks are too large for one thread group to keep the order
  tg::pallas_call(
      [=](auto x) {
        for (int k = 0; k < 3; ++k)
          x[WINDOW(k)] = 1.F;
      },
      ROW(tg::inout, x));
}

TEGULA_KERNEL void stored_twice(tg::array<float, 1> x, tg::s64 n) {
  // CHECK: split-stages.cpp:[[@LINE+4]]:{{[0-9]+}}: remark: this program is cut into 2 stages that run one after the other, each a launch of its own or a loop of launches
  // CHECK: split-stages.cpp:[[@LINE+5]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+5]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+4]]:{{[0-9]+}}: note: at once, it cannot be split: this store may write where the program has written before, and its blocks are too large for one thread group to keep the order
  tg::pallas_call(
      [=](auto x) {
        x[WINDOW(0)] = 1.F;
        x[WINDOW(n / 2)] = 2.F;
      },
      ROW(tg::inout, x));
}

TEGULA_KERNEL void stored_after(tg::array<float, 1> x) {
  // CHECK: split-stages.cpp:[[@LINE+4]]:{{[0-9]+}}: remark: this program is cut into 2 stages that run one after the other, each a launch of its own or a loop of launches
  // CHECK: split-stages.cpp:[[@LINE+5]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+5]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+4]]:{{[0-9]+}}: note: at once, it cannot be split: this store may overwrite what the program reads elsewhere in the array, and its blocks are too large for one thread group to keep the order
  tg::pallas_call(
      [](auto x) {
        const float first = x[0];
        x[tg::all] = x[tg::all] - first;
      },
      ROW(tg::inout, x));
}

TEGULA_KERNEL void loaded_after(tg::array<float, 1> x, tg::array<float, 1> o) {
  tg::check(x.dim(0) == o.dim(0), "x and o differ in length");
  // CHECK: split-stages.cpp:[[@LINE+4]]:{{[0-9]+}}: remark: this program is cut into 2 stages that run one after the other, each a launch of its own or a loop of launches
  // CHECK: split-stages.cpp:[[@LINE+5]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+5]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+4]]:{{[0-9]+}}: note: at once, it cannot be split: this load may read what the program writes elsewhere in the array, and its blocks are too large for one thread group to keep the order
  tg::pallas_call(
      [](auto x, auto o) {
        x[tg::all] = 2.F;
        o[tg::all] = o[tg::all] + x[0];
      },
      ROW(tg::inout, x), ROW(tg::inout, o));
}

// ---- What is read is overwritten ----

TEGULA_KERNEL void transposed(tg::array<float, 2> x) {
  tg::check(x.dim(0) == x.dim(1), "x is no square");
  // CHECK: split-stages.cpp:[[@LINE+4]]:{{[0-9]+}}: remark: this program is cut into 2 stages that run one after the other, each a launch of its own or a loop of launches
  // CHECK: split-stages.cpp:[[@LINE+5]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+4]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+3]]:{{[0-9]+}}: note: at once, it cannot be split: another thread group may have overwritten what is read here, for the array is stored to at other places than it is read
  tg::pallas_call(
      [](auto x) {
        x[tg::all] = tg::transpose(x[tg::all]);
      },
      SQUARE(tg::inout, x));
}

TEGULA_KERNEL void product_in_place(tg::array<float, 2> x, tg::array<const float, 2> y) {
  tg::check(x.dim(0) == x.dim(1) && y.dim(0) == x.dim(0) && y.dim(1) == x.dim(0), "these are no squares");
  // CHECK: split-stages.cpp:[[@LINE+4]]:{{[0-9]+}}: remark: this program is cut into 2 stages that run one after the other, each a launch of its own or a loop of launches
  // CHECK: split-stages.cpp:[[@LINE+4]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+3]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+2]]:{{[0-9]+}}: note: at once, it cannot be split: another thread group may have overwritten what is read here, for the array is stored to at other places than it is read
  tg::pallas_call(
      [](auto x, auto y) { x[tg::all] = tg::dot(x[tg::all], y[tg::all]); }, SQUARE(tg::inout, x), SQUARE(tg::in, y));
}

TEGULA_KERNEL void used_after(tg::array<float, 2> x) {
  // CHECK: split-stages.cpp:[[@LINE+5]]:{{[0-9]+}}: remark: this program is cut into 3 stages that run one after the other, each a launch of its own or a loop of launches
  // CHECK: split-stages.cpp:[[@LINE+6]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+6]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+6]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+3]]:{{[0-9]+}}: note: at once, it cannot be split: the program overwrites this array before all of what is read here is used, and its blocks are too large for one thread group to keep the value
  tg::pallas_call(
      [](auto x) {
        const auto t = x[tg::all];
        x[tg::all] = 2.F * t;
        x[tg::all] = t - tg::max<1>(t)[tg::all, tg::newaxis];
      },
      SQUARE(tg::inout, x));
}

TEGULA_KERNEL void used_in_loop(tg::array<float, 2> x) {
  // CHECK: split-stages.cpp:[[@LINE+4]]:{{[0-9]+}}: remark: this program is cut into 2 stages that run one after the other, each a launch of its own or a loop of launches
  // CHECK: split-stages.cpp:[[@LINE+5]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+5]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+3]]:{{[0-9]+}}: note: at once, it cannot be split: what is read here is used in a loop that overwrites the array, and its blocks are too large for one thread group to keep the value
  tg::pallas_call(
      [](auto x) {
        const auto t = x[tg::all];
        for (int k = 0; k < 3; ++k)
          x[tg::all] = t - tg::max<1>(t * tg::astype<float>(k))[tg::all, tg::newaxis];
      },
      SQUARE(tg::inout, x));
}

// ---- What loops and branches carry ----

TEGULA_KERNEL void reduced_afterwards(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "x and o differ in shape");
  // CHECK: split-stages.cpp:[[@LINE+5]]:{{[0-9]+}}: remark: this program is cut into 3 stages that run one after the other, each a launch of its own or a loop of launches
  // CHECK: split-stages.cpp:[[@LINE+7]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+8]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+7]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+4]]:{{[0-9]+}}: note: at once, it cannot be split: a loop carries this tile, and all of it is wanted at once, which may be more than a thread group can hold
  tg::pallas_call(
      [](auto x, auto o) {
        auto t = x[tg::all];
        for (int k = 0; k < 3; ++k)
          t = t * 2.F;
        o[tg::all] = t - tg::max<1>(t)[tg::all, tg::newaxis];
      },
      SQUARE(tg::in, x), SQUARE(tg::out, o));
}

TEGULA_KERNEL void reduced_inside(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "x and o differ in shape");
  // CHECK: split-stages.cpp:[[@LINE+5]]:{{[0-9]+}}: remark: this program is cut into 3 stages that run one after the other, each a launch of its own or a loop of launches
  // CHECK: split-stages.cpp:[[@LINE+7]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+6]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+7]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+4]]:{{[0-9]+}}: note: at once, it cannot be split: a loop carries this tile, and all of it is wanted at once, which may be more than a thread group can hold
  tg::pallas_call(
      [](auto x, auto o) {
        auto t = x[tg::all];
        for (int k = 0; k < 3; ++k)
          t = t / tg::sum<1>(t)[tg::all, tg::newaxis];
        o[tg::all] = t;
      },
      SQUARE(tg::in, x), SQUARE(tg::out, o));
}

TEGULA_KERNEL void chosen(tg::array<const float, 2> x, tg::array<const float, 2> y, tg::array<float, 2> o, bool other) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "x and o differ in shape");
  tg::check(y.dim(0) == o.dim(0) && y.dim(1) == o.dim(1), "y and o differ in shape");
  // CHECK: split-stages.cpp:[[@LINE+5]]:{{[0-9]+}}: remark: this program is cut into 3 stages that run one after the other, each a launch of its own or a loop of launches
  // CHECK: split-stages.cpp:[[@LINE+7]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+8]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+7]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+4]]:{{[0-9]+}}: note: at once, it cannot be split: a branch makes this tile, and all of it is wanted at once, which may be more than a thread group can hold. Write tg::where(condition, a, b) in place of the branch: steps of a loop whose masks leave nothing out do without them
  tg::pallas_call(
      [=](auto x, auto y, auto o) {
        auto t = x[tg::all];
        if (other)
          t = y[tg::all];
        o[tg::all] = t - tg::max<1>(t)[tg::all, tg::newaxis];
      },
      SQUARE(tg::in, x), SQUARE(tg::in, y), SQUARE(tg::out, o));
}

TEGULA_KERNEL void power(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1) && x.dim(0) == x.dim(1), "these are no squares");
  // CHECK: split-stages.cpp:[[@LINE+9]]:{{[0-9]+}}: remark: this program is cut into 2 stages that run one after the other, each a launch of its own or a loop of launches
  // CHECK: split-stages.cpp:[[@LINE+12]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+10]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+9]]:{{[0-9]+}}: note: at once, it cannot be split: another thread group may have overwritten what is read here, for the array is stored to at other places than it is read
  // CHECK: split-stages.cpp:[[@LINE+5]]:{{[0-9]+}}: remark: this program is cut into 3 stages that run one after the other, each a launch of its own or a loop of launches
  // CHECK: split-stages.cpp:[[@LINE+7]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+6]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+7]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+4]]:{{[0-9]+}}: note: at once, it cannot be split: a loop carries this tile, and all of it is wanted at once, which may be more than a thread group can hold
  tg::pallas_call(
      [](auto x, auto o) {
        auto t = x[tg::all];
        for (int k = 0; k < 3; ++k)
          t = tg::dot(t, x[tg::all]);
        o[tg::all] = t;
      },
      SQUARE(tg::in, x), SQUARE(tg::out, o));
}

TEGULA_KERNEL void both_sides(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1) && x.dim(0) == x.dim(1), "these are no squares");
  // CHECK: split-stages.cpp:[[@LINE+9]]:{{[0-9]+}}: remark: this program is cut into 2 stages that run one after the other, each a launch of its own or a loop of launches
  // CHECK: split-stages.cpp:[[@LINE+12]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+10]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+9]]:{{[0-9]+}}: note: at once, it cannot be split: another thread group may have overwritten what is read here, for the array is stored to at other places than it is read
  // CHECK: split-stages.cpp:[[@LINE+5]]:{{[0-9]+}}: remark: this program is cut into 3 stages that run one after the other, each a launch of its own or a loop of launches
  // CHECK: split-stages.cpp:[[@LINE+7]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+6]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+7]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+4]]:{{[0-9]+}}: note: at once, it cannot be split: a loop carries this tile, and it is wanted at two places: each of the thread groups that share its blocks has but one part of it
  tg::pallas_call(
      [](auto x, auto o) {
        auto t = x[tg::all];
        for (int k = 0; k < 3; ++k)
          t = t - tg::transpose(t);
        o[tg::all] = t;
      },
      SQUARE(tg::in, x), SQUARE(tg::out, o));
}

TEGULA_KERNEL void outer(tg::array<const float, 1> x, tg::array<float, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(0) == o.dim(1), "o is not x by x");
  // CHECK: split-stages.cpp:[[@LINE+4]]:{{[0-9]+}}: remark: this program is cut into 2 stages that run one after the other, each a launch of its own or a loop of launches
  // CHECK: split-stages.cpp:[[@LINE+6]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+7]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+4]]:{{[0-9]+}}: note: at once, it cannot be split: a loop carries this tile, and it is wanted at two places: each of the thread groups that share its blocks has but one part of it
  tg::pallas_call(
      [](auto x, auto o) {
        auto t = x[tg::all];
        for (int k = 0; k < 3; ++k)
          t = t * 2.F;
        o[tg::all] = t[tg::newaxis, tg::all] * t[tg::all, tg::newaxis];
      },
      ROW(tg::in, x), SQUARE(tg::out, o));
}

TEGULA_KERNEL void decided(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1) && x.dim(0) == x.dim(1), "these are no squares");
  // CHECK: split-stages.cpp:[[@LINE+5]]:{{[0-9]+}}: remark: this program is cut into 3 stages that run one after the other, each a launch of its own or a loop of launches
  // CHECK: split-stages.cpp:[[@LINE+7]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+7]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+8]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+5]]:{{[0-9]+}}: note: at once, it cannot be split: a branch makes this tile, and one thread group processes its blocks chunk by chunk, for they are too large for registers
  tg::pallas_call(
      [](auto x, auto o) {
        const auto t = x[tg::all];
        auto p = tg::dot(t, t);
        if (tg::max(p) > 1.F)
          p = p * 0.5F;
        o[tg::all] = p;
      },
      SQUARE(tg::in, x), SQUARE(tg::out, o));
}

TEGULA_KERNEL void repeated(tg::array<const float, 2> x, tg::array<float, 2> o, int n) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "x and o differ in shape");
  // CHECK: split-stages.cpp:[[@LINE+5]]:{{[0-9]+}}: remark: this program is cut into 3 stages that run one after the other, each a launch of its own or a loop of launches
  // CHECK: split-stages.cpp:[[@LINE+7]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+8]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+7]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+4]]:{{[0-9]+}}: note: at once, it cannot be split: a loop carries this tile, and one thread group processes its blocks chunk by chunk, for they are too large for registers
  tg::pallas_call(
      [=](auto x, auto o) {
        auto t = x[tg::all];
        for (int i = 0; i < n; ++i)
          t = t * 2.F;
        o[tg::all] = t + tg::sum<0>(x[tg::all]);
      },
      SQUARE(tg::in, x), SQUARE(tg::out, o));
}

// No block is small enough for this.
#ifndef STATIC
TEGULA_KERNEL void by_the_first(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::check(x.dim(0) == o.dim(0), "x and o differ in length");
  // CHECK: split-stages.cpp:[[@LINE+4]]:{{[0-9]+}}: remark: this program is cut into 2 stages that run one after the other, each a launch of its own or a loop of launches
  // CHECK: split-stages.cpp:[[@LINE+6]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+7]]:{{[0-9]+}}: note: a stage begins here
  // CHECK: split-stages.cpp:[[@LINE+4]]:{{[0-9]+}}: note: at once, it cannot be split: a loop carries this tile, and no part of it can be taken: the threads of a thread group have its elements in registers
  tg::pallas_call(
      [](auto x, auto o) {
        auto t = x[tg::all];
        for (int k = 0; k < 3; ++k)
          t = t * 2.F;
        o[tg::all] = t + t[0];
      },
      ROW(tg::in, x), ROW(tg::out, o));
}

// ---- What one thread group is left with ----

TEGULA_KERNEL void until_it_changes(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::check(x.dim(0) == o.dim(0), "x and o differ in length");
  // CHECK: split-stages.cpp:[[@LINE+2]]:{{[0-9]+}}: remark: one thread group runs this part of a program, chunk by chunk, which is slow: it decides itself what it does next, which thread groups cannot do together
  // CHECK: split-stages.cpp:[[@LINE+1]]:{{[0-9]+}}: remark: this program is cut into 1 stage, each a launch of its own or a loop of launches
  tg::pallas_call(
      [](auto x, auto o) {
        const auto a = x[tg::all];
        auto t = a;
        for (int k = 0; k < 30; ++k) {
          const auto next = (t + a / t) * 0.5F;
          const bool isDone = tg::max(tg::abs(next - t)) < 1e-6F;
          t = next;
          if (isDone)
            break;
        }
        o[tg::all] = t;
      },
      ROW(tg::in, x), ROW(tg::out, o));
}
#endif
