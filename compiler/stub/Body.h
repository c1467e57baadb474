// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints regions of structured IR as C++ statements: scalars and control flow. What an entry or a program adds to that
// is in the classes that derive from it.
#pragma once

#include "stub/Names.h"
#include "stub/Scalars.h"
#include "stub/Writer.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"

namespace tegula::stub {

/// Whether C++ may have no use for a number: it only says how large tiles are, as what they are combined with may say,
/// too, or where a part begins of a tile that is not loaded, whose elements may all be one.
bool mayGoUnused(mlir::Value value);

class BodyPrinter {
public:
  BodyPrinter(Writer &out, Names &names, Side side) : out(out), names(names), side(side) {}
  BodyPrinter(const BodyPrinter &) = delete;
  BodyPrinter &operator=(const BodyPrinter &) = delete;
  virtual ~BodyPrinter() = default;

  /// How a value is written from now on.
  void bind(mlir::Value value, Expr expr) { bound[value] = std::move(expr); }
  /// The ops of a block but its terminator.
  void printBlock(mlir::Block &block);
  /// True once an op was met that has no C++ form; it has been reported.
  bool hasFailed() const { return failed; }

protected:
  /// A value as an operand. A scalar that is neither bound nor an expression is an error.
  Expr use(mlir::Value value);
  /// With exactly the C++ type of its own.
  Expr useTyped(mlir::Value value);
  /// `const T name = ...;` for a scalar; its uses are the name from then on.
  void declareConstant(mlir::Value value, const Expr &init);
  void unsupported(mlir::Operation *op);
  void reportFailure() { failed = true; }

  /// An op that is one expression of its operands, beyond those of Scalars.h; none if the op is a statement.
  virtual std::optional<Expr> leaf(mlir::Operation *op) = 0;
  /// Any other op.
  virtual void printStatement(mlir::Operation *op) = 0;
  /// Whether an op is a statement of which nothing is printed.
  virtual bool isSilent(mlir::Operation *) { return false; }
  /// Whether an op has no line of its own in the kernel source, but is what the compiler puts around it.
  virtual bool isGlue(mlir::Operation *) { return true; }
  /// Whether nothing printed reads the result of a branch.
  virtual bool isUnused(mlir::Value result) { return result.use_empty(); }
  /// Declares a variable for a value that control flow carries, without an initial value if `init` is null.
  virtual void declareCarried(const std::string &name, mlir::Value variable, mlir::Value init);
  /// Control flow has put the value into a variable.
  virtual void bindCarried(mlir::Value value, const std::string &name) { bind(value, name); }
  /// What to assign to the variable of `target` so that it holds the value; may print statements before.
  virtual Expr carried(mlir::Value value, [[maybe_unused]] mlir::Value target) { return use(value); }

  Writer &out;
  Names &names;
  Side side;
  llvm::DenseMap<mlir::Value, Expr> bound;
  HostRanges ranges;

private:
  struct Assignment {
    std::string name;
    Expr value;
    mlir::Type type;
  };

  bool isExpression(mlir::Operation *op);
  bool isWorthAName(mlir::Operation *op, const Expr &expr);
  std::optional<Expr> expressionOf(mlir::Operation *op);
  std::optional<Expr> choiceOf(mlir::scf::IfOp op);
  void printIf(mlir::scf::IfOp op);
  void printFor(mlir::scf::ForOp op);
  void printWhile(mlir::scf::WhileOp op);
  /// Assigns values to the variables of `targets`, all at once.
  void assign(llvm::ArrayRef<std::string> variables, mlir::ValueRange targets, mlir::ValueRange values);
  /// Variables for the values that a loop carries, bound to the arguments of its body.
  llvm::SmallVector<std::string> declareCarriedBy(mlir::ValueRange arguments, mlir::ValueRange inits,
                                                  mlir::ValueRange results = {});

  bool failed = false;
};

} // namespace tegula::stub
