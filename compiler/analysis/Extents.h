// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extents: how many elements of each tile exist at run time. The type of a tile gives a bound for each dimension only
// (TileDialect.td, "Extents").
//
// A block of 512 columns may extend past the end of its array, and then has fewer elements. The type of its tile says
// 512 all the same. So a variable that starts as `zeros<float, 512>()` and is assigned a boundary block in a loop needs
// no second type, and every op has the same form before and after splitting. The rules:
//
//   combined   Two tiles that are combined have provably equal extents: computed alike from dims that are equal, or
//              that the host compares before the launch. `tile-check-extents` refuses what it cannot prove.
//   conform    A tile without an extent of its own (full, iota, what is repeated) takes that of what it is combined
//              with.
//   variables  A variable keeps its extents. What is assigned to it and conforms gets them by `tile.conform`, which
//              `tile-check-extents` drops where other values say as much.
//   carried    What a loop or a branch carries has one extent, which is known in front of it, even if nothing happens
//              inside. Blocks of which the last one is shorter are loaded with a mask.
//
// `tile-check-extents`, splitting and the CPU printer all ask `Extents`.
#pragma once

#include "analysis/Symbols.h"

#include <optional>

namespace tegula {

/// The extent of a ref or tile along one dimension.
struct Extent {
  /// None: it conforms to whatever it is combined with (full, iota, new dimensions of a broadcast).
  std::optional<Symbol> symbol;
  /// Where a program finds it: the extent of dimension `dim` of a ref, or an integer; null if it conforms, or is what
  /// the type says.
  mlir::Value origin;
  int64_t dim = 0;
  /// What a run-time dimension that conforms was made with, the size of another tile that conforms: a dim asked of it.
  std::optional<int64_t> made = {};
};

/// Two extents that one op needs to be equal, and that nothing proves equal; or one that leaves a loop or a branch, and
/// is known only inside.
struct ExtentConflict {
  mlir::Operation *op;
  int64_t dim;
  Symbol left, right;
  bool isInner = false;
};

/// The extents of every ref and tile in the body of a launch. What is there of a tile that a loop or a branch carries
/// is known in front of it: ops that compute it there are made unless there are some.
class Extents {
public:
  explicit Extents(tile::LaunchOp launch);

  const Extent &of(mlir::Value value, int64_t dim) const { return known.find(value)->second[dim]; }
  llvm::ArrayRef<Extent> of(mlir::Value value) const { return known.find(value)->second; }
  /// How much a root changes: of a store, the extents of its window.
  llvm::ArrayRef<Extent> of(tile::RootOpInterface root) const { return roots.find(root)->second; }
  bool has(mlir::Value value) const { return known.contains(value); }
  llvm::ArrayRef<ExtentConflict> conflicts() const { return found; }
  /// The source of a reduction or scan that tells how much there is along an axis: others may conform to it.
  mlir::Value sourceThatTells(mlir::ValueRange sources, int64_t axis) const;
  /// Ops that make tiles and do not say of which elements: nothing is known of their extents.
  llvm::ArrayRef<mlir::Operation *> unknown() const { return unknownOps; }
  Symbols &symbols() { return names; }
  /// The integer in front of `at`, by ops that are made there unless it is there already; null if the tile conforms, or
  /// if it is made of what is known only later.
  mlir::Value valueOf(const Extent &extent, mlir::Operation *at);

private:
  using Shape = llvm::SmallVector<Extent>;

  void visit(mlir::Block &block);
  void visit(mlir::Operation &op);
  void visitDim(tile::DimOp dim);
  void visitIndexed(tile::IndexedOpInterface op);
  void bound(tile::BroadcastOp op, Shape &shape);
  void visitMaskedLoad(tile::LoadOp load);
  void visitMaskedGather(tile::GatherOp gather);
  void visitRoot(tile::RootOpInterface root);
  void visitRegions(mlir::RegionBranchOpInterface op);
  void visitUnknown(mlir::Operation &op);
  Extent windowOn(const Extent &source, const tile::DimIndex &index, bool isOfTile, tile::IndexedOpInterface op);
  Shape told(mlir::RankedTensorType type, mlir::ValueRange extents);
  bool join(mlir::Operation *op, int64_t dim, Extent &into, const Extent &from);
  bool join(mlir::Operation *op, Shape &into, llvm::ArrayRef<Extent> from);
  void refuseInner(mlir::Operation *op, mlir::Value leaving);
  /// Lets what a loop or a branch carries find its extents in front of it, where its ops are not there yet.
  void hoist(mlir::Operation *op, Shape &carried);
  void addConflict(const ExtentConflict &conflict);
  mlir::Value windowAt(tile::IndexedOpInterface op, int64_t dim, mlir::Operation *at);
  /// A value, or a copy of what computes it, that `at` can use; null if there is none.
  mlir::Value reaching(mlir::Value value, mlir::Operation *at);

  Symbols names;
  llvm::DenseMap<mlir::Value, Shape> known;
  llvm::DenseMap<mlir::Operation *, Shape> roots;
  llvm::SmallVector<ExtentConflict> found;
  llvm::SmallVector<mlir::Operation *> unknownOps;
  /// What was made in front of loops and branches.
  llvm::DenseMap<std::pair<mlir::Operation *, Symbol>, mlir::Value> hoisted;
};

/// Whether a value is there where an op stands.
bool reaches(mlir::Value value, mlir::Operation *at);

} // namespace tegula
