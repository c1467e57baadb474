// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tensor maps say beyond their operation (TileExplicit.td).
#pragma once

namespace tegula::tile {

/// On a tile.tensor_map: signed integers are unsigned ones to it.
inline constexpr char readsAsUnsigned[] = "tile.reads_as_unsigned";

} // namespace tegula::tile
