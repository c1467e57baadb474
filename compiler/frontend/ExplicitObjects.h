// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What objects of the explicit level are while a program is imported.
#pragma once

#include "frontend/Launch.h"
#include "pipelines/PipelineBuilder.h"

#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace tegula::frontend {

/// A named axis of a launch of the explicit level.
struct LaunchAxis {
  enum Kind { Grid, Cluster, Thread };
  std::string name;
  Kind kind = Grid;
  /// Which of the axes of its kind.
  int64_t number = 0;
  /// The size; that of a grid axis is known at run time.
  int64_t size = 0;
};

/// The barriers of a variable, and what this thread knows of them.
struct Barriers {
  mlir::Value barriers;
  llvm::SmallVector<int64_t, 2> shape;
  /// A variable with the parity of the phase that each waits for next: an i1, or a bit of an i32 each.
  mlir::Value phases;
};

/// A variable of type pipeline_allocations: its ring is made by the first pipeline that uses it, where it is declared.
struct Allocations {
  Ring ring;
  mlir::Operation *declared = nullptr;
  clang::SourceLocation where;
};

/// A pipeline whose code is being emitted.
struct Pipeline {
  PipelineGrid grid;
  llvm::SmallVector<const Spec *> specs;
  Ring *ring = nullptr;
  int64_t delay = 0;
  /// Where the compute function begins, and how often it ran the body.
  mlir::Block *home = nullptr;
  int runs = 0;
};

} // namespace tegula::frontend
