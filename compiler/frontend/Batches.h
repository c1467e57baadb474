// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batches of arrays: what tg::vmap makes of them. Inside, a slice of an array is an array of its own; in IR it is a
// value that stands for the array and the axes that are missing, and is gone when the entry is imported.
#pragma once

#include "ir/TileDialect.h"

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseMap.h"

namespace tegula::frontend {

/// An array as a function under vmap sees it.
struct BatchedArray {
  mlir::Value base;
  struct Axis {
    /// Which vmap, the outermost is 0, takes the base apart along which of its dimensions.
    unsigned level;
    int64_t dim;
  };
  llvm::SmallVector<Axis, 2> axes;
  clang::SourceLocation where;

  /// The vmap that takes slices along the dimension of the base; null if none does.
  const Axis *axisAt(int64_t dim) const {
    const Axis *found = llvm::find_if(axes, [&](const Axis &axis) { return axis.dim == dim; });
    return found == axes.end() ? nullptr : found;
  }
  bool isTakenBy(unsigned level) const {
    return llvm::any_of(axes, [&](const Axis &axis) { return axis.level == level; });
  }
  /// The dimensions of the base that are left.
  llvm::SmallVector<int64_t> dims() const;
};

/// The batches that are open, and the arrays that are slices in them.
class Batches {
public:
  /// The sizes, the outermost first.
  llvm::ArrayRef<mlir::Value> sizes() const { return open; }
  void enter(mlir::Value size) { open.push_back(size); }
  void leave() { open.pop_back(); }

  /// Null if an array is the same for all slices.
  const BatchedArray *find(mlir::Value array) const {
    auto found = arrays.find(array);
    return found == arrays.end() ? nullptr : &found->second;
  }
  /// The array itself, or what it is a slice of.
  mlir::Value baseOf(mlir::Value array) const {
    const BatchedArray *batched = find(array);
    return batched ? batched->base : array;
  }
  /// An array, or a slice of one, with some dimensions missing.
  mlir::Value slice(mlir::OpBuilder &builder, mlir::Location at, BatchedArray array);
  /// Moves a dimension of an array that tile.empty made, in all that was imported so far.
  void move(tile::EmptyOp base, int64_t from, int64_t to);
  /// Erases what stands for slices, and says where one is in use nevertheless.
  std::optional<clang::SourceLocation> finish();

private:
  llvm::SmallVector<mlir::Value, 2> open;
  llvm::DenseMap<mlir::Value, BatchedArray> arrays;
};

} // namespace tegula::frontend
