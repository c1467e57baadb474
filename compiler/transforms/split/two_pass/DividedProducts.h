// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which sums of products can be divided along what they are summed over, among programs that make partial sums
// (SplitK.h): those of one loop, which adds to what it carries and does nothing else, or products of whole rows.
#pragma once

#include "transforms/split/Domain.h"
#include "transforms/split/two_pass/DividedTile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula::split {

/// A product of whole rows, and its factors, which are divided along these.
struct ProductOfRows {
  tile::DotOp dot;
  DividedTile a, b;
};

/// The sums of a launch, all of one program alike; none if something is in the way.
class DividedProducts {
public:
  DividedProducts(tile::LaunchOp launch, Extents &extents);

  /// What a loop makes, or products of whole rows; one of the two.
  mlir::scf::ForOp loop;
  llvm::SmallVector<ProductOfRows, 1> products;
  /// The loop's results, or the products, of which several may be added up.
  llvm::SmallVector<mlir::Value> sums;
  /// Each element of a sum is wanted where this stores, and nowhere else.
  tile::StoreOp store;
  /// What is summed over: of products of whole rows.
  Extent depth;
  /// Of a row of a factor: what an iteration of the loop sums, or an element.
  int64_t bytesOfStep = 0;

  /// What a sum starts with, if that is not zero, or null.
  mlir::Value initOf(size_t sum) const;

private:
  bool find();
  bool findLoop(mlir::scf::ForOp candidate);
  bool findRows(llvm::ArrayRef<tile::DotOp> dots);
  bool dependsOnNothingElse(mlir::scf::ForOp op);
  bool findStore();
  bool isWantedThere(const Demand &demand);
  bool mayStandHere(mlir::Operation *op);

  tile::LaunchOp launch;
  Extents &extents;
  llvm::SmallDenseSet<unsigned> stored;
};

} // namespace tegula::split
