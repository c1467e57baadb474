// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of a grid run at the same time: what they all write to one place is refused, if it differs or adds up.
// RUN: not tegulac --emit=tile -o - %s 2>&1 | FileCheck %s
#include <tegula/tegula.h>
namespace tg = tegula;

/// As a grid adds up elsewhere, where one program runs after another.
TEGULA_KERNEL void accumulated(tg::array<const float, 2> x, tg::array<float, 1> z) {
  tg::pallas_call(
      {.grid = {x.dim(0), tg::cdiv(x.dim(1), 64)}},
      [](auto x, auto z) {
        if (tg::program_id(1) == 0)
          z[] = 0;
        // CHECK: [[@LINE+2]]:{{[0-9]+}}: error: programs that differ along grid axis 1 all write the same elements of z, and they run at the same time
        // CHECK: note: let each program write its own elements: make the index map of z depend on grid axis 1, loop over the axis in the program, or make the axis sequential, .dimension_semantics = {..., tg::sequential}
        z[] += tg::sum(x[tg::all]);
      },
      tg::in<tg::squeezed, 64>(x, [](auto i, auto k) { return tg::index(i, k); }),
      tg::inout<tg::squeezed>(z, [](auto i, auto) { return tg::index(i); }));
}

TEGULA_KERNEL void last_of_all(tg::array<const float, 1> x, tg::array<float, 1> z) {
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      // CHECK: [[@LINE+1]]:{{[0-9]+}}: error: programs that differ along grid axis 0 all write the same elements of z
      [](auto x, auto z) { z[0] = x[tg::program_id(0)]; }, tg::in(x), tg::inout(z));
}

/// A histogram: two programs may count in one element.
TEGULA_KERNEL void histogram(tg::array<const tg::s32, 1> x, tg::array<tg::s32, 1> h) {
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      // CHECK: [[@LINE+2]]:{{[0-9]+}}: error: programs that differ along grid axis 0 may update the same element of h at the same time, because its index is loaded: updates would be lost [tegula-check-overwrites]
      // CHECK: note: update it atomically, tg::atomic_add(h.at(index), value), or let each program own an element of h and reduce over the values for it, tg::sum(tg::where(index == own, value, 0))
      [](auto x, auto h) { h[x[tg::program_id(0)]] += 1; }, tg::in(x), tg::inout(h));
}

/// The same in other words, a row at a time, of blocks.
TEGULA_KERNEL void segments(tg::array<const tg::s32, 1> x, tg::array<const float, 2> v, tg::array<float, 2> h) {
  tg::check(v.dim(1) == h.dim(1), "v and h differ in columns");
  tg::pallas_call(
      {.grid = {x.dim(0), tg::cdiv(v.dim(1), 64)}},
      [](auto x, auto v, auto h) {
        const auto row = x[tg::program_id(0)];
        // CHECK: [[@LINE+1]]:{{[0-9]+}}: error: programs that differ along grid axis 0 may update the same element of h
        h[row, tg::all] = v[tg::all] + h[row, tg::all];
      },
      tg::in(x), tg::in<tg::squeezed, 64>(v, [](auto i, auto j) { return tg::index(i, j); }),
      tg::inout<tg::whole, 64>(h, [](auto, auto j) { return tg::index(0, j); }));
}

/// Neighbours meet in one element.
TEGULA_KERNEL void pairs(tg::array<const float, 1> x, tg::array<float, 1> h, tg::array<float, 1> o) {
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto h, auto o) {
        const auto i = tg::program_id(0);
        // CHECK: [[@LINE+2]]:{{[0-9]+}}: error: several programs along grid axis 0 write the same elements of h, because the index is a quotient or a remainder of the program's index, and they run at the same time
        // CHECK: note: let one program own each element, and loop in it over what is combined there
        h[i / 2] += x[i];
      },
      tg::in(x), tg::inout(h), tg::inout(o));
}

TEGULA_KERNEL void every_fourth(tg::array<const float, 1> x, tg::array<float, 1> h) {
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      // CHECK: [[@LINE+1]]:{{[0-9]+}}: error: several programs along grid axis 0 write the same elements of h
      [](auto x, auto h) { h[tg::program_id(0) % 4] += x[tg::program_id(0)]; }, tg::in(x), tg::inout(h));
}

/// The blocks of two programs are one.
TEGULA_KERNEL void halves(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 16)}},
      // CHECK: [[@LINE+1]]:{{[0-9]+}}: error: several programs along grid axis 0 write the same elements of o
      [](auto x, auto o) { o[tg::all] = x[0]; }, tg::in<16>(x, [](auto i) { return tg::index(i); }),
      tg::inout<16>(o, [](auto i) { return tg::index(i / 2); }));
}

/// The greatest of each class: what is compared may have changed when it is written.
TEGULA_KERNEL void greatest(tg::array<const tg::s32, 1> p, tg::array<const float, 1> x, tg::array<float, 1> h) {
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto p, auto x, auto h) {
        const auto i = tg::program_id(0);
        // CHECK: [[@LINE+2]]:{{[0-9]+}}: error: programs that differ along grid axis 0 may update the same element of h
        if (h[p[i]] < x[i])
          h[p[i]] = x[i];
      },
      tg::in(p), tg::in(x), tg::inout(h));
}

// CHECK-NOT: error
/// Rows and columns of a number, one of two neighbours, a rotation, the other half of what is shared.
TEGULA_KERNEL void told_apart(tg::array<const float, 1> x, tg::array<float, 2> z, tg::array<float, 1> o, tg::s64 n) {
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [=](auto x, auto z, auto o) {
        const auto i = tg::program_id(0);
        z[i / 8, i % 8] += x[i];
        if (i % 2 == 0)
          o[i / 2] = x[i];
        o[(i + 1) % n] = x[i];
        o[2 * (i / 2) + (i + 1) % 2] = x[i];
      },
      tg::in(x), tg::inout(z), tg::inout(o));
}

/// A plain scatter, a move, a row of its own, a loop of one program: no two programs update one element, or the author
/// says so.
TEGULA_KERNEL void kept_apart(tg::array<const tg::s32, 1> p, tg::array<const float, 1> x, tg::array<float, 1> o,
                              tg::array<float, 1> pool, tg::array<float, 2> rows) {
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto p, auto x, auto o, auto pool, auto rows) {
        const auto i = tg::program_id(0);
        o[p[i]] = x[i];
        pool[p[i]] = pool[p[i] + 1];
        rows[i, p[i]] += 1;
        for (tg::s64 j = 0; j < 8; ++j)
          rows[8 * i + j, p[j]] += 1;
      },
      tg::in(p), tg::in(x), tg::inout(o), tg::inout(pool), tg::inout(rows));
  tg::pallas_call(
      [](auto p, auto o) {
        for (tg::s64 j = 0; j < p.dim(0); ++j)
          o[p[j]] += 1;
      },
      tg::in(p), tg::inout(o));
}

/// Other places, conditions, one program, the same value.
TEGULA_KERNEL void allowed(tg::array<const float, 1> x, tg::array<float, 1> z, tg::array<float, 1> one) {
  tg::pallas_call(
      {.grid = {x.dim(0), 1}},
      [](auto x, auto z, auto one) {
        z[tg::program_id(0)] = z[tg::program_id(0)] + x[tg::program_id(0)];
        one[0] = 7;
        if (tg::program_id(0) == 3)
          one[1] = x[tg::program_id(0)];
      },
      tg::in(x), tg::inout(z), tg::inout(one));
}

/// By tiles of indices, which may have indices in common.
TEGULA_KERNEL void scattered(tg::array<const tg::s32, 1> x, tg::array<tg::s32, 1> h) {
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 64)}},
      // CHECK: [[@LINE+2]]:{{[0-9]+}}: error: several programs may update the same element of h at the same time, because a tile of indices selects it: updates would be lost [tegula-check-overwrites]
      // CHECK: note: update it atomically, tg::atomic_add(h.at(index), value)
      [](auto x, auto h) { h[x[tg::all]] += 1; }, tg::in<64>(x, [](auto i) { return tg::index(i); }), tg::inout(h));
}

TEGULA_KERNEL void scattered_alike(tg::array<const float, 1> x, tg::array<float, 1> h) {
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 64)}},
      // CHECK: [[@LINE+1]]:{{[0-9]+}}: error: programs that differ along grid axis 0 all write the same elements of h, and they run at the same time
      [](auto x, auto h) { h[tg::iota<int, 64>() * 2] = x[tg::all]; },
      tg::in<64>(x, [](auto i) { return tg::index(i); }), tg::inout(h));
}
