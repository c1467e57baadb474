// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether elements are taken of a tile, or of what it is made of. To take elements of
//
//   t1 = f(t0, take(t0, i), take(t0, j))
//
// where t1 comes from makes t1 once more for each take, and steps that each take elements of the one before multiply:
// three times three loads after two of them, and so on. A tile is therefore made once, and elements are taken of that,
// where its copies would cost more than some bound: what takes add to a program is then at most linear in their number.
// What nobody but the take wants is moved, not copied, and costs nothing.
#pragma once

#include "ir/TileDialect.h"

namespace tegula {

/// On a take: its tile is made once, in shared memory or in an array (split/stages/Stages.h).
inline constexpr char takesOfMade[] = "tile.takes_of_made";

/// How much a take may add to a program.
struct TakeBounds {
  /// Loads, gathers and takes that there would be once more.
  int64_t places;
  /// Instructions for an element of these copies, about, and of indices of indices, copied or not.
  int64_t weight, indexWeight;
};

inline constexpr TakeBounds usualBounds{8, 512, 192};
/// Of tiles in arrays, where a program has one at all: steps that are alike are then cut alike, and share a kernel.
inline constexpr TakeBounds boundsOfKept{2, 128, 96};
/// In loops and branches, which have to become the host's if a tile of theirs goes to an array.
inline constexpr TakeBounds boundsInside{32, 2048, 768};

/// Where no tile can be made once.
inline constexpr TakeBounds mostBounds{100, 8192, 2048};

/// Whether a take would add more than that: its tile is better made once.
bool isMadeOnce(tile::TakeOp take, const TakeBounds &bounds);

/// Whether a tile is small enough for threads to exchange it.
bool canBeExchanged(mlir::Value tile);

/// Whether such a tile is computed of many others. Steps that each combine two elements of what the one before made
/// would double the expression every time, as those of a fast Fourier transform do.
bool isOfMany(mlir::Value tile);

} // namespace tegula
