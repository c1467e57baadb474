// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What branches and checks say of conditions: inside `if (a && b)` both hold, after `check(!a || b)` b holds where a
// does.
#pragma once

#include "mlir/IR/Block.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/MapVector.h"

#include <optional>

namespace tegula {

class Conditions {
public:
  Conditions() = default;
  /// What is known in front of a place in an entry: by the branches around it, the innermost first, then by the checks
  /// that every way to it passes.
  Conditions(mlir::Block *block, mlir::Block::iterator place);

  /// Assumes that a condition holds, or that it does not, and what follows from that and from all that is known. An
  /// argument of the entry is the condition that it is there.
  void assume(mlir::Value condition, bool holds = true);
  /// Whether a condition holds, if that is known. All that ask whether an array is there are one condition.
  std::optional<bool> known(mlir::Value condition) const;
  /// Whether an argument of the entry is there, if that is known.
  std::optional<bool> isPresent(mlir::Value array) const;
  /// All that is known, in the order in which it was found.
  auto all() const { return llvm::make_range(facts.begin(), facts.end()); }

private:
  void add(mlir::Value condition, bool holds);
  /// Adds what follows for the conditions that one is made of.
  void derive(mlir::Value condition, bool holds);

  /// By the array, of those that ask whether it is there.
  llvm::MapVector<mlir::Value, bool> facts;
};

} // namespace tegula
