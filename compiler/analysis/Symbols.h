// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names for run-time integers, so that two values computed alike have one name. Host checks join names: after
// check(x.dim(0) == y.dim(0), ...), both dims have the same.
#pragma once

#include "analysis/Conditions.h"
#include "ir/TileDialect.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tegula {

/// The name of an integer that the program knows at run time. Equal names, equal integers.
using Symbol = unsigned;

/// A sum of multiples of integers, and a constant.
struct Linear {
  int64_t constant = 0;
  llvm::MapVector<Symbol, int64_t> factors; ///< none is 0
  void add(const Linear &other, int64_t factor);
  /// Divides all of it, if that leaves no rest.
  bool divide(int64_t divisor);
};

/// What the user calls an array of the host, as far as locations and argument names tell.
std::string nameOfArray(mlir::Value array);

/// The symbols of one launch: those of its body and of the host code before it.
class Symbols {
public:
  explicit Symbols(tile::LaunchOp launch);

  Symbol of(mlir::Value value);
  /// Says what a value is that no expression tells: the dim of a tile.
  void set(mlir::Value value, Symbol symbol) { numbered[value] = symbol; }
  Symbol ofConstant(int64_t value);
  /// Dimension `dim` of an array of the host.
  Symbol ofArrayDim(mlir::Value array, int64_t dim);
  /// clamp(dim - start, 0, size): the extent of a window. It is `size` itself if the window is known to lie within, by
  /// what dims are made of or by checks.
  Symbol ofWindow(Symbol dim, Symbol start, Symbol size);
  /// The extent of a block of an array: also `size` if dim and start are multiples of it, since a block beyond the end
  /// of an array of whole blocks is the author's error.
  Symbol ofBlock(Symbol dim, Symbol start, Symbol size);

  /// clamp(ceil((dim - start) / step), 0, size): the extent of a window with a step.
  Symbol ofStrided(Symbol dim, Symbol start, Symbol step, Symbol size);

  std::optional<int64_t> constantOf(Symbol symbol) const;
  /// Whether `divisor` divides the integer for certain.
  bool isMultiple(Symbol symbol, int64_t divisor) const { return isMultiple(symbol, divisor, mostNested); }
  /// What `ofWindow` made the symbol of.
  struct Window {
    Symbol dim, start, size;
  };
  std::optional<Window> windowOf(Symbol symbol) const;
  /// Whether it is the extent of a window with a step, which may be as long as its size says, or not.
  bool isStrided(Symbol symbol) const;
  /// A number that the integer does not exceed: a constant, or the window of something static.
  std::optional<int64_t> mostOf(Symbol symbol) const;
  /// Whether the integer is made of nothing that `op`, a loop or a branch, computes inside.
  bool isKnownOutside(Symbol symbol, mlir::Operation *op) const;

  /// The symbol in the words of the source, for messages.
  std::string describe(Symbol symbol) const { return describe(symbol, mostNested); }

  /// The integer as a sum of others. None of the sums that an index is made of overflows.
  Linear linear(Symbol symbol) const;
  /// Whether the integer is 0 or more for certain.
  bool isAtLeastZero(const Linear &sum) const;

private:
  /// An expression: terms that agree in all of this are one integer.
  struct Term {
    std::string head; ///< the op's name; "=N" is a constant, "#ID#NAME" a value that is no expression
    std::vector<Symbol> operands;
    /// All attributes of the op, predicates among them, and the type of its result.
    const void *attributes = nullptr, *type = nullptr;
    bool isCommutative = false;
    auto operator<=>(const Term &) const = default;
  };

  /// An integer that is a part of two others has as many forms as there are ways to it: none is followed further.
  static constexpr unsigned mostNested = 8;
  /// Greater divisors say nothing of extents.
  static constexpr int64_t mostDivided = int64_t(1) << 40;

  bool isMultiple(Symbol symbol, int64_t divisor, unsigned depth) const;
  std::string describe(Symbol symbol, unsigned depth) const;
  Symbol intern(Term term);
  /// The term over the representatives of its operands.
  Term normalized(Term term) const;
  Symbol find(Symbol symbol) const;
  void addLinear(Linear &sum, Symbol symbol, int64_t factor, unsigned depth) const;
  Symbol leaf(mlir::Value value);
  Symbol number(mlir::Value value);
  Symbol numberArgument(mlir::BlockArgument argument);
  std::optional<Symbol> stridedOf(mlir::Operation *op);
  std::optional<Symbol> clampedOf(mlir::Operation *op);
  /// Windows that agree in this are one integer: what lies behind the start, as a sum, and the size.
  using WindowKey = std::tuple<int64_t, std::vector<std::pair<Symbol, int64_t>>, Symbol>;
  WindowKey keyOf(const Window &window) const;
  Symbol numberOperation(mlir::Operation *op, mlir::Value value);
  Symbol simplified(Symbol symbol);
  Symbol ofArithmetic(llvm::StringRef op, Symbol left, Symbol right);
  Symbol ofLinear(const Linear &sum);
  /// The sum divided, rounded as C++ does where there is a remainder.
  Symbol ofQuotient(Linear sum, int64_t by);
  /// Replaces two adjacent windows of a sum by their union:
  ///   window(d, s, a) + window(d, s + a, b) = window(d, s, a + b).
  bool joinWindows(Linear &sum);
  void assumeCompare(mlir::arith::CmpIPredicate predicate, mlir::Value left, mlir::Value right);
  void equate(Symbol a, Symbol b);
  /// One representative stands for another one from now on.
  void merge(Symbol merged, Symbol kept);
  /// What becomes of `h == n - h`, of which neither side can be the name of the other: n is 2 * h.
  void equateNested(const Linear &difference);
  /// Makes integers that are divided without a remainder multiples of their quotients.
  void findQuotients();
  /// Joins the names of terms that have become equal, since what they are made of is.
  void closeUnderCongruence();
  void equateCarriedDims();
  void assumeAtLeast(Symbol symbol, int64_t bound);
  std::optional<std::pair<int64_t, int64_t>> constantRange(Symbol symbol, unsigned depth) const;
  llvm::SmallVector<Linear> boundsOf(Symbol symbol, bool isUpper) const;
  /// By what the terms are made of, then by their bounds.
  bool isAtLeastZeroByTerms(const Linear &sum, unsigned depth) const;
  bool isAtLeastZeroByBounds(const Linear &sum) const;
  void assumeMultiple(Symbol symbol, int64_t divisor);

  tile::LaunchOp launch;
  Conditions given; ///< at the launch, in order: what is assumed first names what is equal
  std::map<Term, Symbol> terms;
  /// The first name of each sum: its constant, and its factors in order.
  std::map<std::pair<int64_t, std::vector<std::pair<Symbol, int64_t>>>, Symbol> sums;
  /// The first name of each window.
  std::map<WindowKey, Symbol> windows;
  std::vector<Term> definitions;
  mutable std::vector<Symbol> parents;
  /// What checks say of the representatives: at least this, and a multiple of this.
  llvm::DenseMap<Symbol, int64_t> atLeast, multiples;
  /// Representatives that are so many times another integer.
  struct Multiple {
    int64_t factor;
    Symbol of;
  };
  llvm::DenseMap<Symbol, Multiple> products;
  /// greater - less - by >= 0, as a check says.
  struct Difference {
    Symbol greater, less;
    int64_t by;
  };
  std::vector<Difference> differences;
  /// The values that a counter of a loop, or the number of a program, takes: from the first on, to less than the end.
  struct Range {
    Symbol first, end;
  };
  llvm::DenseMap<Symbol, Range> counters;
  llvm::DenseMap<mlir::Value, Symbol> numbered;
  /// What is not an expression of other integers.
  llvm::DenseMap<Symbol, mlir::Value> leaves;
};

} // namespace tegula
