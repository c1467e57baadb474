// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factors that consumers compute into shared memory, from where tensor cores take them: a left one each the rows that
// it has, a right one together, each some of its columns.
//
// A left factor of 16 bits that is computed from what is loaded needs none of this: consumers load their rows of a
// stage and compute it in registers. A right factor is staged, and so is what wgmma takes neither from registers nor in
// the order in which it lies. A stage of the ring has a place for it, which consumers fill, part by part of what the
// program computes (FactorBuilder.h), before they multiply.
#pragma once

#include "pipelines/Ring.h"
#include "transforms/products/FactorBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tegula {

class StagedFactors {
public:
  /// This consumer's rows of a block that has those of all.
  using PartOf = llvm::function_ref<mlir::Value(mlir::Value block)>;

  StagedFactors(mlir::OpBuilder &builder, const Mainloop &mainloop, FactorBuilder &factors, int64_t consumers)
      : builder(builder), loc(mlir::scf::ForOp(mainloop.loop).getLoc()), mainloop(mainloop), factors(factors),
        consumers(consumers) {}

  /// Allocates their shared memory: each stage of the ring has a place for each, which is free when the stage is.
  /// `warpgroup` is this consumer's number in the CTA.
  void allocate(int64_t stages, mlir::Value warpgroup);
  /// Computes what no step changes, here, before the loop.
  void hoist();
  /// Computes those of a step, and has tensor cores see them. Returns where each is, as products take it.
  llvm::SmallVector<mlir::Value> make(const Ring &ring, PartOf partOf);

private:
  mlir::Value placeOf(const StagedFactor &factor, mlir::Value ofFactor, const Ring &ring, PartOf partOf);
  void forEachPart(const StagedFactor &factor,
                   llvm::function_ref<void(tile::DotOp dot, mlir::Value first, int64_t columns)> inside);
  mlir::Value constant(int64_t value) {
    return builder.create<mlir::arith::ConstantOp>(loc, builder.getI64IntegerAttr(value));
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const Mainloop &mainloop;
  FactorBuilder &factors;
  int64_t consumers;
  mlir::Value warpgroup;
  llvm::SmallVector<mlir::Value> buffers;
  mlir::Value computed; ///< barriers of the stages, if consumers make a factor together: all have
  /// Where this consumer's columns begin, by how many it makes at a time.
  llvm::SmallDenseMap<int64_t, llvm::SmallVector<mlir::Value>> firstColumns;
};

} // namespace tegula
