// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops of a pipeline, over IR values: copies into the stages of a ring (Ring.h), waits, the body, copies of what
// it made. The steps of a pipeline are the points of a grid, the last axis fastest.
#pragma once

#include "pipelines/Ring.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace tegula {

/// What a pipeline iterates over.
struct PipelineGrid {
  llvm::SmallVector<mlir::Value> sizes;
  /// Their product, and its value where it is known.
  mlir::Value numSteps;
  std::optional<int64_t> knownSteps;
};

/// What a pipeline does in its steps, said by whoever builds it.
struct PipelineBody {
  /// The window of an operand in its array at a point of the grid. Null if there is none, after an error.
  llvm::function_ref<mlir::Value(unsigned operand, llvm::ArrayRef<mlir::Value> point)> window;
  /// The work of a step, on one block of shared memory per operand.
  llvm::function_ref<void(llvm::ArrayRef<mlir::Value> point, llvm::ArrayRef<mlir::Value> blocks)> run;
  /// Waits until no tensor-core product reads a stage any more.
  llvm::function_ref<void()> drain;
  /// Called for an output whose block stays the same along an axis of the grid although each step has a stage of its
  /// own. `mayStay`: with a depth of 1 it could.
  llvm::function_ref<void(unsigned operand, size_t axis, bool mayStay)> refuseStaying;
};

class PipelineBuilder {
public:
  /// `delay`: for how many steps more a stage's inputs stay; `delays` has that of operands that say so, else -1.
  PipelineBuilder(mlir::OpBuilder &builder, mlir::Location loc, const Ring &ring, const PipelineGrid &grid,
                  int64_t delay, llvm::ArrayRef<int64_t> delays, const PipelineBody &body);

  /// One thread copies and computes.
  void buildAlone();
  /// The producer: the thread that copies.
  void buildProducer();
  /// A consumer: a thread that computes.
  void buildConsumer();

private:
  /// The point of the grid that belongs to a step, counted up: no division.
  class Odometer {
  public:
    explicit Odometer(PipelineBuilder &pipeline);
    llvm::SmallVector<mlir::Value> point(mlir::Value step);
    /// The point of the next step.
    llvm::SmallVector<mlir::Value> following(mlir::Value step);
    void advance();

  private:
    PipelineBuilder &pipeline;
    /// A variable per axis; none with one axis, whose index is the step.
    llvm::SmallVector<mlir::Value> counters;
  };

  /// One constant of a value is enough for a kernel: it stands where the body of the kernel or launch begins.
  mlir::Value constant(mlir::Type type, int64_t value);
  mlir::Value index(int64_t value) { return constant(builder.getI64Type(), value); }
  template <class Op> mlir::Value make(mlir::Value a, mlir::Value b) { return builder.create<Op>(loc, a, b); }
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a, mlir::Value b) {
    return builder.create<mlir::arith::CmpIOp>(loc, predicate, a, b);
  }
  mlir::Value variable(mlir::Value init);
  mlir::Value get(mlir::Value variable) { return builder.create<tile::GetOp>(loc, variable); }
  void set(mlir::Value variable, mlir::Value value) { builder.create<tile::SetOp>(loc, value, variable); }
  void loop(mlir::Value count, llvm::function_ref<void(mlir::Value)> inside);
  void when(mlir::Value condition, llvm::function_ref<void()> inside);

  int64_t delayOf(unsigned operand) const { return delays[operand] < 0 ? delay : delays[operand]; }
  bool hasOutputs() const {
    return llvm::any_of(ring.operands, [](const RingOperand &op) { return op.access != tile::Access::In; });
  }

  /// The stage that is `steps` ahead of, or behind, this one.
  mlir::Value ahead(mlir::Value stage, int64_t steps);
  mlir::Value behind(mlir::Value stage, int64_t steps);
  void advance();
  mlir::Value blockAt(unsigned operand, mlir::Value stage);
  void copyIn(unsigned operand, llvm::ArrayRef<mlir::Value> point, mlir::Value stage);
  void copyOut(Odometer &odometer, mlir::Value step, mlir::Value stage);
  bool changesEveryStep(unsigned operand, mlir::Value window, llvm::ArrayRef<mlir::Value> point);
  /// Waits for the stage's copies, runs the body, and begins what it sends.
  void step(Odometer &odometer, mlir::Value step, mlir::Value stage);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const Ring &ring;
  const PipelineGrid &grid;
  int64_t delay;
  llvm::ArrayRef<int64_t> delays;
  const PipelineBody &body;
  mlir::Value zero, one;
};

} // namespace tegula
