// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factors that are computed in each step of a mainloop, from what has been copied and whatever else can be loaded:
// whole ones, columns for wgmma, and for mma.sync a slice of the depth at a time, in the registers that the parts were
// loaded into. What they are made of is loaded into the registers that the result will have, whatever its type. Of wide
// products, a part of the factor is computed while the part before is multiplied. A mask, which the last step may need,
// is a branch.
#pragma once

#include "transforms/products/Mainloop.h"

#include "mlir/IR/IRMapping.h"

#include <functional>

namespace tegula {

/// Of the depth of a step: `depth` elements from `offset` on, null for 0. `number` is what the loop counts.
struct DepthSlice {
  mlir::Value number, offset;
  int64_t depth;
};

class FactorBuilder {
public:
  /// Makes a part of a tile that is a factor of the loop, by the factor's number.
  using Load = std::function<mlir::Value(unsigned factor, mlir::Value tile, const tile::Parts &parts)>;

  FactorBuilder(mlir::OpBuilder &builder, const Mainloop &mainloop) : builder(builder), mainloop(mainloop) {}

  /// Loads what left factors need of the first step beside what is copied, here, before the loop, if there is a step.
  void hoistLoads(mlir::Value first, mlir::Value isAny);
  /// Begins a step: the loop's number in it, and where parts of its factors come from.
  void begin(mlir::Value number, Load load);
  /// Takes for this step what was loaded ahead, and loads what a step needs in which the loop counts `next`.
  void loadAhead(mlir::Value next);

  /// A factor as a whole.
  mlir::Value make(tile::DotOp dot, bool isLeft);
  /// Columns of a right factor.
  mlir::Value makeColumns(tile::DotOp dot, mlir::Value first, int64_t columns);
  /// Makes what these columns need and no step changes, here, before the loop.
  void hoistColumns(tile::DotOp dot, mlir::Value first, int64_t columns);
  /// A slice of a factor, with 0 beyond the end of what is summed.
  mlir::Value makeSlice(tile::DotOp dot, bool isLeft, const DepthSlice &slice);

  /// Whether a part of a tile can be computed alone in each step. `isCut` says along which dimensions it is a part.
  static bool canSlice(mlir::Value tile, const Mainloop &mainloop, llvm::ArrayRef<bool> isCut);

private:
  mlir::Value copyOf(mlir::Value value);
  mlir::Value loadAt(tile::LoadOp load, mlir::Value number);
  mlir::Value partOf(mlir::Value value, const tile::Parts &parts);
  tile::Parts partsOf(tile::IndexedOpInterface op, mlir::OpOperand &operand, const tile::Parts &parts);
  mlir::Value mask(tile::DotOp dot, bool isLeft, mlir::Value factor, mlir::Value first = {});

  mlir::OpBuilder &builder;
  const Mainloop &mainloop;
  mlir::IRMapping clones; ///< of the step
  struct Ahead {
    tile::LoadOp load;
    mlir::Value variable;
  };
  llvm::SmallVector<Ahead> ahead;
  Load load;
  struct Known {
    mlir::Value value;
    tile::Parts parts;
    mlir::Value made;
  };
  llvm::SmallVector<Known> hoisted, ofStep;
};

} // namespace tegula
