// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The programs of a two-pass reduction (TwoPass.h), as launches of the host for as long as it takes to split them.
#pragma once

#include "transforms/split/two_pass/DividedReductions.h"

namespace tegula::split {

/// Writes these launches in front of the one that they are made of.
class PartialResults {
public:
  PartialResults(tile::LaunchOp launch, llvm::ArrayRef<DividedReduction> targets)
      : launch(launch), targets(targets), loc(launch.getLoc()), builder(launch) {}

  /// A program for each point of the grid `chunks`, which has an axis for each divided dimension, reduces a chunk of
  /// all targets. `shares` has two numbers for each of these dimensions: how many times `granules` elements a program
  /// has along it, and how many programs, the first ones, have one granule more. What it finds is an element of the
  /// arrays `partials`, one for each result, along their first dimension, and the combined type is theirs.
  tile::LaunchOp reduceChunks(llvm::StringRef suffix, llvm::ArrayRef<mlir::Value> chunks,
                              llvm::ArrayRef<mlir::Value> shares, llvm::ArrayRef<int64_t> granules,
                              llvm::ArrayRef<mlir::Value> partials);
  /// One program combines what the chunks came to.
  tile::LaunchOp combine(llvm::ArrayRef<mlir::Value> partials, llvm::ArrayRef<mlir::Value> results);
  /// The program, which finds what its reductions come to in arrays: results, or partial results, which it combines.
  tile::LaunchOp finish(llvm::StringRef suffix, llvm::ArrayRef<mlir::Value> found);

private:
  Chunk chunkOf(mlir::ValueRange shares, llvm::ArrayRef<int64_t> granules);
  using Values = llvm::SmallVector<mlir::Value>;
  Values reducePart(const DividedReduction &target, llvm::ArrayRef<mlir::Value> sources);
  Values combinePartials(const DividedReduction &target, mlir::ValueRange refs);
  Values reduceAlong(tile::ReduceOp like, llvm::ArrayRef<int64_t> axes, mlir::ValueRange sources);
  /// Those of a target among values of all of them, one for each result.
  mlir::ValueRange ofTarget(mlir::ValueRange all, const DividedReduction &target) const;
  mlir::Value number(int64_t value) {
    return builder.create<mlir::arith::ConstantOp>(loc, builder.getI64IntegerAttr(value));
  }

  tile::LaunchOp launch;
  llvm::ArrayRef<DividedReduction> targets;
  mlir::Location loc;
  mlir::OpBuilder builder;
};

} // namespace tegula::split
