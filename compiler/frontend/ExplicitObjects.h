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
  /// Of a block of a pipeline, which keeps count: the parity that its body waits for.
  mlir::Value parity;
  /// What the program may do with them: the body of a pipeline waits for ready(), and arrives at consumed().
  enum Use { Any, Waits, Arrives } use = Any;
};

/// A variable of type pipeline_allocations: its rings are made by the first pipeline that uses it, where it is
/// declared.
struct Allocations {
  llvm::SmallVector<Ring, 2> rings;
  mlir::Operation *declared = nullptr;
  clang::SourceLocation where;
};

/// A pipeline whose code is being emitted.
struct Pipeline {
  PipelineGrid grid;
  llvm::SmallVector<const Spec *> specs;
  /// Which rings its specs share, and these.
  llvm::SmallVector<PipelineRing, 2> uses;
  llvm::SmallVectorImpl<Ring> *rings = nullptr;
  llvm::SmallVector<int64_t, 2> depths;
  /// Of specs that do not say otherwise.
  int64_t depth = 0, delay = 0;
  /// The body waits for blocks, and releases them.
  bool isManuallyReady = false, isManuallyConsumed = false;
  /// How many threads compute.
  int64_t computes = 1;
  /// Where the compute function begins, and how often it ran the body.
  mlir::Block *home = nullptr;
  int runs = 0;
};

/// What a block of a pipeline belongs to.
struct PipelineBlock {
  const Pipeline *pipeline = nullptr;
  /// Null where the pipeline waits or releases.
  Barriers *ready = nullptr, *consumed = nullptr;
  /// Which of the barriers, and whether the body has asked for them.
  mlir::Value stage;
  bool isAwaited = false, isReleased = false;
};

} // namespace tegula::frontend
