// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "analysis/Extents.h"

namespace tegula {

/// A tile that is made like another one, tg::full_like(t, 1), has the extents of that. Of static dimensions they are
/// dropped where its type says the same, or what it is combined with: it conforms, as a tile without extents does. So
/// are those that a variable keeps, tile.conform.
void dropMadeExtents(tile::LaunchOp launch, const Extents &extents);

} // namespace tegula
