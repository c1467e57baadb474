// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile-split %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// RUN: tegulac --emit=tile-split -DSTATIC %s -o /dev/null
// RUN: tegulac --emit=tile-split -DSTATIC -DSLICES %s -o /dev/null
// What the thread groups that share a program's blocks cannot do. With static blocks, as the messages say, one thread group does it, also with slices of them of run-time size.
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
  tg::pallas_call(
      [=](auto x) {
        for (int k = 0; k < 3; ++k)
          // CHECK: splitting.cpp:[[@LINE+2]]:24: error: the windows that this store writes may overlap from one iteration to the next, and its blocks are too large for one thread group to keep the order
          // CHECK: splitting.cpp:[[@LINE+1]]:24: note: write to another array, or use static blocks of at most 8192 elements
          x[WINDOW(k)] = 1.F;
      },
      ROW(tg::inout, x));
}

TEGULA_KERNEL void stored_twice(tg::array<float, 1> x, tg::s64 n) {
  tg::pallas_call(
      [=](auto x) {
        // CHECK: splitting.cpp:[[@LINE+3]]:26: error: this store may write where the program has written before
        // CHECK: splitting.cpp:[[@LINE+1]]:22: note: that store
        x[WINDOW(0)] = 1.F;
        x[WINDOW(n / 2)] = 2.F;
      },
      ROW(tg::inout, x));
}

TEGULA_KERNEL void stored_after(tg::array<float, 1> x) {
  tg::pallas_call(
      [](auto x) {
        // CHECK: splitting.cpp:[[@LINE+3]]:20: error: this store may overwrite what the program reads elsewhere in the array
        // CHECK: splitting.cpp:[[@LINE+1]]:29: note: that load
        const float first = x[0];
        x[tg::all] = x[tg::all] - first;
      },
      ROW(tg::inout, x));
}

TEGULA_KERNEL void loaded_after(tg::array<float, 1> x, tg::array<float, 1> o) {
  tg::check(x.dim(0) == o.dim(0), "x and o differ in length");
  tg::pallas_call(
      [](auto x, auto o) {
        // CHECK: splitting.cpp:[[@LINE+3]]:35: error: this load may read what the program writes elsewhere in the array
        // CHECK: splitting.cpp:[[@LINE+1]]:20: note: that store
        x[tg::all] = 2.F;
        o[tg::all] = o[tg::all] + x[0];
      },
      ROW(tg::inout, x), ROW(tg::inout, o));
}

// ---- What is read is overwritten ----

TEGULA_KERNEL void transposed(tg::array<float, 2> x) {
  tg::check(x.dim(0) == x.dim(1), "x is no square");
  tg::pallas_call(
      [](auto x) {
        // CHECK: splitting.cpp:[[@LINE+2]]:36: error: another thread group may have overwritten what is read here, for the array is stored to at other places than it is read
        // CHECK: splitting.cpp:[[@LINE+1]]:20: note: that store
        x[tg::all] = tg::transpose(x[tg::all]);
      },
      SQUARE(tg::inout, x));
}

TEGULA_KERNEL void product_in_place(tg::array<float, 2> x, tg::array<const float, 2> y) {
  tg::check(x.dim(0) == x.dim(1) && y.dim(0) == x.dim(0) && y.dim(1) == x.dim(0), "these are no squares");
  tg::pallas_call(
      // CHECK: splitting.cpp:[[@LINE+1]]:49: error: another thread group may have overwritten what is read here
      [](auto x, auto y) { x[tg::all] = tg::dot(x[tg::all], y[tg::all]); }, SQUARE(tg::inout, x), SQUARE(tg::in, y));
}

TEGULA_KERNEL void used_after(tg::array<float, 2> x) {
  tg::pallas_call(
      [](auto x) {
        // CHECK: splitting.cpp:[[@LINE+2]]:24: error: the program overwrites this array before all of what is read here is used, and its blocks are too large for one thread group to keep the value
        // CHECK: splitting.cpp:[[@LINE+2]]:20: note: that store
        const auto t = x[tg::all];
        x[tg::all] = 2.F * t;
        x[tg::all] = t - tg::max<1>(t)[tg::all, tg::newaxis];
      },
      SQUARE(tg::inout, x));
}

TEGULA_KERNEL void used_in_loop(tg::array<float, 2> x) {
  tg::pallas_call(
      [](auto x) {
        // CHECK: splitting.cpp:[[@LINE+3]]:24: error: what is read here is used in a loop that overwrites the array, and its blocks are too large for one thread group to keep the value
        // CHECK: splitting.cpp:[[@LINE+4]]:22: note: that store
        // CHECK: splitting.cpp:[[@LINE+1]]:24: note: write to another array, or use static blocks of at most 8192 elements
        const auto t = x[tg::all];
        for (int k = 0; k < 3; ++k)
          x[tg::all] = t - tg::max<1>(t * tg::astype<float>(k))[tg::all, tg::newaxis];
      },
      SQUARE(tg::inout, x));
}

// ---- What loops and branches carry ----

TEGULA_KERNEL void reduced_afterwards(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "x and o differ in shape");
  tg::pallas_call(
      [](auto x, auto o) {
        // CHECK: splitting.cpp:[[@LINE+4]]:9: error: a loop carries this tile, and all of it is wanted at once, which may be more than a thread group can hold
        // CHECK: splitting.cpp:[[@LINE+5]]:26: note: this reduction combines all of it
        // CHECK: splitting.cpp:[[@LINE+2]]:9: note: use static blocks of at most 8192 elements, or read what is wanted from an array that the program does not write
        auto t = x[tg::all];
        for (int k = 0; k < 3; ++k)
          t = t * 2.F;
        o[tg::all] = t - tg::max<1>(t)[tg::all, tg::newaxis];
      },
      SQUARE(tg::in, x), SQUARE(tg::out, o));
}

TEGULA_KERNEL void reduced_inside(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "x and o differ in shape");
  tg::pallas_call(
      [](auto x, auto o) {
        // CHECK: splitting.cpp:[[@LINE+3]]:9: error: a loop carries this tile, and all of it is wanted at once
        // CHECK: splitting.cpp:[[@LINE+3]]:19: note: this reduction combines all of it
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
  tg::pallas_call(
      [=](auto x, auto y, auto o) {
        // CHECK: splitting.cpp:[[@LINE+3]]:9: error: a branch makes this tile, and all of it is wanted at once
        // CHECK: splitting.cpp:[[@LINE+4]]:26: note: this reduction combines all of it
        auto t = x[tg::all];
        if (other)
          t = y[tg::all];
        o[tg::all] = t - tg::max<1>(t)[tg::all, tg::newaxis];
      },
      SQUARE(tg::in, x), SQUARE(tg::in, y), SQUARE(tg::out, o));
}

TEGULA_KERNEL void power(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1) && x.dim(0) == x.dim(1), "these are no squares");
  tg::pallas_call(
      [](auto x, auto o) {
        // CHECK: splitting.cpp:[[@LINE+3]]:9: error: a loop carries this tile, and all of it is wanted at once
        // CHECK: splitting.cpp:[[@LINE+3]]:15: note: this product sums over all of it
        auto t = x[tg::all];
        for (int k = 0; k < 3; ++k)
          t = tg::dot(t, x[tg::all]);
        o[tg::all] = t;
      },
      SQUARE(tg::in, x), SQUARE(tg::out, o));
}

TEGULA_KERNEL void both_sides(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1) && x.dim(0) == x.dim(1), "these are no squares");
  tg::pallas_call(
      [](auto x, auto o) {
        // CHECK: splitting.cpp:[[@LINE+3]]:9: error: a loop carries this tile, and it is wanted at two places: each of the thread groups that share its blocks has but one part of it
        // CHECK: splitting.cpp:[[@LINE+3]]:19: note: here one of its dimensions becomes another one
        auto t = x[tg::all];
        for (int k = 0; k < 3; ++k)
          t = t - tg::transpose(t);
        o[tg::all] = t;
      },
      SQUARE(tg::in, x), SQUARE(tg::out, o));
}

TEGULA_KERNEL void outer(tg::array<const float, 1> x, tg::array<float, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(0) == o.dim(1), "o is not x by x");
  tg::pallas_call(
      [](auto x, auto o) {
        // CHECK: splitting.cpp:[[@LINE+3]]:9: error: a loop carries this tile, and it is wanted at two places
        // CHECK: splitting.cpp:[[@LINE+4]]:22: note: here one of its dimensions becomes another one
        auto t = x[tg::all];
        for (int k = 0; k < 3; ++k)
          t = t * 2.F;
        o[tg::all] = t[tg::newaxis, tg::all] * t[tg::all, tg::newaxis];
      },
      ROW(tg::in, x), SQUARE(tg::out, o));
}

TEGULA_KERNEL void decided(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1) && x.dim(0) == x.dim(1), "these are no squares");
  tg::pallas_call(
      [](auto x, auto o) {
        // CHECK: splitting.cpp:[[@LINE+5]]:9: error: a branch makes this tile, and one thread group processes its blocks chunk by chunk, for they are too large for registers
        // CHECK: splitting.cpp:[[@LINE+4]]:13: note: it is one thread group, for all of the program depends on this reduction
        // CHECK: splitting.cpp:[[@LINE+3]]:9: note: use static blocks of at most 8192 elements, or tg::where(condition, a, b) in place of the branch, or store what all depends on in a launch before, and load it
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
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: splitting.cpp:[[@LINE+5]]:9: error: a loop carries this tile, and one thread group processes its blocks chunk by chunk, for they are too large for registers
        // CHECK: splitting.cpp:[[@LINE+6]]:26: note: it is one thread group, for this reduction is the same along a dimension
        // CHECK: splitting.cpp:[[@LINE+3]]:9: note: use static blocks of at most 8192 elements
        // CHECK-NOT: launch before
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
  tg::pallas_call(
      [](auto x, auto o) {
        // CHECK: splitting.cpp:[[@LINE+3]]:9: error: a loop carries this tile, and no part of it can be taken: the threads of a thread group have its elements in registers
        // CHECK: splitting.cpp:[[@LINE+4]]:26: note: this part
        auto t = x[tg::all];
        for (int k = 0; k < 3; ++k)
          t = t * 2.F;
        o[tg::all] = t + t[0];
        // CHECK: splitting.cpp:[[@LINE-3]]:9: note: keep the part in a variable of its own as well, or reduce tg::where of it
      },
      ROW(tg::in, x), ROW(tg::out, o));
}
#endif
