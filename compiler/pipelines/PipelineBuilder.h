// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops of a pipeline, over IR values: copies into the stages of a ring (Ring.h), waits, the body, copies of what
// it made. The steps of a pipeline are the points of a grid, the last axis fastest.
#pragma once

#include "pipelines/RingAccess.h"

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

class PipelineBuilder : private RingAccess {
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

  mlir::Value variable(mlir::Value init);
  void loop(mlir::Value count, llvm::function_ref<void(mlir::Value)> inside);
  void when(mlir::Value condition, llvm::function_ref<void()> inside);

  int64_t delayOf(unsigned operand) const { return delays[operand] < 0 ? delay : delays[operand]; }
  bool hasOutputs() const {
    return llvm::any_of(ring.operands, [](const RingOperand &op) { return op.access != tile::Access::In; });
  }

  void copyBlock(unsigned operand, llvm::ArrayRef<mlir::Value> point, mlir::Value stage);
  void copyOut(Odometer &odometer, mlir::Value step, mlir::Value stage);
  bool changesEveryStep(unsigned operand, mlir::Value window, llvm::ArrayRef<mlir::Value> point);
  /// Waits for the stage's copies, runs the body, and begins what it sends.
  void step(Odometer &odometer, mlir::Value step, mlir::Value stage);

  const PipelineGrid &grid;
  int64_t delay;
  llvm::ArrayRef<int64_t> delays;
  const PipelineBody &body;
};

} // namespace tegula
