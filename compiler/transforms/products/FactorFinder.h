// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The factors of a mainloop's products: windows of arrays that are copied ahead, and what consumers compute in each
// step of such windows and whatever else they can load.
#pragma once

#include "ir/Wgmma.h"
#include "transforms/products/Mainloop.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace tegula {

/// Adds to a mainloop, whose loops and products are known, what these are made of.
class FactorFinder {
public:
  FactorFinder(tile::KernelOp kernel, Mainloop &found, std::string &obstacle)
      : kernel(kernel), found(found), obstacle(obstacle) {}

  /// The number of a product's factor, or Product::computed; none, with an obstacle, if it is nothing that tensor cores
  /// can be given.
  std::optional<unsigned> find(const Product &product, bool isLeft);
  /// Whether an op computes factors.
  bool isOfFactors(mlir::Operation *op) const { return ofFactors.contains(op); }

private:
  /// Says what is in the way, and is false.
  bool refuse(const llvm::Twine &why) {
    obstacle = why.str();
    return false;
  }
  std::optional<unsigned> findFactor(mlir::Value tile, bool isLeft);
  std::optional<unsigned> findSlices(mlir::TypedValue<mlir::RankedTensorType> tile, bool isLeft);
  bool isLoaded(mlir::Value tile);
  bool findRows(mlir::Value tile, mlir::RankedTensorType type);
  bool findParts(mlir::Value value, mlir::RankedTensorType type, bool isLeft);
  bool canCompute(mlir::Operation *op, mlir::RankedTensorType type, bool isLeft);
  /// Whether a consumer makes all of a factor that it has.
  bool isWhole(bool isLeft) { return isLeft || kernel.getMmaSync(); }
  void stage(mlir::Value tile, bool isLeft, const WgmmaTypes &types);

  tile::KernelOp kernel;
  Mainloop &found;
  std::string &obstacle;
  llvm::SmallPtrSet<mlir::Operation *, 8> ofFactors;
};

} // namespace tegula
