// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ops that use tensor maps say beyond their operations (TileCopies.td).
#pragma once

namespace tegula::tile {

/// On a tile.prefetch: the blocks along these axes of the cluster prefetch the same window, a part of it each.
inline constexpr char sharedAlong[] = "tile.shared_along";

} // namespace tegula::tile
