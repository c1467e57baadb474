// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much of each tile is there. A tile's type bounds it; its extent says, per dimension, what a program will find at
// run time (TileDialect.td, "Extents").
#pragma once

#include "transforms/Symbols.h"

#include <optional>

namespace tegula {

/// The extent of a ref or tile along one dimension.
struct Extent {
  /// None: it conforms to whatever it meets (full, iota, new dimensions of a broadcast).
  std::optional<Symbol> symbol;
  /// Where a program finds it: the extent of dimension `dim` of a ref, or an integer; null if it conforms, or is what
  /// the type says.
  mlir::Value origin;
  int64_t dim = 0;
};

/// Two extents that one op needs to be equal, and that nothing proves equal.
struct ExtentConflict {
  mlir::Operation *op;
  int64_t dim;
  Symbol left, right;
};

/// The extents of every ref and tile in the body of a launch.
class Extents {
public:
  explicit Extents(tile::LaunchOp launch);

  const Extent &of(mlir::Value value, int64_t dim) const { return known.find(value)->second[dim]; }
  llvm::ArrayRef<Extent> of(mlir::Value value) const { return known.find(value)->second; }
  bool has(mlir::Value value) const { return known.contains(value); }
  llvm::ArrayRef<ExtentConflict> conflicts() const { return found; }
  Symbols &symbols() { return names; }

private:
  using Shape = llvm::SmallVector<Extent>;

  void visit(mlir::Block &block);
  void visit(mlir::Operation &op);
  void visitIf(mlir::scf::IfOp op);
  void visitFor(mlir::scf::ForOp op);
  void visitWhile(mlir::scf::WhileOp op);
  Shape sliced(tile::SliceOp slice);
  Shape sliced(tile::SubtileOp subtile);
  Shape masked(tile::LoadOp load);
  void visitStore(tile::StoreOp store);
  Shape permuted(mlir::Value source, llvm::ArrayRef<int64_t> permutation);
  Shape multiplied(tile::DotOp dot);
  Shape made(mlir::RankedTensorType type, mlir::OperandRange extents);
  Shape joined(mlir::Operation *op, llvm::ArrayRef<mlir::Value> values);
  bool join(mlir::Operation *op, Shape &into, llvm::ArrayRef<Extent> from);
  /// Feeds what comes round a loop back into its arguments until nothing changes.
  void iterate(mlir::Operation *loop, mlir::ValueRange arguments, mlir::ValueRange inits,
               llvm::function_ref<mlir::ValueRange()> walkOnce);

  Symbols names;
  llvm::DenseMap<mlir::Value, Shape> known;
  llvm::SmallVector<ExtentConflict> found;
};

} // namespace tegula
