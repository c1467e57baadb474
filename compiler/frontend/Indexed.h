// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places that tiles of indices designate. A ref in IR is a window; inside the frontend, such a place is a value that
// stands for a window and the tiles, and is gone when the entry is imported: loads, stores and updates of it are
// gathers, scatters and updates at these indices.
#pragma once

#include "ir/TileDialect.h"

#include "llvm/ADT/MapVector.h"

namespace tegula::frontend {

struct IndexedPlace {
  mlir::Value ref;
  /// Tiles of one shape, the dimensions of the ref that they are of, and where their own stand among the others.
  llvm::SmallVector<mlir::Value> indices;
  llvm::SmallVector<int64_t> dims;
  int64_t position;
};

class IndexedPlaces {
public:
  /// Null if the ref is a window.
  const IndexedPlace *find(mlir::Value ref) const {
    auto found = places.find(ref);
    return found == places.end() ? nullptr : &found->second;
  }
  mlir::Value add(mlir::OpBuilder &builder, mlir::Location at, IndexedPlace place);
  /// Erases what stands for places.
  void finish();

private:
  llvm::MapVector<mlir::Value, IndexedPlace> places;
};

} // namespace tegula::frontend
