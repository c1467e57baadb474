// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What threads do with a ring (Ring.h), at the builder's place.
#pragma once

#include "pipelines/Ring.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tegula {

/// Emits arithmetic on integers, and reads and writes of variables.
class LoopEmitter {
public:
  LoopEmitter(mlir::OpBuilder &builder, mlir::Location loc);

protected:
  /// One constant of a value is enough for a kernel: it stands where the body of the kernel or launch begins.
  mlir::Value constant(mlir::Type type, int64_t value);
  mlir::Value index(int64_t value) { return constant(builder.getI64Type(), value); }
  template <class Op> mlir::Value make(mlir::Value a, mlir::Value b) { return builder.create<Op>(loc, a, b); }
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a, mlir::Value b) {
    return builder.create<mlir::arith::CmpIOp>(loc, predicate, a, b);
  }
  mlir::Value get(mlir::Value variable) { return builder.create<tile::GetOp>(loc, variable); }
  void set(mlir::Value variable, mlir::Value value) { builder.create<tile::SetOp>(loc, value, variable); }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Value zero, one;
};

class RingAccess : public LoopEmitter {
public:
  RingAccess(mlir::OpBuilder &builder, mlir::Location loc, const Ring &ring);

  /// Where this thread stands.
  mlir::Value stage() { return get(ring.stage); }
  mlir::Value parity() { return get(ring.parity); }
  /// Goes on by some stages, whose number divides that of the ring if it is not 1.
  void advance(int64_t steps = 1);
  /// The same by a number of stages that is known at run time, or back: by fewer than the ring has.
  void move(mlir::Value steps);
  /// The stage that is `steps` ahead of, or behind, this one.
  mlir::Value ahead(mlir::Value stage, int64_t steps);
  mlir::Value behind(mlir::Value stage, int64_t steps);
  mlir::Value blockAt(unsigned operand, mlir::Value stage);

  /// Waits for the copies of a stage.
  void waitFull(mlir::Value stage);
  /// Waits until all that compute have released a stage in the last pass. In the first pass nothing is to wait for: the
  /// phase before the first has parity 1, and is over.
  void waitEmpty(mlir::Value stage);
  void copyIn(unsigned operand, mlir::Value window, mlir::Value stage);
  /// Copies a stage's block to the array; a group of copies is made by whoever calls.
  void copyOut(unsigned operand, mlir::Value window, mlir::Value block);
  void release(mlir::Value stage);

  const Ring &ring;
};

} // namespace tegula
