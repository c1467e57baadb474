// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "frontend/ast/Values.h"
#include "ir/TileDialect.h"

#include "clang/Basic/SourceLocation.h"

#include <limits>

namespace clang {
class ASTContext;
class CallExpr;
class Stmt;
} // namespace clang

namespace tegula::frontend {

/// How `tg::in`, `out` and `inout` cut an array into blocks.
struct Spec {
  tile::Access access = tile::Access::In;
  mlir::Value array;
  /// tg::scratch, of no array.
  bool isScratch = false;
  /// The array is the default argument {}.
  bool isAbsent = false;
  /// Static extents, tg::whole or tg::squeezed; those of a run-time block are in `sizes`.
  llvm::SmallVector<int64_t, 4> block;
  llvm::SmallVector<mlir::Value, 4> sizes;
  /// The index map; null for the whole array.
  Object *map = nullptr;
  /// In pipelines: how many steps the block stays, -1 if the pipeline says, and the axes of the cluster that share it.
  int64_t delay = -1;
  llvm::SmallVector<int64_t, 3> multicast;
  /// The arrangement of its buffers that the program pins, 0 if none.
  int64_t swizzle = 0;
  /// How many buffers it has, 0 if the pipeline says; what its copies bring, and what L2 does with the lines.
  int64_t buffers = 0;
  tile::Outside outside = tile::Outside::Zeros;
  tile::Eviction eviction = tile::Eviction::Normal;
  clang::SourceLocation where;

  /// Whether it says something that only pipelines know.
  bool hasPipelineOptions() const {
    return delay >= 0 || swizzle || !multicast.empty() || buffers || outside != tile::Outside::Zeros ||
           eviction != tile::Eviction::Normal;
  }
};

/// An array that the caller may leave out, of a launch that cuts it into blocks: it is compiled with it and without.
struct OptionalArray {
  mlir::Value array;
  const Spec *spec;
};

/// The size of an axis that a grid does not have (tegula::detail::absent).
inline constexpr int64_t absentSize = std::numeric_limits<int64_t>::min();

/// The call of the user's function inside a definition of the language's that runs it: it names the instance.
const clang::CallExpr *bodyCall(const clang::Stmt *statement);
/// The call operators of a lambda, or the function itself.
void callOperators(const clang::ASTContext &ast, const Object &callable,
                   llvm::SmallVectorImpl<const clang::FunctionDecl *> &found);

/// Blocks that do not depend on a sequential axis are those of all of its programs: they come in front of its loop.
void hoistBlocks(tile::LaunchOp launch, mlir::Block *block);

} // namespace tegula::frontend
