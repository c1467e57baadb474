// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel of a launch: the program on sub-tiles, for one thread group.
#pragma once

#include "transforms/split/Body.h"
#include "transforms/split/Domain.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tegula::split {

/// A kernel's arguments beyond those of the launch: the grid, then the tile counts of the domains, then the thread
/// groups, and of a persistent kernel the CTAs, or the clusters, that share them.
struct Signature {
  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<mlir::Location> locations;
  /// Where the count along a domain's dimension is among the arguments; -1 if it is static.
  llvm::SmallVector<llvm::SmallVector<int64_t>> counts;
  int64_t grid = 0, most = -1, groups = -1, blocks = -1, turns = -1;
  /// The sub-tiles of the largest domain, where the types tell.
  std::optional<int64_t> staticMost;
};

/// Whether this is the extent of the innermost dimension of an array.
bool endsIn(const Extents &extents, mlir::Value array, Symbol extent);

/// What a kernel takes of its arrays, as tile.dense found them: along the last dimension, elements are anywhere, or
/// neighbours in memory, or neighbours that accesses of 16 bytes find aligned; or rows of those arrays that a stencil
/// is about consist of accesses of some elements (GroupShape::rowsOf).
enum class Rows { strided, contiguous, aligned, whole };

/// The arrays, by number, that a stencil loads or stores along its rows.
llvm::SmallDenseSet<unsigned> arraysOfRows(const Program &program);

class KernelBuilder {
public:
  KernelBuilder(const Program &program, Extents &extents, const GroupShape &shape)
      : program(program), launch(program.launch), extents(extents), shape(shape), builder(launch.getContext()),
        loc(launch.getLoc()) {
    describe();
  }

  /// Writes a kernel into the module. Of aligned arrays, `evenRow`, an extent, is a multiple of all their accesses.
  mlir::FailureOr<tile::KernelOp> build(llvm::StringRef name, Rows rows, std::optional<Symbol> evenRow);

  const Signature &getSignature() const { return signature; }

private:
  void describe();
  mlir::LogicalResult buildBody();
  bool isPersistent() const { return shape.tensor || shape.staysForRows || shape.combinesPrivately; }
  mlir::LogicalResult buildPrivately(mlir::Value group, llvm::function_ref<mlir::LogicalResult(mlir::Value)> work);
  mlir::LogicalResult buildPersistent(mlir::Value group, llvm::function_ref<mlir::LogicalResult(mlir::Value)> work);
  std::pair<mlir::Value, mlir::Value> divide(mlir::Value number, mlir::Value divisor);
  std::pair<mlir::Value, mlir::Value> orderInPlane(mlir::Value number, mlir::Value rows, mlir::Value columns);
  mlir::LogicalResult buildDomains(BodyBuilder &body, mlir::Value tileIndex);
  mlir::LogicalResult buildTogether(BodyBuilder &body, llvm::ArrayRef<const Domain *> domains, mlir::Value tileIndex,
                                    bool prints);
  Origin originOf(const Domain &domain, mlir::Value tileIndex, Origin &shared);
  /// Where this thread group's part begins, by where the sub-tile does and the size of a part.
  using PartStarts = llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value>;
  void addPart(const Domain &domain, Origin &origin, PartStarts &known);
  void beginEarlier(BodyBuilder &body, const Domain &domain, Origin &origin);
  mlir::LogicalResult buildFullOr(mlir::Value isFull, Copy copy, BodyBuilder &body);
  mlir::Value isFull(BodyBuilder &body, const Domain &domain, llvm::ArrayRef<mlir::Value> origin, bool &isKnown);
  mlir::Value startOfClusterPart();
  mlir::Value rowInCluster(mlir::Value clusterRow, mlir::Value rows);
  mlir::Value ceilDiv(mlir::Value number, int64_t divisor);
  void decodeLongestFirst(mlir::Value number, llvm::SmallVectorImpl<mlir::Value> &programIds);
  void decode(mlir::Value group, llvm::SmallVectorImpl<mlir::Value> &programIds, mlir::Value &tileIndex);
  mlir::Value count(unsigned domain, unsigned dim);
  /// The kernel's argument that is this one of the program.
  mlir::Value argumentOf(mlir::Value inside) {
    return kernel.getArgument(mlir::cast<mlir::BlockArgument>(inside).getArgNumber());
  }
  mlir::Value constant(int64_t value) {
    return builder.create<mlir::arith::ConstantOp>(loc, builder.getI64IntegerAttr(value));
  }
  /// Runs `then` where the condition holds.
  mlir::LogicalResult guarded(mlir::Value condition, llvm::function_ref<mlir::LogicalResult()> then);

  const Program &program;
  tile::LaunchOp launch;
  Extents &extents;
  GroupShape shape;
  mlir::OpBuilder builder;
  mlir::Location loc;
  Signature signature;
  tile::KernelOp kernel;
  mlir::Value clusterPart;
  /// Which of the thread groups that share a sub-tile this one is; null if it is alone.
  mlir::Value member;
  /// The part of a row that this thread group scans, counted through all rows; null if no rows are shared.
  mlir::Value number;
  /// Which of its cluster this CTA is, where each does a program.
  mlir::Value rank;
};

} // namespace tegula::split
