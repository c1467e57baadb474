// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the body of a kernel: the program again, on sub-tiles.
#pragma once

#include "transforms/split/Domain.h"

#include "mlir/IR/IRMapping.h"

namespace tegula::split {

using tile::Part;
using tile::Parts;
using tile::partType;

/// Where the sub-tile of a domain begins: an offset per dimension, null for 0.
using Origin = llvm::SmallVector<mlir::Value>;

/// What one copy of the program is to do.
struct Copy {
  struct SubTile {
    const Domain *domain;
    Origin origin;
    /// The sub-tile lies within the dims that are cut: nothing is clamped there.
    bool full = false;
    /// The same of sequential dims, inside their loop.
    llvm::SmallVector<bool> fullChunk = {};
    bool isInLoop() const { return !fullChunk.empty(); }
    /// What the thread group has of a dimension of the domain; none of a sequential one.
    std::optional<Part> part(int64_t dim) const;
  };
  /// The domains whose roots are kept, with this thread group's share of each.
  llvm::SmallVector<SubTile, 2> subTiles;
  /// Prints are kept, too.
  bool prints = false;
  /// Of thread groups that share the rows of scans: what tile.scan says of the part that this one has.
  llvm::SmallVector<mlir::Value, 3> position = {};
};

/// Clones the program's body at the builder's place, cut to what `copy` says. `mapping` holds the values of the
/// launch's arguments, and of program ids (`programIds`) and grid sizes (`grid`) in the kernel.
class BodyBuilder {
public:
  BodyBuilder(mlir::OpBuilder &builder, const Program &program, Extents &extents, const mlir::IRMapping &arguments,
              llvm::ArrayRef<mlir::Value> programIds, llvm::ArrayRef<mlir::Value> grid, mlir::Value startOfClusterPart)
      : builder(builder), program(program), launch(program.launch), extents(extents), arguments(arguments),
        programIds(programIds), grid(grid), startOfClusterPart(startOfClusterPart) {}

  mlir::LogicalResult build(const Copy &copy);

  /// The extent of dimension `dim` of a domain where it is known before the program begins, or null.
  mlir::Value extentAtTop(const Domain &domain, int64_t dim);

private:
  struct Known {
    mlir::Value source;
    Parts parts;
    mlir::Value value;
  };
  /// A block of the source that is being cloned, or a loop over chunks, and what was made for it.
  struct Frame {
    mlir::Block *source; ///< null: a loop over chunks
    mlir::Block *target;
    mlir::Operation *nested = nullptr;                                ///< the op in `target` that holds the next frame
    llvm::DenseMap<mlir::Value, llvm::SmallVector<Known, 1>> known{}; ///< by the source

    void add(Known part) { known[part.source].push_back(std::move(part)); }
    /// In the order in which they were made.
    llvm::ArrayRef<Known> partsOf(mlir::Value source) const {
      auto found = known.find(source);
      return found == known.end() ? llvm::ArrayRef<Known>() : found->second;
    }
  };

  mlir::LogicalResult cloneOps(mlir::Block &source);
  mlir::LogicalResult cloneOp(mlir::Operation &op);
  void cloneSlice(tile::SliceOp slice);
  mlir::LogicalResult cloneIf(mlir::scf::IfOp op);
  mlir::LogicalResult cloneFor(mlir::scf::ForOp op);
  mlir::LogicalResult cloneWhile(mlir::scf::WhileOp op);
  mlir::LogicalResult cloneRoot(tile::RootOpInterface root);
  mlir::LogicalResult storeChunks(tile::RootOpInterface root, Copy::SubTile subTile,
                                  llvm::ArrayRef<unsigned> sequential, unsigned level);
  mlir::LogicalResult storePart(tile::RootOpInterface root, const Parts &parts);
  mlir::Value withinExtents(tile::RootOpInterface root, mlir::Value mask, const Parts &parts);
  mlir::LogicalResult cloneRegion(mlir::Region &source, mlir::Region &target, mlir::ValueRange carried,
                                  mlir::ValueRange results, mlir::ValueRange places);
  mlir::LogicalResult carry(mlir::ValueRange values, mlir::ValueRange places,
                            llvm::SmallVectorImpl<mlir::Value> &carried);
  bool isCarried(mlir::Value value);
  void bind(mlir::Value source, mlir::Value target, mlir::Value like);
  mlir::Value cloneAtTop(mlir::Value value);

  // Materialise.cpp
  mlir::Value add(mlir::Location loc, mlir::Value a, mlir::Value b);
  mlir::Value constant(mlir::Location loc, int64_t value);
  /// The part of a dimension that this thread group, or its CTA of a cluster, holds.
  Part residentPart(const Resident &resident) {
    return {resident.isShared ? startOfClusterPart : mlir::Value(), resident.size, /*dropped=*/false, resident.isExact};
  }
  std::optional<Parts> naturalParts(mlir::Value tile);
  /// The part of a role; none if that is not at hand.
  using PartAt = llvm::function_ref<std::optional<Part>(int role)>;
  std::optional<Parts> partsOf(mlir::Value tile, const Roles &roles, PartAt partAt);
  bool isOwnPart(mlir::Operation *load, const Parts &parts);
  /// Who may have written what a load or gather would read, too early for that.
  enum class Overwritten { No, ByOthers, BeforeUse, ByChunks, InLoop };
  Overwritten isOverwritten(mlir::Operation *load, const Parts &parts, unsigned level);
  unsigned frameOf(mlir::Value value, const Parts &parts);
  mlir::FailureOr<mlir::Value> materialise(mlir::Value value, const Parts &parts);
  mlir::Value dropUnits(mlir::Value value, const Parts &parts);
  /// The parts of an op's results.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> make(mlir::Operation *op, const Parts &parts);
  mlir::FailureOr<mlir::Value> makeAgain(mlir::Operation *op, const Parts &parts);
  mlir::FailureOr<mlir::Value> makeLoad(tile::LoadOp load, const Parts &parts);
  bool canHoldIndexed(tile::TakeOp take);
  mlir::Value withinArray(tile::LoadOp load, mlir::Value mask, const Parts &parts);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> takeOfWhole(mlir::Operation *op, const Parts &whole,
                                                              const Parts &wanted, int64_t dim);
  Parts partsOfOperand(tile::IndexedOpInterface op, mlir::OpOperand &operand, const Parts &parts);

  // Refusals.cpp
  mlir::LogicalResult refuse(mlir::Operation *load, Overwritten how);
  mlir::LogicalResult refuseAtomic(tile::AtomicOp atomic);
  mlir::LogicalResult refuseTake(tile::TakeOp take);
  /// `beside`: the scan whose order the chunks have.
  mlir::LogicalResult refuseScan(tile::ScanOp scan, tile::ScanOp beside = {});
  mlir::LogicalResult refuseSort(tile::SortOp sort);
  mlir::LogicalResult refuseCarried(mlir::Value tile);

  // Chunks.cpp
  /// Makes the next values of what a loop over chunks carries.
  using Chunk = llvm::function_ref<mlir::FailureOr<llvm::SmallVector<mlir::Value>>(mlir::Value offset, bool full,
                                                                                   mlir::ValueRange carried)>;
  /// The elements of full chunks, and of chunks of the rest. Without the latter, no chunk is taken for full.
  struct Sizes {
    int64_t full, rest = 0;
    /// From the end to the beginning.
    bool isBackward = false;
  };
  std::pair<mlir::Value, mlir::Value> divide(mlir::Location loc, mlir::Value extent, int64_t size);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> forEachChunk(mlir::Location loc, mlir::Value extent, Sizes sizes,
                                                               mlir::ValueRange inits, Chunk chunk);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  forEachChunkBackward(mlir::Location loc, mlir::Value extent, Sizes sizes, mlir::ValueRange inits, Chunk chunk);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> loopOverChunks(mlir::Location loc, mlir::Value begin, mlir::Value end,
                                                                 int64_t step, bool full, mlir::ValueRange inits,
                                                                 Chunk chunk,
                                                                 llvm::function_ref<mlir::Value(mlir::Value)> offset);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> makeChunk(mlir::Operation *op, mlir::Block *block,
                                                            llvm::function_ref<mlir::Value()> offset, bool full,
                                                            mlir::ValueRange carried, Chunk chunk);
  std::pair<mlir::Value, int64_t> originOf(const Extent &extent);
  mlir::Value extentHere(mlir::Location loc, mlir::Value tile, int64_t dim);
  /// The same of a dimension whose type says at most `bound`.
  mlir::Value extentHere(mlir::Location loc, const Extent &extent, int64_t bound);
  mlir::Value here(mlir::Value source);
  mlir::Value extentOf(mlir::Location loc, mlir::Value tile, int64_t dim, const Part &part);

  // Contract.cpp
  /// A dimension that is combined in chunks.
  struct Combined {
    int64_t dim, size, rest;
  };
  /// How a reduction takes its source: the parts of resident dimensions, and the sequential ones.
  struct Reducing {
    Parts parts;
    llvm::SmallVector<Combined> loops;
    /// The blocks of a cluster share a dimension.
    bool isShared;
  };
  Reducing reducing(tile::ReduceOp reduce, const Parts &wanted);
  using Values = llvm::SmallVector<mlir::Value>;
  mlir::FailureOr<Values> makeReduce(tile::ReduceOp reduce, const Parts &parts);
  mlir::FailureOr<Values> partsOf(tile::ReduceOp reduce, const Parts &parts, bool isMasked);
  mlir::FailureOr<Values> reduceInParts(tile::ReduceOp reduce, Parts &parts, Combined loop, mlir::Value offset,
                                        mlir::ValueRange carried);
  mlir::FailureOr<Values> reduceChunks(tile::ReduceOp reduce, Parts &parts, llvm::ArrayRef<Combined> loops,
                                       mlir::ValueRange carried);
  Values combine(tile::ReduceOp reduce, mlir::ValueRange a, mlir::ValueRange b);
  void cloneCombiner(mlir::Region &combiner, mlir::Region &target);
  mlir::FailureOr<Values> makeSort(tile::SortOp sort, const Parts &parts);
  mlir::FailureOr<mlir::Value> makeDot(tile::DotOp dot, const Parts &parts, mlir::Value acc);

  // Scans.cpp
  /// A scan that a loop over chunks goes on with, in the roles of what the loop is for.
  struct Scanned {
    tile::ScanOp scan;
    Roles roles;
  };
  std::optional<llvm::SmallVector<tile::ScanOp>> scans; ///< Of the program, once somebody asked.
  /// The scans along dimension `dim` that a root, or a reduction's source, is made of.
  llvm::SmallVector<Scanned> scansIn(mlir::Operation *op, int64_t dim);
  llvm::SmallVector<Scanned> scansOfLoop(mlir::Operation *op, int64_t dim, llvm::ArrayRef<int64_t> inner);
  llvm::SmallVector<unsigned> sequentialDims(tile::RootOpInterface root, const Domain &domain);
  void putScansInside(tile::ReduceOp reduce, llvm::SmallVectorImpl<Combined> &loops);
  mlir::FailureOr<Values> forEachChunkOf(llvm::ArrayRef<Scanned> scans, mlir::Location loc, mlir::Value extent,
                                         Sizes sizes, mlir::ValueRange inits, PartAt partAt, Chunk chunk);
  mlir::FailureOr<Values> makeScan(tile::ScanOp scan, const Parts &parts);
  /// What a scan goes on from in the chunk that is being made, and what it then comes to.
  struct Running {
    tile::ScanOp scan;
    Parts parts;
    Values inits, totals;
  };
  llvm::SmallVector<Running> running;

  // Chains.cpp
  /// Reductions of one block that loop over one dimension in the same chunks.
  struct Chain {
    llvm::SmallVector<tile::ReduceOp> reduces;
    Parts wanted;
    Reducing how;
  };
  bool isRepeatable(mlir::Operation &op) const;
  /// The reductions from this one on that are to be made together; none if each is to be made by itself.
  std::optional<Chain> chainFrom(tile::ReduceOp first);
  mlir::LogicalResult cloneChain(const Chain &chain);
  mlir::FailureOr<mlir::Value> reduceStage(const Chain &chain, unsigned number, Parts &parts, mlir::Value stage,
                                           mlir::Value carried);
  mlir::Value isOfKind(const Chain &chain, tile::Reduction kind, mlir::Value stage);
  mlir::Value finishStage(const Chain &chain, llvm::ArrayRef<tile::Reduction> kinds, mlir::Value stage,
                          mlir::Value accumulator);

  mlir::OpBuilder &builder;
  const Program &program;
  tile::LaunchOp launch;
  Extents &extents;
  const mlir::IRMapping &arguments;
  llvm::ArrayRef<mlir::Value> programIds, grid;
  /// Where the part of this block begins in a dimension that a cluster shares.
  mlir::Value startOfClusterPart;
  Copy copy;
  mlir::IRMapping mapping;
  llvm::SmallVector<Frame> frames;
  /// How often roots of this copy have stored to an array, so far and when the program came by a load of it.
  llvm::DenseMap<mlir::Value, unsigned> stores;
  llvm::DenseMap<mlir::Operation *, unsigned> storesBefore;
  /// Stores of what an update finds, made in the chunks of the update.
  llvm::SmallPtrSet<mlir::Operation *, 2> storedWithUpdate;
  /// The chunk that is being stored, and the outermost of the loops over such chunks.
  struct StoredChunk {
    mlir::Value array;
    mlir::Block *loop;
    Parts parts;
  };
  std::optional<StoredChunk> stored;
  mlir::IRMapping atTop;
};

/// Tiles of what changes nothing in a reduction or scan, one for each source.
template <class Op>
llvm::SmallVector<mlir::Value> identities(mlir::OpBuilder &builder, Op op, llvm::ArrayRef<Part> parts) {
  llvm::SmallVector<mlir::Value> all;
  for (unsigned i = 0; i < op.getSources().size(); ++i) {
    mlir::Type element = combinedIn(op, i);
    mlir::Value identity = builder.create<mlir::arith::ConstantOp>(op.getLoc(), op.identityOf(i, element));
    all.push_back(builder.create<tile::FullOp>(op.getLoc(), partType(element, parts), identity, mlir::ValueRange()));
  }
  return all;
}

/// A tile with elements of this type.
mlir::Value castTo(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type element, mlir::Value tile);

} // namespace tegula::split
