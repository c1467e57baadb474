// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code that a pipeline is.
//
// Its buffers form a ring, [depth, block...] per spec, with one barrier per stage that is full when the stage's copies
// are there, and, if another thread copies, one that is empty when all that compute have released it. Where a thread
// stands in the ring is a stage number and the parity of the pass, which wrap together: no division in the loop.
// Barriers and positions outlive the pipeline, so that the next run goes on where this one ended.
#pragma once

#include "frontend/Importer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tegula::frontend {

/// The point of a grid that belongs to a step, counted up: no division.
class Odometer {
public:
  Odometer(Importer &importer, llvm::ArrayRef<mlir::Value> grid, mlir::Location at)
      : builder(importer.builder), grid(grid), at(at) {
    mlir::Type i64 = builder.getI64Type();
    zero = importer.constantOf(i64, 0), one = importer.constantOf(i64, 1);
    if (grid.size() < 2) // The step itself is the index.
      return;
    for (size_t i = 0; i < grid.size(); ++i) {
      counters.push_back(builder.create<tile::VariableOp>(at, tile::VariableType::get(builder.getContext(), i64)));
      builder.create<tile::SetOp>(at, zero, counters.back());
    }
  }
  mlir::SmallVector<mlir::Value> indices(mlir::Value step) {
    if (counters.empty())
      return mlir::SmallVector<mlir::Value>(grid.size(), step);
    mlir::SmallVector<mlir::Value> values;
    for (mlir::Value counter : counters)
      values.push_back(builder.create<tile::GetOp>(at, counter));
    return values;
  }
  /// What the indices of the next step are.
  mlir::SmallVector<mlir::Value> following(mlir::Value step) {
    mlir::SmallVector<mlir::Value> values = indices(step);
    mlir::Value carry = one;
    for (size_t i = values.size(); i-- > 0;) {
      values[i] = builder.create<mlir::arith::AddIOp>(at, values[i], carry);
      if (i == 0)
        break;
      mlir::Value wraps = builder.create<mlir::arith::CmpIOp>(at, mlir::arith::CmpIPredicate::eq, values[i], grid[i]);
      carry = builder.create<mlir::arith::ExtUIOp>(at, builder.getI64Type(), wraps);
      values[i] = builder.create<mlir::arith::SelectOp>(at, wraps, zero, values[i]);
    }
    return values;
  }
  void advance() {
    if (counters.empty())
      return;
    for (auto [value, counter] : llvm::zip(following({}), counters))
      builder.create<tile::SetOp>(at, value, counter);
  }

private:
  mlir::OpBuilder &builder;
  llvm::ArrayRef<mlir::Value> grid;
  mlir::Location at;
  mlir::Value zero, one;
  mlir::SmallVector<mlir::Value> counters;
};

class PipelineEmitter {
public:
  PipelineEmitter(Importer &importer, Pipeline &pipeline, clang::SourceLocation where)
      : importer(importer), builder(importer.builder), pipeline(pipeline), ring(*pipeline.ring), where(where),
        at(importer.locate(where)), zero(index(0)), one(index(1)) {}

  /// One thread copies and computes.
  void emitAlone(const clang::FunctionDecl *function, Object &body);
  /// The thread that copies.
  void emitCopies();
  /// A thread that computes.
  void emitSteps(const clang::FunctionDecl *function, Object &body);

private:
  mlir::Value index(int64_t value) { return importer.constantOf(builder.getI64Type(), value); }
  template <class Op> mlir::Value make(mlir::Value a, mlir::Value b) { return builder.create<Op>(at, a, b); }
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a, mlir::Value b) {
    return builder.create<mlir::arith::CmpIOp>(at, predicate, a, b);
  }
  mlir::Value get(mlir::Value variable) { return builder.create<tile::GetOp>(at, variable); }
  void set(mlir::Value variable, mlir::Value value) { builder.create<tile::SetOp>(at, value, variable); }
  int64_t delayOf(const Spec &spec) const { return spec.delay < 0 ? pipeline.delay : spec.delay; }
  bool hasOutputs() const {
    return llvm::any_of(pipeline.specs, [](const Spec *spec) { return spec->access != tile::Access::In; });
  }
  bool hasInputs() const { return ring.full != nullptr; }

  /// The stage that is `steps` ahead of this one.
  mlir::Value ahead(mlir::Value stage, int64_t steps);
  mlir::Value behind(mlir::Value stage, int64_t steps);
  void advance();
  mlir::Value bufferAt(unsigned spec, mlir::Value stage);
  void loop(mlir::Value count, llvm::function_ref<void(mlir::Value)> body);
  void when(mlir::Value condition, llvm::function_ref<void()> body);
  void copyIn(unsigned spec, llvm::ArrayRef<mlir::Value> indices, mlir::Value stage);
  /// Whether the block of an output is another in every step, as its buffer is; says so if not.
  bool checkChanges(const Spec &spec, mlir::Value window, llvm::ArrayRef<mlir::Value> indices);
  void copyOut(Odometer &odometer, mlir::Value step, mlir::Value stage);
  void runBody(const clang::FunctionDecl *function, Object &body, llvm::ArrayRef<mlir::Value> indices,
               mlir::Value stage);
  /// Waits for the stage's copies, runs the body, and begins what it sends.
  void step(const clang::FunctionDecl *function, Object &body, Odometer &odometer, mlir::Value step, mlir::Value stage);

  Importer &importer;
  mlir::OpBuilder &builder;
  Pipeline &pipeline;
  Ring &ring;
  clang::SourceLocation where;
  mlir::Location at;
  mlir::Value zero, one;
};

} // namespace tegula::frontend
