// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Updates of few elements by many programs, such as those of a histogram. In global memory, updates of one address are
// serialized; here, each CTA combines them in a copy of the array that its shared memory holds, and then updates the
// array once for each element:
//
//   i = load x[my sub-tile]                        open a private copy of h                 // all of it the identity
//   atomic add 1, h[i]                  ->         for sub-tile of this CTA:
//                                                    i = load x[sub-tile]
//                                                    atomic add 1, h[i] privately           // shared memory
//                                                  flush the copy of h                      // one update an element
//
// Few CTAs stay, as many as the multiprocessors hold at a time, each for many sub-tiles. That pays where an element
// gets many updates from a CTA, which the host compares: how long the array is, it alone knows.
#pragma once

#include "ir/TileDialect.h"

namespace tegula::split {

struct Program;

/// An array, by the number of its argument, whose updates can be combined before memory gets them.
struct PrivateArray {
  unsigned argument;
  tile::Atomic kind;
};

/// The arrays of a program that it updates, at indices, in one way and asks nothing of in any other. None if it does
/// what the CTAs of such a kernel do not: reduces, or keeps an order.
llvm::SmallVector<PrivateArray> privateArrays(const Program &program);

/// The bytes of shared memory that each of so many arrays has for its private copies.
int64_t privateBytes(size_t arrays);

} // namespace tegula::split
