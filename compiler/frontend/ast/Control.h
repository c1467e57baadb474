// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structured control flow from C++'s jumps. Code after `if (c) return;` goes into the other branch; only where that is
// not enough, a jump sets a flag, and what it jumps over asks for it.
#pragma once

#include "mlir/IR/Block.h"
#include "mlir/IR/Value.h"

#include "llvm/ADT/SmallVector.h"

namespace tegula::frontend {

/// Where a return, a break or a continue goes.
struct Exit {
  /// Its scope begins in this block, behind this op, or at its start.
  mlir::Block *block = nullptr;
  mlir::Operation *after = nullptr;
  /// The blocks that end by going there.
  llvm::SmallVector<mlir::Block *> sites;
  /// A variable that is true once it was taken; made when it is first asked for.
  mlir::Value flag;
};

/// Of jumps in a row under run-time conditions, so many nest what follows them: passes over branches that nest are as
/// slow as these are deep.
inline constexpr unsigned mostNestedJumps = 32;

/// How control leaves a statement.
struct Flow {
  /// It may go on to the next statement.
  bool next = true;
  /// It may leave through these.
  llvm::SmallVector<Exit *, 2> exits;
  /// If it may do both: the block at whose end it goes on, if there is one.
  mlir::Block *rest = nullptr;

  void add(llvm::ArrayRef<Exit *> more) {
    for (Exit *exit : more)
      if (!llvm::is_contained(exits, exit))
        exits.push_back(exit);
  }
  void remove(const Exit *exit) { llvm::erase(exits, exit); }
  /// The same where no block is at hand that it goes on in: flags tell.
  Flow withoutRest() const { return {next, exits, nullptr}; }
};

} // namespace tegula::frontend
