// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which steps of a loop need no masks: those where a comparison of positions, such as of keys and queries, holds for
// all elements, and those that end before their arrays do. A comparison of sums of iotas, of the loop's variable and of
// what is the same in all steps holds up to some step, or from some step on. Integers of the language wrap: where one
// may on the way, as the kernel finds out before the loop, all steps have masks. Loads test each element in these
// alone.
#pragma once

#include "ir/TileDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {

class StepGuards {
public:
  /// Looks at the masks of a loop and at the extents that its reductions and products have.
  explicit StepGuards(mlir::scf::ForOp loop);

  /// Whether there are masks of the program's own.
  bool haveMasks() const { return !choices.empty(); }

  /// The steps without masks, from `begin` to `end`, at the builder's place, where the operands of the loop are known.
  /// They may lie outside of the loop's steps.
  struct Range {
    mlir::Value begin, end; ///< null: there is no limit
  };
  Range makeRange(mlir::OpBuilder &builder);

  /// In a step without masks: what a `tile.where` of the loop is; null of other ops, and where it may be either.
  mlir::Value unmasked(mlir::Operation *op) const { return choices.lookup(op); }
  /// Whether a reduction's or a product's operand is all of its elements there.
  bool isFull(mlir::Value extent) const { return fullExtents.contains(extent); }
  /// And the type of a window of this source.
  tile::RefType unmaskedType(tile::SliceOp slice, tile::RefType source) const;

private:
  /// factor * the loop's variable + the sum of terms + a number up to `most`.
  struct Sum {
    int64_t factor = 0; ///< of the loop's variable
    llvm::SmallVector<std::pair<mlir::Value, int64_t>, 4> terms = {};
    int64_t least = 0, most = 0;
  };
  /// Holds in all steps in which the sum is at most 0.
  using Guards = llvm::SmallVector<Sum>;

  /// A sum that an integer of so many bits is, unless it wraps; one without sign is not negative.
  struct Fit {
    Sum sum;
    unsigned bits;
    bool isUnsigned;
  };
  /// Sums with larger factors are not looked at.
  static constexpr int64_t mostFactor = int64_t{1} << 20;

  std::optional<Sum> sumOf(mlir::Value value);
  static std::optional<Sum> times(const Sum &sum, int64_t factor);
  static Sum combine(const Sum &a, const Sum &b, int64_t sign);
  bool compare(mlir::Value less, mlir::Value greater, int64_t margin, Guards &out);
  bool holds(mlir::Value mask, bool wanted, Guards &out);
  void findMask(tile::WhereOp where);
  std::optional<Sum> fullWindow(tile::SliceOp slice, unsigned source);
  void findExtent(mlir::Value extent);
  void findWindows(tile::LoadOp load);
  void add(Guards &&found);
  bool isKnownToFit(const Sum &sum, unsigned bits, bool isMost, bool isUnsigned);
  mlir::Value fitInAll(mlir::OpBuilder &builder);

  mlir::scf::ForOp loop;
  Guards guards;
  llvm::SmallDenseMap<mlir::Operation *, mlir::Value> choices;
  llvm::SmallDenseSet<mlir::Value> fullExtents;
  /// The dimensions in which windows that threads load are full.
  llvm::SmallDenseMap<mlir::Operation *, llvm::SmallVector<unsigned, 2>> fullWindows;
  llvm::SmallVector<Fit> fits;
  /// Of what windows that move are cut from.
  llvm::SmallDenseMap<std::pair<mlir::Value, unsigned>, mlir::Value> ends;
};

} // namespace tegula
