// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tegula, the kernel language. These headers declare everything that a kernel file may use; nothing in them is
// executed.
//
// tegulac evaluates the instantiated AST of the functions marked TEGULA_KERNEL. The headers only make kernels valid
// C++23: types carry what is static (element type, extents), templates that take a lambda call it so that it is
// instantiated, and misuse is refused wherever C++ can detect it. The rules of the language:
//   * An entry is host code: it computes shapes, checks, allocates and launches. The bodies passed to pallas_call are
//     device code.
//   * Constants are template arguments, ds<64>(k), full<float, 64>(x), or arguments that tegulac checks to be constant.
//   * ref[...] is the value in memory: reading it loads, assigning to it stores, `auto` copies. ref.at(...) is a view:
//     a ref to a part.
//   * A tile has an extent per dimension, static or known at run time. Operations apply to the extent, never to
//     padding.
//   * An index map takes one index per grid axis and returns tg::index(...), one entry per dimension of its array.
//
//   #include <tegula/tegula.h>
//   namespace tg = tegula;
//
//   TEGULA_KERNEL tg::array<float, 1> add_vectors(tg::array<const float, 1> x, tg::array<const float, 1> y) {
//     tg::check(x.dim(0) == y.dim(0), "x and y differ in length");
//     auto o = tg::empty_like(x);
//     tg::pallas_call([](auto x, auto y, auto o) { o[tg::all] = x[tg::all] + y[tg::all]; },
//                     tg::in(x), tg::in(y), tg::out(o));
//     return o;
//   }
//
// A kernel file is compiled by tegulac, never by the host compiler: the host program includes the header that tegulac
// generates from it. The language includes no standard header: a kernel file parses in a few milliseconds.
//
// Where to read on: language/entry.h for entries and their host code, launch.h and blocks.h for launches and block
// specs, vmap.h for batches, ref.h, tile.h and indexing.h for refs, tiles and indexing, atomics.h, operators.h, math.h,
// rounding.h, bits.h, activations.h, conversions.h, random.h, making.h, shapes.h, reductions.h, scans.h, sorting.h,
// matrices.h and inline_ptx.h for the operations, elements.h for the element types. The explicit level, where a program
// is a CTA: kernel.h, shared.h, copy_modes.h, barrier.h, semaphore.h, wgmma.h, mma.h, layout.h, pipeline.h, profile.h
// and axes.h.
#pragma once

#ifdef TEGULA_RUNTIME_HEADER
#error                                                                                                                 \
    "a kernel file includes <tegula/tegula.h>; <tegula/runtime.h> is for host code, which includes the generated header"
#endif
#define TEGULA_LANGUAGE_HEADER
#ifndef __TEGULA__ // Defined by tegulac. A file that is missing ends the compilation at once, where #error goes on.
#include "a kernel file is compiled by tegulac, not by the host compiler: name it in tegula_add_kernels(... SOURCES), and include its generated header"
#endif

#include "language/activations.h"
#include "language/atomics.h"
#include "language/axes.h"
#include "language/barrier.h"
#include "language/bits.h"
#include "language/blocks.h"
#include "language/conversions.h"
#include "language/elements.h"
#include "language/entry.h"
#include "language/extents.h"
#include "language/indexing.h"
#include "language/inline_ptx.h"
#include "language/kernel.h"
#include "language/launch.h"
#include "language/layout.h"
#include "language/making.h"
#include "language/math.h"
#include "language/matrices.h"
#include "language/mma.h"
#include "language/operators.h"
#include "language/pipeline.h"
#include "language/profile.h"
#include "language/random.h"
#include "language/reductions.h"
#include "language/ref.h"
#include "language/rounding.h"
#include "language/scans.h"
#include "language/semaphore.h"
#include "language/shapes.h"
#include "language/shared.h"
#include "language/sorting.h"
#include "language/tile.h"
#include "language/tuple.h"
#include "language/version.h"
#include "language/vmap.h"
#include "language/wgmma.h"

#undef TEGULA_A_PLACE
#undef TEGULA_COUNTER
#undef TEGULA_DOES_NOT_ADAPT
#undef TEGULA_DOES_NOT_BROADCAST
#undef TEGULA_ELEMENTS
#undef TEGULA_FLOATS
#undef TEGULA_STORED_ELEMENTS
#undef TEGULA_NO_PLACE
#undef TEGULA_NO_STORED_SCALAR
#undef TEGULA_READ_ONLY
#undef TEGULA_REFUSED
#undef TEGULA_REFUSED_IF
#undef TEGULA_STORE_INTO
#undef TEGULA_TAKES_FLOATS
