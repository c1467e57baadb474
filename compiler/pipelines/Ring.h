// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ring of buffers of a pipeline, over IR values: the frontend makes one where the program asks for a pipeline, and
// a pass can where it puts a loop's loads into one.
//
// An operand has one buffer, [depth, block...]. A stage is one index of `depth`: it has a barrier that is full when the
// stage's copies are there, and, if other threads compute than copy, one that is empty when all that compute have
// released it. Where a thread stands in the ring is a stage and the parity of the pass, which wrap together: no
// division in the loop. Barriers and positions outlive a pipeline, so that its next run goes on where this one ended.
//
// The operands of a ring are copied and released together. A pipeline has a ring for each depth and delay among its
// operands, and for those that it copies once.
#pragma once

#include "ir/TileDialect.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tegula {

/// An operand of a pipeline, as its ring knows it.
struct RingOperand {
  tile::Access access = tile::Access::In;
  mlir::Type element;
  llvm::SmallVector<int64_t> block;
  /// The arrangement of the buffers that the program pins, 0 if none.
  int64_t swizzle = 0;
  /// The axes of the cluster along which the CTAs share its blocks.
  llvm::SmallVector<int64_t, 3> multicast;
  /// The dimension of the window along which nobody needs zeros for what lies outside the array.
  std::optional<int64_t> unfilled = std::nullopt;
  /// What else becomes of elements outside the array, and when L2 gives up the lines that are copied.
  tile::Outside outside = tile::Outside::Zeros;
  tile::Eviction eviction = tile::Eviction::Normal;

  /// The dims of a stage: it takes a multiple of 128 bytes, where TMA begins, so that the rows of a smaller block are
  /// longer than the block.
  llvm::SmallVector<int64_t> stageShape() const;
  bool operator==(const RingOperand &) const = default;
};

struct Ring {
  llvm::SmallVector<RingOperand> operands;
  int64_t depth = 0;
  /// One per operand.
  llvm::SmallVector<mlir::Value> buffers;
  /// Null without inputs, and where one thread copies and computes.
  mlir::Value full, empty;
  /// Where this thread stands: variables.
  mlir::Value stage, parity;

  bool isMade() const { return full || empty || !buffers.empty() || stage; }
  /// Whether it is what a pipeline of these operands and this depth would make.
  bool serves(llvm::ArrayRef<RingOperand> wanted, int64_t wantedDepth) const {
    return depth == wantedDepth && llvm::ArrayRef(operands) == wanted;
  }
};

/// Where the parts of a ring are made. Each returns null if it cannot be, having said why.
struct RingSite {
  /// Shared memory of these dims for an operand, which lives as long as the pipeline's scope.
  llvm::function_ref<mlir::Value(unsigned operand, llvm::ArrayRef<int64_t> dims)> allocate;
  /// Barriers, made where the kernel begins. With `clusterAxes`, arrivals come from the CTAs along these axes, too.
  llvm::function_ref<mlir::Value(int64_t count, int64_t arrivals, llvm::ArrayRef<int64_t> clusterAxes,
                                 llvm::StringRef name)>
      barriers;
  /// A variable that is `value` when the kernel begins.
  llvm::function_ref<mlir::Value(mlir::Type type, int64_t value)> variable;
};

/// Makes what the ring of these operands consists of, `depth` stages. `releases`: how many threads of a CTA release a
/// stage before another one fills it again; 0 if one thread copies and computes. `cluster`: its sizes by axis.
mlir::LogicalResult makeRing(Ring &ring, const RingSite &site, mlir::OpBuilder &builder, int64_t releases,
                             llvm::ArrayRef<int64_t> cluster);

} // namespace tegula
