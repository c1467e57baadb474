// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The epilogue of a loop of products, panel by panel. What follows the loop element by element is made when it is
// stored, loads of matrices included: in panels of columns for wgmma, for mma.sync in some rows of each warp. Made as a
// whole, these tiles would need as many registers as the sums themselves, several times.
#pragma once

#include "ir/TileDialect.h"

namespace tegula {

/// Sums of at most so many columns are stored as wholes.
inline constexpr int64_t columnsOfPanel = 64;

/// Makes parts of what is computed of the loop's results.
class EpiloguePanels {
public:
  /// `results` are what the loop has made, all in the layout of the product.
  EpiloguePanels(mlir::OpBuilder &builder, mlir::ValueRange results) : builder(builder), results(results) {}

  /// Whether what a store takes can be made in parts along `dim`, each of which is stored before the next one is made.
  bool canCut(tile::StoreOp store, int64_t dim);
  /// The parts of a tile, each of so many rows or columns.
  llvm::SmallVector<tile::Parts> cut(mlir::RankedTensorType type, int64_t dim, int64_t size);
  /// What a store takes: its value's part, and its mask's, if it has one. What the part behind it loads is loaded
  /// before.
  struct Stored {
    mlir::Value value, mask;
  };
  Stored make(tile::StoreOp store, llvm::ArrayRef<tile::Parts> panels, size_t index);
  /// A part of a tile that has been made as a whole; the tile, if that is all of it.
  mlir::Value subtile(mlir::Value tile, const tile::Parts &parts);
  /// Has threads store panel by panel what they store in a block behind the loop; `sizeFor` says how large panels are.
  void cutStores(mlir::Block *block, int64_t dim, llvm::function_ref<int64_t(mlir::RankedTensorType)> sizeFor);

private:
  bool isResult(mlir::Value tile) { return llvm::is_contained(results, tile); }
  bool followsProduct(mlir::Value tile);
  bool isLeaf(mlir::Value tile);
  bool isConverted(mlir::Value tile);
  bool canMove(tile::LoadOp load, tile::StoreOp store);
  void load(mlir::Value tile, const tile::Parts &parts);
  mlir::Value partOf(mlir::Value tile, const tile::Parts &parts);

  mlir::OpBuilder &builder;
  mlir::SmallVector<mlir::Value> results;
  struct Known {
    mlir::Value tile;
    tile::Parts parts;
    mlir::Value made;
  };
  llvm::SmallVector<Known> known;
};

} // namespace tegula
