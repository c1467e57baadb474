// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layouts of tiles that nothing but memory asks anything of: neighbouring elements for each thread, as the accesses
// of tiles of that shape move them.
#pragma once

#include "ir/TileDialect.h"
#include "layout/DistributedLayout.h"

#include <map>
#include <set>
#include <vector>

namespace tegula {

class BlockedLayouts {
public:
  /// `group` threads run the kernel together. `loadsAround`: it does so (tile.loads_around).
  BlockedLayouts(int64_t group, bool loadsAround) : group(group), loadsAround(loadsAround) {}

  /// Every access of the kernel, before layouts are asked for.
  void noteAccess(const tile::MemoryAccess &access);
  /// Every scan: along its rows, lanes run fastest, then the registers of a warp, then warps.
  void noteScan(tile::ScanOp scan);
  /// The layout of tiles of a shape. Where there is none, an error at `at`.
  mlir::FailureOr<layout::DistributedLayout> layoutOf(mlir::RankedTensorType type, mlir::Operation *at) const;

private:
  /// The elements, neighbours along `dim`, that an access moves.
  struct Vector {
    int64_t elements = 1;
    int64_t dim = -1;
    int64_t least = 1;                ///< Even if threads get none.
    std::vector<int64_t> widths = {}; ///< The elements that each access moves at once.
  };
  using Vectors = std::map<std::vector<int64_t>, Vector>;

  int64_t group;
  bool loadsAround;
  /// For tiles of a shape, those of the widest provably aligned access of global memory, and of the narrowest of shared
  /// memory.
  Vectors ofGlobal, loaded, stored;
  /// For tiles of a shape that are stored by words of several elements, how many these are.
  std::map<std::vector<int64_t>, int64_t> storedByWords;
  /// Shapes of tiles that are scanned along their last dimension.
  std::set<std::vector<int64_t>> scanned;
};

} // namespace tegula
