// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What consumers compute in the steps of chained products (FindChain.h), whatever unit multiplies: the loop's ops
// beside the products, with masks in those steps alone that need them.
#pragma once

#include "transforms/products/Mainloop.h"
#include "transforms/products/StepGuards.h"

#include "mlir/IR/IRMapping.h"

namespace tegula {

class ChainSteps {
public:
  ChainSteps(mlir::OpBuilder &builder, const Mainloop &mainloop)
      : builder(builder), mainloop(mainloop), loop(mainloop.loop), loc(loop.getLoc()), guards(loop) {}

  llvm::ArrayRef<Product> firstProducts() const {
    return llvm::ArrayRef(mainloop.products).take_front(mainloop.numFirst);
  }
  llvm::ArrayRef<Product> lastProducts() const {
    return llvm::ArrayRef(mainloop.products).drop_front(mainloop.numFirst);
  }
  /// Whether one of the first products goes on in the accumulator of another one.
  bool goesOn(const Product &product) const {
    return llvm::any_of(firstProducts(), [&](const Product &other) {
      return tile::DotOp(product.dot).getAcc() == tile::DotOp(other.dot).getResult();
    });
  }
  /// The ops beside products and what is copied ahead for them, in the loop's order.
  llvm::SmallVector<mlir::Operation *> computed();

  /// What the loop carries becomes variables, at the builder's place.
  void makeCarried();
  mlir::Value getCarried(unsigned number) { return get(carried[number]); }
  void setCarried(unsigned number, mlir::Value value) { set(carried[number], value); }
  /// They take the place of the loop's results.
  llvm::SmallVector<mlir::Value> replaceResults();

  /// What the ops of a step with this number take, but for the sums of products.
  mlir::IRMapping begin(mlir::Value step);
  void clone(mlir::Operation *op, bool isMasked, mlir::IRMapping &mapping);
  /// What the next step takes, but for the sums.
  void carry(mlir::IRMapping &mapping);
  /// The left factor of one of the last products.
  mlir::Value leftOf(const Product &product, bool isMasked, mlir::IRMapping &mapping);

  StepGuards::Range rangeWithoutMasks() { return guards.makeRange(builder); }
  /// Loops over the steps from a number on, of those with and without masks.
  void buildLoops(const StepGuards::Range &full, mlir::Value from, mlir::Value numSteps,
                  llvm::function_ref<void(mlir::Value step, bool isMasked)> buildStep);

private:
  mlir::Value get(mlir::Value variable) { return builder.create<tile::GetOp>(loc, variable); }
  void set(mlir::Value variable, mlir::Value value) { builder.create<tile::SetOp>(loc, value, variable); }
  bool isSum(unsigned number) const {
    return llvm::any_of(lastProducts(), [&](const Product &product) { return product.sum == number; });
  }
  bool isCopied(mlir::Operation &op) const;
  void mask(tile::ReduceOp reduce, mlir::IRMapping &mapping);
  static std::pair<mlir::Value, uint64_t> placeOf(mlir::Value extent);
  void buildLoop(mlir::Value from, mlir::Value to, llvm::function_ref<void(mlir::Value step)> buildStep);

  mlir::OpBuilder &builder;
  const Mainloop &mainloop;
  mlir::scf::ForOp loop;
  mlir::Location loc;
  StepGuards guards;
  llvm::SmallVector<mlir::Value> carried;
  /// Clones that have been masked by 0, and from where on.
  llvm::SmallDenseMap<mlir::Value, std::pair<mlir::Value, uint64_t>> zeroBeyond;
};

/// Where each sub-tile has a CTA of its own, no loop over them is left.
void unwrapWork(mlir::scf::ForOp work);

} // namespace tegula
