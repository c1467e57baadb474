// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which threads of a block come where, as far as conditions on their index say. In a launch, or in its kernel.
#pragma once

#include "ir/TileDialect.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tegula {

class Uniformity {
public:
  Uniformity(mlir::Region &program, int64_t count);

  /// The threads that may come to an op, as bits: all but those that a condition keeps away for certain.
  unsigned mayReach(mlir::Operation *op);
  /// Whether all threads of the block come to an op equally often, or none does; with a cluster, those of all its
  /// blocks.
  bool convergesAt(mlir::Operation *op) const;
  /// What the condition is for these threads, if it is the same for all of them and known.
  std::optional<bool> known(mlir::Value condition, unsigned threads);

private:
  mlir::Attribute valueAt(mlir::Value value, int64_t thread);
  mlir::Attribute foldedAt(mlir::Operation *op, int64_t thread);
  void findVarying(mlir::Region &program);
  bool decides(mlir::RegionBranchOpInterface op) const;

  mlir::Region &program;
  int64_t count;
  /// What differs, or may differ, from thread to thread.
  llvm::DenseSet<mlir::Value> varying;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Attribute> values;
};

} // namespace tegula
