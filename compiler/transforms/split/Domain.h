// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program does to memory, and how each part of it is cut into sub-tiles.
//
// The ops of a program that change memory (stores, scatters, atomic updates) are its *roots*. Roots that write tiles of
// one extent form a *domain*: a box of elements that is cut into equal sub-tiles, each the work of one thread group.
// All that a root needs is computed for its sub-tile alone, on demand and once. So an elementwise program needs nothing
// from its neighbours, and the sub-tiles of all programs spread over CTAs. For example:
//
//   for 3 programs:  o[all] = x[all] + b[all]       // f32, rows of any length
//
// The store is the root. Its domain is a row, cut into sub-tiles of 1024 elements: 256 threads make accesses of 16
// bytes. The sub-tiles of all programs are numbered through, and the number of a thread group says which one it has.
// Full sub-tiles run without a mask, those at an edge with one; long computation is written once for both (Edges.h).
// Arrays that the host finds dense and aligned get a kernel of their own; if their rows are whole 16-byte vectors, rows
// end in vectors, too (ChooseKernels.cpp). Programs with small blocks share a CTA, which then has several thread
// groups; scalar programs take a thread each. Programs that together do the same to all elements of arrays of one shape
// also have a kernel that takes contiguous arrays as one row (Collapse.h). ElementwiseTiles.cpp chooses the shape of
// sub-tiles where no dimension is reduced.
//
// A reduction or product may not follow a dimension of the domain (Demand.h). Several thread groups would each compute
// it again, so one thread group has all of such a dimension: *register-resident* if it is static and fits, else
// *sequential*, a loop over chunks. All other dimensions are *parallel*.
#pragma once

#include "analysis/Extents.h"
#include "transforms/split/Demand.h"
#include "transforms/split/GroupShape.h"

namespace tegula::split {

/// How many elements hold all of a dimension, a power of two, and whether it is just as long.
struct Resident {
  int64_t size;
  bool isExact;
  /// The blocks of a cluster share the dimension: each has a part of `size`.
  bool isShared = false;
};
/// Dimensions of run-time extent that are register-resident in one thread group. (The host compares.)
using ResidentDims = llvm::SmallDenseMap<Symbol, Resident, 2>;

/// What happens to a dimension of a domain.
enum class Mode {
  Parallel,   ///< its sub-tiles go to different thread groups
  Sequential, ///< one thread group loops over its chunks
  Resident,   ///< one sub-tile has all of it
};

/// One dimension of a domain.
struct DomainDim {
  int64_t bound; ///< the most elements, or ShapedType::kDynamic
  Symbol extent;
  int64_t subTile; ///< elements of a sub-tile; layouts repeat along what is no power of two
  Mode mode = Mode::Parallel;
  bool isExact = false;  ///< it is resident, and just as long
  bool isShared = false; ///< resident in the blocks of a cluster together
  int64_t rest = 0;      ///< of a sequential dimension: the elements of a chunk of the rest
  int64_t members = 1;   ///< thread groups of a CTA that share a sub-tile, each with an equal part of it

  bool isStatic() const { return !mlir::ShapedType::isDynamic(bound); }
  /// What one thread group has of a sub-tile.
  int64_t part() const { return subTile / members; }
  /// Whether its sub-tiles are several.
  bool isCut() const { return mode == Mode::Parallel && !(isStatic() && subTile >= bound); }
  bool operator==(const DomainDim &) const = default;
};

/// Roots of one extent.
struct Domain {
  llvm::SmallVector<DomainDim> dims;
  llvm::SmallVector<tile::RootOpInterface> roots;
  int64_t smallestElement = 8; ///< bytes
  /// What the roots need, their values and masks included.
  Demand demand;
  /// Of the first root, as far as the host knows. Of a store, its ref is asked.
  llvm::SmallVector<Extent> extents = {};
  /// Its sub-tiles are some rows of columns, as of a stencil: arrays are loaded in windows that overlap.
  bool isStencil = false;
  /// Of a stencil: the arrays, by number, that are loaded along its last dimension.
  llvm::SmallDenseSet<unsigned> loadedAlong = {};
  /// Scalar stores and prints: done once a program.
  bool isScalar() const { return dims.empty(); }
  /// One thread group does it.
  bool isWhole() const {
    return llvm::none_of(dims, [](const DomainDim &dim) { return dim.isCut(); });
  }
  llvm::SmallVector<DomainDim> cutDims() const;
  /// A matrix product is among what the roots need.
  bool multiplies() const;
  int64_t subTileElements() const;
  /// How many sub-tiles there are along a static dimension.
  int64_t tiles(int64_t dim) const {
    return dims[dim].isCut() ? (dims[dim].bound + dims[dim].subTile - 1) / dims[dim].subTile : 1;
  }
};

/// How thread groups share the rows of a launch's scans: the elements of a part, and the CTAs of a multiprocessor, of
/// which some wait while others compute.
struct SharedRows {
  int64_t part, ctas;
};
SharedRows sharedRows(tile::LaunchOp launch, const GroupShape &shape);

/// A program seen as domains.
struct Program {
  tile::LaunchOp launch;
  Extents *extents;
  llvm::SmallVector<Domain, 2> domains;
  /// What the control flow and the prints of every thread group need.
  Demand scalars;
  GroupShape shape;
  ResidentDims resident;
  /// Arguments (by number) that are stored to.
  llvm::SmallDenseSet<unsigned> stored;
  /// Threads that run one sub-tile, a power of two.
  int64_t group = 1;
  /// Accesses of one array depend on one another across threads: a thread group keeps the program's order with
  /// barriers.
  bool ordered = false;

  /// A scan whose rows thread groups share; null if there is none.
  tile::ScanOp sharedScan() const;
  /// One thread group runs the whole program.
  bool isWhole() const {
    return llvm::all_of(domains, [](const Domain &domain) { return domain.isWhole(); });
  }
  /// The blocks of a cluster do it together.
  bool isShared() const {
    return llvm::any_of(domains, [](const Domain &domain) {
      return llvm::any_of(domain.dims, [](const DomainDim &dim) { return dim.isShared; });
    });
  }
  /// The CTAs of a cluster do programs each, which are neighbours along the last axis but one of the grid.
  bool areInClusters() const;
  /// All domains are cut alike: a thread group does its sub-tile of each, and what they share is made once.
  bool isCutAlike() const;
  /// The most elements along a dimension, as its type says, or, of a slice of run-time size, as what it is a slice of
  /// does; ShapedType::kDynamic if neither is static.
  int64_t boundOf(int64_t typed, const Extent &extent) const;
  /// How all of a dimension is register-resident: of a bounded one, or of one that the host has compared. None if
  /// it is sequential.
  std::optional<Resident> residentFor(int64_t typed, const Extent &extent) const;
  /// The sub-tiles of the largest domain, if the types tell.
  std::optional<int64_t> mostTiles() const;
};

/// Chooses the sub-tiles of a domain whose roots need no contraction (ElementwiseTiles.cpp). `wantsLarge`: one thread
/// group should hold more of the program than it takes to keep memory busy.
void chooseElementwise(const Program &program, Domain &domain, bool wantsLarge);

/// The domains of a launch's body, with sub-tiles chosen. Fails, with a diagnostic, if the order in which the program
/// writes cannot be kept by thread groups that do not wait for one another.
mlir::FailureOr<Program> analyse(tile::LaunchOp launch, Extents &extents, const GroupShape &shape,
                                 const ResidentDims &resident);

} // namespace tegula::split
