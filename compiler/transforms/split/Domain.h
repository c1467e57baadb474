// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program does to memory, and how each part of it is cut into sub-tiles.
//
// The stores of a program are its roots. Roots that write windows of one extent form a *domain*: a box of elements that
// is cut into equal sub-tiles, each the work of one team. All a root needs is computed for its sub-tile alone, so an
// elementwise program needs nothing from its neighbours, and the sub-tiles of all programs spread over CUDA blocks.
#pragma once

#include "transforms/Extents.h"

namespace tegula::split {

/// How the work is shared out; the numbers that a plan is made from.
struct Shape {
  int64_t threads = 256; ///< of a CUDA block
  int64_t perThread = 1; ///< accesses of 16 bytes per thread and array
  /// The most elements that a team holds of one tile, so that it stays in registers.
  int64_t mostPerThread = 32;
};

/// One dimension of a domain.
struct DomainDim {
  int64_t bound; ///< static, or ShapedType::kDynamic
  Symbol extent;
  int64_t subTile; ///< elements of a sub-tile, a power of two
  bool isWhole() const { return !mlir::ShapedType::isDynamic(bound) && subTile >= bound; }
};

/// Roots of one extent.
struct Domain {
  llvm::SmallVector<DomainDim> dims;
  llvm::SmallVector<tile::StoreOp> roots;
  int64_t smallestElement = 8; ///< bytes
  /// Scalar stores and prints: done once a program.
  bool isScalar() const { return dims.empty(); }
  /// One sub-tile covers it.
  bool isWhole() const {
    return llvm::all_of(dims, [](const DomainDim &dim) { return dim.isWhole(); });
  }
  int64_t subTileElements() const;
  /// How many sub-tiles there are along a static dimension.
  int64_t tiles(int64_t dim) const { return (dims[dim].bound + dims[dim].subTile - 1) / dims[dim].subTile; }
};

/// A program seen as domains.
struct Program {
  tile::LaunchOp launch;
  llvm::SmallVector<Domain, 2> domains;
  /// Arguments (by number) that are stored to.
  llvm::SmallDenseSet<unsigned> stored;
  /// Threads that run one sub-tile, a power of two.
  int64_t team = 1;
  /// Accesses of one array depend on one another across threads: a team keeps the program's order with barriers.
  bool ordered = false;

  /// One team runs the whole program.
  bool isWhole() const {
    return llvm::all_of(domains, [](const Domain &domain) { return domain.isWhole(); });
  }
  /// The sub-tiles of the largest domain, if the types tell.
  std::optional<int64_t> mostTiles() const;
};

/// The argument of the launch that a ref is a window of.
mlir::BlockArgument baseOf(mlir::Value ref);

/// The domains of a launch's body, with sub-tiles chosen. Fails, with a diagnostic, if the order in which the program
/// writes cannot be kept by teams that do not wait for one another.
mlir::FailureOr<Program> analyse(tile::LaunchOp launch, Extents &extents, const Shape &shape);

} // namespace tegula::split
