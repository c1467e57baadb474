// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile that several programs have a chunk each of: what is reduced (TwoPass.h), or multiplied (SplitK.h).
#pragma once

#include "transforms/split/Demand.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace tegula::split {

/// The tile, the dimensions along which it is divided, and what all of it needs of other tiles.
struct DividedTile {
  mlir::Value tile;
  llvm::SmallVector<int64_t> dims;
  Demand demand;
};

/// Where a chunk begins along each divided dimension, and its size.
struct Chunk {
  llvm::SmallVector<mlir::Value> starts, sizes;
};

/// The tile, and all that it is made of.
llvm::SetVector<mlir::Value> coneOf(mlir::Value tile);

/// Whether all that the tile is made of can be had for a chunk alone, in a launch that stores to these arguments. With
/// `mayConform`, tiles that are told their extents may be without: what they are combined with tells.
bool isDivisible(const DividedTile &divided, tile::LaunchOp launch, const llvm::SmallDenseSet<unsigned> &stored,
                 bool mayConform = false);
/// Whether what is loaded for the tile is a chunk along all divided dimensions.
bool loadsChunks(const DividedTile &divided);

/// What a value of the cone is for a chunk. `mapping` has the launch's arguments, and takes what is made.
mlir::Value cloneChunk(mlir::OpBuilder &builder, mlir::Value value, const DividedTile &divided, const Chunk &chunk,
                       mlir::IRMapping &mapping);

} // namespace tegula::split
