// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The place of a gather, a scatter or an atomic update, as TileAccess takes it.
#pragma once

#include "lower/TileAccess.h"

namespace tegula::lower {

struct IndirectAccess {
  /// The tile as a window, and its type: dimensions that are indexed have no stride and no end.
  LoweredRef ref;
  tile::RefType type;
  /// Empty where nothing is indexed.
  IndirectRows rows;

  const IndirectRows *rowsOrNull() const { return rows.starts.empty() ? nullptr : &rows; }
};

} // namespace tegula::lower
