// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ir/TileDialect.h"

namespace tegula {

/// Takes elements of tiles at indices where the tiles come from: the pass tile-sink-takes, of one launch.
void sinkTakes(tile::LaunchOp launch);

} // namespace tegula
