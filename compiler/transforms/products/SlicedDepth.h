// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sliced-K: several consumers of a CTA sum one sub-tile, and take the steps of its loop in turn. Where a sub-tile has
// no rows for more than one of them, and much is computed of what is copied, one alone would neither fill the
// schedulers of a multiprocessor nor hide what it waits for. Behind the loop, one of them adds up what all have.
#pragma once

#include "pipelines/Ring.h"
#include "transforms/products/Mainloop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tegula {

class SlicedDepth {
public:
  /// `slices` is a power of two, and divides the stages of the ring: each stage has the same consumer in all passes.
  /// With 1, a consumer takes all steps, and nothing is added up.
  SlicedDepth(mlir::OpBuilder &builder, const Mainloop &mainloop, int64_t slices)
      : builder(builder), mainloop(mainloop), loc(mlir::scf::ForOp(mainloop.loop).getLoc()), slices(slices) {}

  bool isCut() const { return slices > 1; }
  /// Makes room for what is added up, in front of the loop over sub-tiles.
  void allocate();
  /// In front of a pipeline: which steps are this consumer's, from where it stands in the ring. Results then depend on
  /// the number of a step alone, whichever consumer takes it.
  void begin(mlir::Value warpgroup, const Ring &ring);
  /// This consumer's first step.
  mlir::Value first() { return isCut() ? turn : constant(0); }
  /// What this consumer's sum begins with: one of them has the loop's initial value, the others nothing.
  mlir::Value initOf(mlir::Value init);
  /// The step that this consumer takes behind another one.
  mlir::Value after(mlir::Value step) { return builder.create<mlir::arith::AddIOp>(loc, step, constant(slices)); }
  /// Adds up the sums of all, in the order of their first steps. What stands behind the loop is from now on what the
  /// first of them does with the result, in whose block the builder is left.
  llvm::SmallVector<mlir::Value> addUp(mlir::ValueRange sums);

private:
  mlir::Value constant(int64_t value) {
    return builder.create<mlir::arith::ConstantOp>(loc, builder.getI64IntegerAttr(value));
  }
  mlir::Value isFirst();
  mlir::Value placeOf(unsigned sum, mlir::Value slice);
  void synchronize();

  mlir::OpBuilder &builder;
  const Mainloop &mainloop;
  mlir::Location loc;
  int64_t slices;
  mlir::Value turn;                       ///< this consumer's number among those of a sub-tile
  llvm::SmallVector<mlir::Value> partial; ///< [slices - 1, rows, columns] of each sum
  mlir::Value barriers;
};

/// Into how many slices the sum of a sub-tile may be cut, if shared memory has room: for one consumer that computes
/// left factors in registers, which takes longer than the products, and sums few columns. Not where the program says
/// how many consumers there are.
int64_t mostSlices(tile::KernelOp kernel, const Mainloop &mainloop);
/// The shared memory that adding them up takes.
int64_t bytesOfSlices(const Mainloop &mainloop, int64_t slices);

} // namespace tegula
