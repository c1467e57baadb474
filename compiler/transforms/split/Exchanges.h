// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/split/Domain.h"

namespace tegula::split {

/// The most elements that are there along each dimension of a part of a tile, from its start on: no more than the tile
/// has, which the part may have been made larger than.
llvm::SmallVector<int64_t> extentsOfPart(const Program &program, Extents &extents, mlir::Value tile,
                                         const tile::Parts &parts);

} // namespace tegula::split
