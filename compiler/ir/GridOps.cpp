// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops about all blocks of a launch (GridOps.h), and the verifiers of semaphores (TileSemaphores.td).
#include "ir/GridOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace tegula::tile;

static LogicalResult verifySemaphore(Operation *op, Value place) {
  auto type = cast<RefType>(place.getType());
  if (type.getRank() != 0 || type.isShared() || type.isTable() || !type.getElementType().isSignlessInteger(32))
    return op->emitOpError("takes a ref of one i32 in global memory, not ") << type;
  return success();
}

LogicalResult SemaphoreSignalOp::verify() {
  if (getSemaphores().empty())
    return emitOpError("needs at least one semaphore");
  for (Value semaphore : getSemaphores())
    if (failed(verifySemaphore(*this, semaphore)))
      return failure();
  return success();
}

LogicalResult SemaphoreWaitOp::verify() { return verifySemaphore(*this, getSemaphore()); }
LogicalResult SemaphoreReadOp::verify() { return verifySemaphore(*this, getSemaphore()); }
LogicalResult GridBarrierOp::verify() { return verifySemaphore(*this, getSemaphore()); }

#define GET_OP_CLASSES
#include "ir/TileGridOps.cpp.inc"
