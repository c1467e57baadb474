// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of a launch's own, in which its programs keep values from one stage to the next (Stages.h).
#pragma once

#include "analysis/Extents.h"

namespace tegula::split {

/// An array for values like a given one, with a part for each program: host code in front of the launch, and an
/// argument more.
class Scratch {
public:
  Scratch(tile::LaunchOp launch, mlir::Value like);

  /// Allocates the array, and finds this program's part of it in front of an op. Fails, without a word, where the host
  /// cannot tell how large it is.
  mlir::LogicalResult allocate(mlir::Operation *at);
  /// Stores a value, and gives the ops that do.
  llvm::SmallVector<mlir::Operation *, 3> store(mlir::OpBuilder &builder, mlir::Value value);
  mlir::Value load(mlir::OpBuilder &builder);

private:
  bool hasPrograms() const { return !tile::LaunchOp(launch).getGrid().empty(); }
  bool isAll(Extents &extents, int64_t dim);
  mlir::Value constant(mlir::OpBuilder &builder, int64_t number);
  mlir::LogicalResult allocateArray(Extents &extents);
  mlir::LogicalResult placeWindow(Extents &extents, mlir::Operation *at);

  tile::LaunchOp launch;
  mlir::Value like;
  /// Of the value, or of a tile of one element that has it.
  mlir::RankedTensorType type;
  mlir::Location loc;
  mlir::Value array; ///< the body's argument
  mlir::Value window;
  /// Dimensions of which the value has no extent of its own: what loads it has none either.
  llvm::SmallVector<int64_t> conforming;
};

/// Keeps a value of the body in memory: stores it where it is made, and loads it for all that use it.
mlir::LogicalResult keepInScratch(tile::LaunchOp launch, mlir::Value value);

} // namespace tegula::split
