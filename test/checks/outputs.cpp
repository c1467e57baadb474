// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An output is undefined until the program stores to it.
// RUN: not tegulac --emit=tile -o - %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=warning:
// RUN: tegulac --emit=tile -DALLOWED -o /dev/null %s 2>&1 | count 0
#include <tegula/tegula.h>
namespace tg = tegula;

#ifndef ALLOWED
TEGULA_KERNEL void accumulated(tg::array<const float, 2> x, tg::array<float, 1> o) {
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o) {
        for (tg::s64 i = 0; i < x.dim(0); ++i)
          // CHECK: outputs.cpp:[[@LINE+2]]:[[#]]: error: this reads undefined elements: o is tg::out, and nothing has been stored to it before [tegula-check-outputs]
          // CHECK: note: use tg::inout for an array that the program reads and writes, tg::in for one that it only reads
          if (o[] > x[i])
            return;
        o[] = 1;
      },
      tg::in<tg::squeezed, tg::whole>(x, [](auto i) { return tg::index(i, 0); }),
      tg::out<tg::squeezed>(o, [](auto i) { return tg::index(i); }));
}

TEGULA_KERNEL void incremented(tg::array<float, 1> o) {
  // CHECK: outputs.cpp:[[@LINE+1]]:[[#]]: error: this reads undefined elements: o is tg::out
  tg::pallas_call([](auto o) { o[tg::all] += 1; }, tg::out(o));
}

TEGULA_KERNEL void forgotten(tg::array<const float, 1> x, tg::array<float, 1> o, tg::array<float, 1> rest) {
  tg::check(x.dim(0) == o.dim(0), "x and o differ in length");
  // CHECK: outputs.cpp:[[@LINE+1]]:[[#]]: warning: the program stores nothing to rest, which is tg::out and stays undefined
  tg::pallas_call([](auto x, auto o, auto rest) { o[tg::all] = x[tg::all]; }, tg::in(x), tg::out(o), tg::out(rest));
}

/// The one output of its launch.
TEGULA_KERNEL void never(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::pallas_call(
      // CHECK: outputs.cpp:[[@LINE-1]]:[[#]]: warning: the program stores nothing to o, which is tg::out and stays undefined
      [](auto x, auto o) {
        if (false)
          o[tg::all] = x[tg::all];
      },
      tg::in(x), tg::out(o));
}

TEGULA_KERNEL tg::array<float, 1> made_for_nothing(tg::array<const float, 1> x) {
  // CHECK: outputs.cpp:[[@LINE+2]]:[[#]]: warning: the entry returns this array, but no launch stores to it: its elements are undefined
  // CHECK: note: pass it to the launch that computes it, tg::out(o), or return the array that the launch stores to
  auto o = tg::empty_like(x);
  auto other = tg::empty_like(x);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = x[tg::all]; }, tg::in(x), tg::out(other));
  tg::pallas_call([](auto o) { tg::debug_print("{}", o[0]); }, tg::in(o));
  return o;
}

/// Of several instances, once.
template <int N> TEGULA_KERNEL void instance(tg::array<float, 1> o, tg::array<float, 1> rest) {
  // CHECK: outputs.cpp:[[@LINE+1]]:[[#]]: warning: the program stores nothing to rest, which is tg::out and stays undefined
  tg::pallas_call([](auto o, auto rest) { o[tg::all] = N; }, tg::out(o), tg::out(rest));
}
TEGULA_INSTANTIATE("of_1", instance<1>);
TEGULA_INSTANTIATE("of_2", instance<2>);

TEGULA_KERNEL void half(tg::array<float, 2> o) {
  const auto block = [](auto i) { return tg::index(i, 0); };
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), 8)}},
      [](auto o) {
        // CHECK: outputs.cpp:[[@LINE+2]]:[[#]]: warning: a program stores 272 of the 512 elements of its block of o, which is tg::out: the others stay undefined, which is an error on the CPU target
        // CHECK: note: store all of the block, o[tg::all] = ..., make it smaller, or let the other elements keep their values: tg::partial_out
        o[tg::ds<8>(0), tg::ds<32>(0)] = 1;
        o[tg::ds<8>(0), tg::ds<2>(40)] = 1;
      },
      tg::out<8, 64>(o, block));
}

TEGULA_KERNEL void returns_early(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::check(x.dim(0) == o.dim(0), "x and o differ in length");
  const auto block = [](auto i) { return tg::index(i); };
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 64)}},
      [](auto x, auto o) {
        if (x[0] < 0)
          return;
        // CHECK: outputs.cpp:[[@LINE+2]]:[[#]]: warning: programs that do not reach this store write nothing to o, which is tg::out: their blocks stay undefined, which is an error on the CPU target
        // CHECK: note: store on every path through the program, or let these blocks keep their values: tg::partial_out
        o[tg::all] = x[tg::all];
      },
      tg::in<64>(x, block), tg::out<64>(o, block));
}
/// What keeps what it holds is not read before, either.
TEGULA_KERNEL void partly_incremented(tg::array<float, 1> o) {
  // CHECK: outputs.cpp:[[@LINE+1]]:[[#]]: error: this reads undefined elements: o is tg::partial_out, and nothing has been stored to it before
  tg::pallas_call([](auto o) { o[tg::ds<4>(0)] += 1; }, tg::partial_out(o));
}

TEGULA_KERNEL void kept(tg::array<const float, 1> x, tg::array<float, 1> o, tg::array<float, 1> rest) {
  tg::check(x.dim(0) == o.dim(0), "x and o differ in length");
  // CHECK: outputs.cpp:[[@LINE+1]]:[[#]]: warning: the program stores nothing to rest, which is tg::partial_out and stays as it is
  tg::pallas_call([](auto x, auto o, auto rest) { o[tg::all] = x[tg::all]; }, tg::in(x), tg::out(o), tg::partial_out(rest));
}
#endif

/// A part, a block that the grid does not reach, and nothing in some programs.
TEGULA_KERNEL void partial(tg::array<const float, 1> x, tg::array<float, 1> o) {
  const auto block = [](auto i) { return tg::index(i); };
  tg::pallas_call(
      {.grid = {3}},
      [](auto x, auto o) {
        if (x[0] < 0)
          o[tg::ds<8>(0)] = 1;
      },
      tg::in<64>(x, block), tg::partial_out<64>(o, block));
}

/// All of the block in parts, in loops or on both sides of a branch; one program of several stores.
TEGULA_KERNEL void filled(tg::array<const float, 2> x, tg::array<float, 2> o, tg::array<float, 1> p) {
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 8), 3}},
      [](auto x, auto o, auto p) {
        o[tg::ds<8>(0), tg::ds<32>(0)] = 1;
        if (x[0, 0] < 0) {
          o[tg::ds<8>(0), tg::ds<32>(32)] = 1;
        } else {
          for (int i = 0; i < 8; ++i)
            o[i, tg::ds<32>(32)] = 2;
        }
        if (tg::program_id(1) == 1)
          p[0] = 1;
      },
      tg::in<8, 64>(x, [](auto i, auto) { return tg::index(i, 0); }),
      tg::out<8, 64>(o, [](auto i, auto j) { return tg::index(i, j); }),
      tg::out<1>(p, [](auto i, auto) { return tg::index(i); }));
}

/// Read where it was stored, in this iteration or one before, or for its shape alone.
TEGULA_KERNEL void allowed(tg::array<const float, 1> x, tg::array<float, 1> o, tg::array<float, 1> p, tg::s64 n) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(0) == p.dim(0), "the arrays differ in length");
  tg::pallas_call(
      [=](auto x, auto o, auto p) {
        o[tg::all] = tg::zeros_like(p[tg::all]);
        o[tg::all] += x[tg::all];
        for (tg::s64 i = 0; i < n; ++i) {
          if (i > 0)
            o[tg::all] = p[tg::all];
          p[tg::all] = x[tg::all];
        }
      },
      tg::in(x), tg::out(o), tg::out(p));
}

/// Stored to in one of several launches, by whatever name, or without elements.
TEGULA_KERNEL tg::array<float, 1> returned(tg::array<const float, 1> x, tg::s64 n) {
  if (n < 0)
    return tg::empty<float>(0);
  auto from = tg::empty_like(x), to = tg::empty_like(x);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = x[tg::all]; }, tg::in(x), tg::out(from));
  for (tg::s64 i = 0; i < n; ++i) {
    tg::pallas_call([](auto x, auto o) { o[tg::all] = 2 * x[tg::all]; }, tg::in(from), tg::out(to));
    tg::swap(from, to);
  }
  return from;
}
