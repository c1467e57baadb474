// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the stages of a launch have in common: those that do the same to other arrays have one plan, and its kernels;
// where many differ in numbers alone, these are arguments. Scratch arrays that are not needed at a time are one.
#pragma once

#include "analysis/Symbols.h"

namespace tegula::split {

/// Stages by what they do. Kernels rest on what the host knows of the extents of arrays, which has to be the same.
class AlikeStages {
public:
  /// `whole`: the launch that is cut.
  explicit AlikeStages(tile::LaunchOp whole) : symbols(whole) {}

  /// Gives a stage the plan of an earlier one that does the same. False if there is none: it is to be split, and its
  /// numbers may be arguments by now.
  bool takePlan(tile::LaunchOp stage);
  /// The same stage, when it has a plan.
  void add(tile::LaunchOp stage) { known.push_back({stage, parameters}); }

private:
  struct Known {
    tile::LaunchOp stage;
    unsigned parameters; ///< The last arguments, as many, are numbers of the program.
  };
  /// Uses of constants in a stage, which does the same as a known one beside them: where that has its parameters, and
  /// where it has other constants.
  struct Match {
    llvm::SmallVector<mlir::OpOperand *> bound, differing;
  };
  std::optional<Match> match(const Known &known, tile::LaunchOp stage);
  bool haveSameFacts(mlir::Value a, mlir::Value b);

  Symbols symbols;
  llvm::SmallVector<Known> known;
  unsigned parameters = 0; ///< Of the stage that was asked for last.
};

/// In a plan: lets arrays that it allocates, of one type and size, be one where the last use of one comes in front of
/// the first use of the other.
void shareScratch(mlir::Block &plan);

} // namespace tegula::split
