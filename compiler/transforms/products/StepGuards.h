// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which steps of a loop need no masks: those where a comparison of positions, such as of keys and queries, holds for
// all elements, and those that end before their arrays do. A comparison of sums of iotas, of the loop's variable and of
// what is the same in all steps holds up to some step, or from some step on. Integers of the language wrap: where one
// may on the way, as the kernel finds out before the loop, all steps have masks.
#pragma once

#include "ir/TileDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {

class StepGuards {
public:
  /// Looks at the masks of a loop and at the extents that its reductions and products have.
  explicit StepGuards(mlir::scf::ForOp loop);

  /// Whether some steps need masks that others do not, at the loop's end or at its beginning.
  bool areAtEnd() const;
  bool areAtBegin() const;
  bool areAny() const { return !guards.empty(); }
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
  /// And whether a reduction's or a product's operand is all of its elements.
  bool isFull(mlir::Value extent) const { return fullExtents.contains(extent); }

private:
  /// factor * the loop's variable + the sum of terms + a number up to `most`.
  struct Sum {
    int64_t factor = 0; ///< of the loop's variable
    llvm::SmallVector<std::pair<mlir::Value, int64_t>, 4> terms = {};
    int64_t least = 0, most = 0;
  };
  /// Holds in all steps in which the sum is at most 0.
  using Guards = llvm::SmallVector<Sum>;

  std::optional<Sum> sumOf(mlir::Value value);
  static Sum combine(const Sum &a, const Sum &b, int64_t sign);
  bool compare(mlir::Value less, mlir::Value greater, int64_t margin, Guards &out);
  bool holds(mlir::Value mask, bool wanted, Guards &out);
  void findMask(tile::WhereOp where);
  void findExtent(mlir::Value extent);
  void add(Guards &&found);
  bool isKnownToFit(const Sum &sum, unsigned bits, bool isMost);
  mlir::Value fitInAll(mlir::OpBuilder &builder);

  mlir::scf::ForOp loop;
  Guards guards;
  llvm::SmallDenseMap<mlir::Operation *, mlir::Value> choices;
  llvm::SmallDenseSet<mlir::Value> fullExtents;
  /// Sums that integers of so many bits are, unless they wrap.
  llvm::SmallVector<std::pair<Sum, unsigned>> fits;
  /// Of what windows that move are cut from.
  llvm::SmallDenseMap<std::pair<mlir::Value, unsigned>, mlir::Value> ends;
};

} // namespace tegula
