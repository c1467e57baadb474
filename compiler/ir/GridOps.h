// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops of the explicit level that are about all blocks of a launch: how these synchronize (TileSemaphores.td),
// and what their threads note (TileTrace.td). Few files need them: a header of their own spares all others.
#pragma once

#include "ir/TileDialect.h"

#define GET_OP_CLASSES
#include "ir/TileGridOps.h.inc"

namespace tegula::tile {

/// On launches of the explicit level, and the kernels made of them: blocks wait for any others, so all of them run at
/// once; for those with lower numbers alone.
inline constexpr char residentAtOnce[] = "tile.resident_at_once", waitsForEarlier[] = "tile.waits_for_earlier";
/// On the same: threads note when they do what, and nothing of the grid before runs meanwhile. How many rows each has
/// for it, an i64.
inline constexpr char isTraced[] = "tile.traced";

} // namespace tegula::tile
