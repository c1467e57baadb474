// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ir/TileDialect.h"

namespace tegula {

/// Takes elements of tiles at indices where the tiles come from: the pass tile-sink-takes, of one launch.
void sinkTakes(tile::LaunchOp launch);

/// The same of the takes that were left because their tiles are better made once: where there is no way to do so. Warns
/// of them with `isTold`. False, and nothing is done, where that would be more code than anybody waits for.
bool recomputeTaken(tile::LaunchOp launch, bool isTold);
/// Whether a launch has such takes.
bool takesOfTilesMadeOnce(tile::LaunchOp launch);

} // namespace tegula
