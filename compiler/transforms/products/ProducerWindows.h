// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the producer of a CTA copies: windows of arrays, for all consumers, whose places it computes itself.
#pragma once

#include "transforms/products/Mainloop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

namespace tegula {

/// The window of a factor's array that these extents have, 0 for one element of a dimension; `here` is what a number is
/// at the builder's place.
mlir::Value windowOf(mlir::OpBuilder &builder, const Factor &factor, llvm::ArrayRef<int64_t> extents,
                     llvm::function_ref<mlir::Value(mlir::Value)> here);

class ProducerWindows {
public:
  ProducerWindows(mlir::OpBuilder &builder, const Mainloop &mainloop, int64_t consumers)
      : builder(builder), mainloop(mainloop), loop(mainloop.loop), loc(loop.getLoc()), consumers(consumers) {}

  /// What a step reads of a factor, in the array's dimensions; 0 where it takes one element.
  llvm::SmallVector<int64_t> extentsOf(const Factor &factor) const;
  /// Begins a sub-tile, here, before its steps. Where the program has `member`, the number of a consumer, windows begin
  /// with the rows of `first`.
  void begin(mlir::Value subTile, mlir::Value member, mlir::Value first);
  /// An integer of the sub-tile.
  mlir::Value copyOf(mlir::Value value) { return copyOf(value, ofSubTile); }
  /// The window of an array that a step of the sub-tile reads.
  mlir::Value of(const Factor &factor, mlir::Value step);

private:
  mlir::Value copyOf(mlir::Value value, mlir::IRMapping &known);
  void hoist(llvm::ArrayRef<mlir::Value> integers);
  mlir::OpBuilder &builder;
  const Mainloop &mainloop;
  mlir::scf::ForOp loop;
  mlir::Location loc;
  int64_t consumers;
  mlir::IRMapping ofSubTile;
};

} // namespace tegula
