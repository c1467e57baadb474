// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups of threads write parts of an array in any order, which is right where the parts have no element in common.
// RUN: tegulac --emit=tile-split -o /dev/null %s
// Where they have, a program is not split at once.
// RUN: tegulac --emit=tile-split -DOVERLAP -o /dev/null %s
// RUN: tegulac --emit=tile -DOVERLAP -o - %s | not tegula-opt --tile-split=stages=false 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

using row = tg::array<const float, 1>;
using matrix = tg::array<const float, 2>;

// ---- One behind the other ----

TEGULA_KERNEL tg::array<float, 1> concatenate(row x, row y, row z) {
  auto o = tg::empty<float>(x.dim(0) + y.dim(0) + z.dim(0));
  tg::pallas_call(
      [](auto x, auto y, auto z, auto o) {
        o[tg::ds(0, x.dim(0))] = x[tg::all];
        o[tg::ds(x.dim(0) + y.dim(0), z.dim(0))] = z[tg::all];
        o[tg::ds(x.dim(0), y.dim(0))] = y[tg::all];
      },
      tg::in(x), tg::in(y), tg::in(z), tg::out(o));
  return o;
}

TEGULA_KERNEL void beside(matrix x, matrix y, tg::array<float, 2> o) {
  tg::check(x.dim(0) == o.dim(0) && y.dim(0) == o.dim(0), "the arrays differ in rows");
  tg::check(o.dim(1) == 2 * x.dim(1) + y.dim(1), "o has not the columns of x, twice, and y");
  tg::pallas_call(
      [](auto x, auto y, auto o) {
        o[tg::all, tg::ds(0, x.dim(1))] = x[tg::all];
        o[tg::all, tg::ds(x.dim(1), x.dim(1))] = x[tg::all];
        o[tg::all, tg::ds(x.dim(1) * 2, y.dim(1))] = y[tg::all];
      },
      tg::in(x), tg::in(y), tg::out(o));
}

TEGULA_KERNEL void interleave(row x, row y, tg::array<float, 1> o) {
  tg::check(y.dim(0) == x.dim(0) && o.dim(0) == 2 * x.dim(0), "o is twice as long");
  tg::pallas_call(
      [](auto x, auto y, auto o) {
        o[tg::ds(0, x.dim(0), 2)] = x[tg::all];
        o[tg::ds(1, x.dim(0), 2)] = y[tg::all];
      },
      tg::in(x), tg::in(y), tg::out(o));
}

TEGULA_KERNEL void interleaved_in_loop(tg::array<float, 1> o, tg::s64 n) {
  tg::pallas_call(
      [=](auto o) {
        for (tg::s64 i = 0; i < n; ++i) {
          o[tg::ds<16384>(3 * 16384 * i, 3)] = 1.0f;
          o[tg::ds<16384>(3 * 16384 * i + 2, 3)] = 2.0f;
        }
      },
      tg::inout(o));
}

// All of a block that may extend past.
TEGULA_KERNEL void of_blocks(row x, tg::array<float, 1> o) {
  tg::check(x.dim(0) == o.dim(0), "x and o differ in length");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 64)}}, [](auto x, auto o) { o[tg::ds<64>(0)] = x[tg::all] + x[tg::ds<64>(0)]; },
      tg::in<64>(x, [](auto i) { return tg::index(i); }), tg::out<64>(o, [](auto i) { return tg::index(i); }));
}

/// An index whose terms are shared 24 times over takes no longer for it.
TEGULA_KERNEL void shared_terms(tg::array<float, 1> o, tg::s64 n) {
  tg::pallas_call(
      [=](auto o) {
        for (tg::s64 i = 0; i < n; ++i) {
          tg::s64 at = i;
          tg::static_for<24>([&](auto) { at = at + 3 + at; });
          tg::static_for<24>([&](auto) { at = (at >> 1) ^ at; });
          o[tg::ds<64>(at)] = 1.0f;
          o[tg::ds<64>(at + 64)] = 2.0f;
        }
      },
      tg::inout(o));
}

#ifdef OVERLAP
TEGULA_KERNEL void too_early(row x, row y, tg::array<float, 1> o) {
  tg::check(o.dim(0) == x.dim(0) + y.dim(0), "o has not the length of x and y");
  tg::pallas_call(
      [](auto x, auto y, auto o) {
        o[tg::ds(0, x.dim(0))] = x[tg::all];
        // CHECK: error: this store may write where the program has written before
        o[tg::ds(x.dim(0) - 1, y.dim(0))] = y[tg::all];
      },
      tg::in(x), tg::in(y), tg::out(o));
}

TEGULA_KERNEL void by_differences(tg::array<float, 1> o, tg::s64 n) {
  tg::check(o.dim(0) >= 100, "o is short");
  tg::pallas_call(
      [=](auto o) {
        o[tg::ds(n, o.dim(0))] = 1.F;
        // CHECK: error: this store may write where the program has written before
        o[tg::ds(0, o.dim(0))] = 2.F;
      },
      tg::inout(o));
}
#endif

// ---- In turns ----

TEGULA_KERNEL void interleave_blocks(tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto o) {
        for (int i = 0; i < n; ++i) {
          o[tg::ds<16384>(3 * 16384 * i)] = 2.F;
          o[tg::ds<32768>(3 * 16384 * i + 16384)] = 1.F;
        }
      },
      tg::inout(o));
}

TEGULA_KERNEL void two_loops(tg::array<float, 1> o, tg::s64 n) {
  tg::pallas_call(
      [=](auto o) {
        for (tg::s64 i = 0; i < n; i += 32768)
          o[tg::ds<16384>(i)] = 1.F;
        for (tg::s64 i = 16384; i < n; i += 32768)
          o[tg::ds<16384>(i)] = 2.F;
      },
      tg::inout(o));
}

#ifdef OVERLAP
TEGULA_KERNEL void every_other(matrix x, matrix y, tg::array<float, 2> o) {
  tg::check(x.dim(0) == y.dim(0) && x.dim(1) == y.dim(1) && x.dim(1) == o.dim(1), "the rows differ");
  tg::pallas_call(
      [](auto x, auto y, auto o) {
        for (tg::s64 i = 0; i < x.dim(0); ++i) {
          o[2 * i] = x[i];
          // CHECK: error: this store may write where the program has written before
          o[2 * i + 2] = y[i];
        }
      },
      tg::in(x), tg::in(y), tg::out(o));
}

TEGULA_KERNEL void other_steps(matrix x, matrix y, tg::array<float, 2> o) {
  tg::check(x.dim(0) == y.dim(0) && x.dim(1) == y.dim(1) && x.dim(1) == o.dim(1), "the rows differ");
  tg::pallas_call(
      [](auto x, auto y, auto o) {
        for (tg::s64 i = 0; i < x.dim(0); ++i) {
          o[2 * i] = x[i];
          // CHECK: error: this store may write where the program has written before
          o[3 * i + 1] = y[i];
        }
      },
      tg::in(x), tg::in(y), tg::out(o));
}

TEGULA_KERNEL void same_parity(row x, tg::array<float, 1> o) {
  tg::check(o.dim(0) == 2 * x.dim(0) + 2, "o is longer than twice x");
  tg::pallas_call(
      [](auto x, auto o) {
        o[tg::ds(0, x.dim(0), 2)] = x[tg::all];
        // CHECK: error: this store may write where the program has written before
        o[tg::ds(2, x.dim(0), 2)] = x[tg::all];
      },
      tg::in(x), tg::inout(o));
}

TEGULA_KERNEL void strided_steps(tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto o) {
        for (int i = 0; i < n; ++i)
          // CHECK: error: the windows that this store writes may overlap from one iteration to the next
          o[tg::ds<16384>(32766 * i, 2)] = 1.F;
      },
      tg::inout(o));
}

TEGULA_KERNEL void too_long(tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto o) {
        for (int i = 0; i < n; ++i) {
          o[tg::ds<16384>(3 * 16384 * i)] = 1.F;
          // CHECK: error: this store may write where the program has written before
          o[tg::ds<32768>(3 * 16384 * i + 16385)] = 1.F;
        }
      },
      tg::inout(o));
}

TEGULA_KERNEL void short_steps(tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto o) {
        for (int i = 0; i < n; ++i)
          // CHECK: error: the windows that this store writes may overlap from one iteration to the next
          o[tg::ds<16384>(16383 * i)] = 1.F;
      },
      tg::inout(o));
}

// Another round of the outer loop begins elsewhere.
TEGULA_KERNEL void shifted(tg::array<float, 1> o, tg::s64 n) {
  tg::pallas_call(
      [=](auto o) {
        for (tg::s64 j = 0; j < 2; ++j)
          for (tg::s64 i = 8 * j; i < n; i += 16384)
            // CHECK: error: the windows that this store writes may overlap from one iteration to the next
            o[tg::ds<16384>(i)] = tg::astype<float>(j);
      },
      tg::inout(o));
}

TEGULA_KERNEL void overlapping_views(tg::array<float, 2> o, tg::s64 n) {
  tg::pallas_call(
      [=](auto o) {
        for (tg::s64 i = 0; i < n; ++i)
          // CHECK: error: the windows that this store writes may overlap from one iteration
          tg::transpose_ref(o.at(tg::ds<16384>(16383 * i), tg::all))[tg::all] = tg::astype<float>(i);
      },
      tg::inout(o));
}
#endif
