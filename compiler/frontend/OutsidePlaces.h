// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places of arrays at constants that lead outside: a window that begins before its block or ends behind it, an index
// that the block does not have. Masked accesses may take them, as far as their masks leave out what does not exist. Who
// takes a place is known once its entry is imported; until then, its op is marked with the number of its message.
#pragma once

#include "frontend/diagnostics/Diagnostics.h"
#include "ir/TileDialect.h"

#include <optional>
#include <vector>

namespace tegula::frontend {

class Importer;

/// A constant that lies before an array, or behind its end.
struct OutsideIndex {
  bool isBefore;
  /// Of a window, what lies behind the end counts as not there; an element must be there.
  bool isWindow;
  int64_t index, extent;
  Report::Position position;

  void report(Importer &importer) const;
};

class OutsidePlaces {
public:
  /// Marks the place, if there is a constant that lies outside.
  void note(mlir::Value place, std::optional<OutsideIndex> &outside);
  /// Reports places of an entry that anything but masked accesses takes, and removes marks.
  void finish(Importer &importer, tile::EntryOp entry);

private:
  std::vector<OutsideIndex> indices;
};

} // namespace tegula::frontend
