// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The effects of a program in the order of its text, what each of them needs, and which of them depend on one another
// through memory (Stages.h).
#pragma once

#include "analysis/Windows.h"

#include "ir/TileDialect.h"

#include "llvm/ADT/SetVector.h"

namespace tegula::split {

/// A loop or a branch.
inline bool isControl(mlir::Operation *op) {
  return mlir::isa<mlir::scf::ForOp, mlir::scf::IfOp, mlir::scf::WhileOp>(op);
}

/// An op of the body that changes memory or prints: a root, or control flow that has some.
struct Effect {
  mlir::Operation *op;
  /// The ops of the body that it is computed by, and itself.
  llvm::SetVector<mlir::Operation *> needed;
};

/// Built anew when the body changes.
class Effects {
public:
  explicit Effects(tile::LaunchOp launch);

  llvm::ArrayRef<Effect> all() const { return found; }
  /// Whether one of two has to come behind the other one: what either reads or writes, the other one writes.
  bool conflict(const Effect &a, const Effect &b);
  /// A value that has to be kept in memory, so that each effect can be computed behind all those in front of it, and at
  /// once for all of its elements. Null if there is none.
  mlir::Value findToKeep();

  static bool isEffect(mlir::Operation *op);
  /// Whether an effect is to store what another one results in.
  static bool keeps(mlir::Operation *effect, mlir::Operation *made);

private:
  struct Access {
    mlir::Value ref;
    bool isWrite, isIndirect, isAtomic;
  };
  static llvm::SmallVector<Access> accessesOf(mlir::Operation *op);
  bool conflict(const Access &a, const Access &b);
  /// Whether one op writes what the other one reads or writes.
  bool writesWhatIsUsed(mlir::Operation *writer, mlir::Operation *user);
  bool isComputedBy(mlir::Operation *op, mlir::Operation *by) const;
  static mlir::Value firstUsed(mlir::Operation *made);
  mlir::Value toKeepOf(const Effect &effect);
  mlir::Value madeBefore(mlir::Operation *user, mlir::Operation *load, mlir::Operation *end);
  mlir::Value madeOfOwn(const Effect &effect, mlir::Operation *load);
  std::optional<mlir::Value> elsewhere(tile::StoreOp store, mlir::Value value, mlir::Operation *load);

  mlir::Block *body;
  Symbols symbols;
  Windows windows;
  llvm::SmallVector<Effect> found;
};

/// The ops of a launch's body that an op of it is computed by, and itself.
llvm::SetVector<mlir::Operation *> neededBy(mlir::Operation *op);

} // namespace tegula::split
