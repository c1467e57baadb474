// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What C++ objects and expressions are while a program is imported.
//
// A C++ object is a tree of `Object`s whose leaves are scalars, tiles, refs, arrays of the host and functions. A leaf
// that the program never changes is bound to its value, which may be a constant; one that it may change is a variable.
// An expression gives the value of a leaf (`Leaf`), or a `Place`: an object, or a window of global memory.
#pragma once

#include "mlir/IR/Value.h"

#include "clang/AST/Type.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/SmallVector.h"

#include <variant>

namespace clang {
class FunctionDecl;
class StringLiteral;
} // namespace clang

namespace tegula::frontend {

/// The value of a scalar, tile, ref, array, function or string. Empty: its expression is in error, which was reported.
class Leaf {
public:
  Leaf() = default;
  Leaf(mlir::Value value) {
    if (value)
      content = value;
  }
  Leaf(llvm::APSInt constant) : content(std::move(constant)) {}
  Leaf(llvm::APFloat constant) : content(std::move(constant)) {}
  /// A constant of s64.
  static Leaf number(int64_t value) { return llvm::APSInt(llvm::APInt(64, value, /*isSigned=*/true), false); }
  Leaf(const clang::FunctionDecl *function) : content(function) {}
  Leaf(const clang::StringLiteral *text) : content(text) {}

  explicit operator bool() const { return !std::holds_alternative<std::monostate>(content); }
  const llvm::APSInt *integer() const { return std::get_if<llvm::APSInt>(&content); }
  const llvm::APFloat *floating() const { return std::get_if<llvm::APFloat>(&content); }
  bool isConstant() const { return integer() || floating(); }
  mlir::Value value() const {
    const auto *value = std::get_if<mlir::Value>(&content);
    return value ? *value : mlir::Value();
  }
  const clang::FunctionDecl *function() const {
    const auto *function = std::get_if<const clang::FunctionDecl *>(&content);
    return function ? *function : nullptr;
  }
  const clang::StringLiteral *text() const {
    const auto *text = std::get_if<const clang::StringLiteral *>(&content);
    return text ? *text : nullptr;
  }

private:
  std::variant<std::monostate, llvm::APSInt, llvm::APFloat, mlir::Value, const clang::FunctionDecl *,
               const clang::StringLiteral *>
      content;
};

struct Object;

/// A window of memory that `ref[...]` names: reading it loads, assigning it stores.
struct Window {
  mlir::Value ref;
  /// Where `newaxis` inserts dimensions of extent 1, as positions in the tile that is loaded.
  llvm::SmallVector<int64_t, 2> newAxes;
};

/// What a glvalue designates. Empty: the expression is in error, which was reported.
struct LValue {
  Object *object = nullptr;
  Window window;

  LValue() = default;
  LValue(Object *object) : object(object) {}
  LValue(Window window) : window(std::move(window)) {}
  explicit operator bool() const { return object || window.ref; }
};

/// How `tg::in`, `out` and `inout` cut an array into blocks.
struct Spec;
// Of the explicit level (Explicit.h).
struct Barriers;
struct Allocations;
struct Pipeline;

/// A C++ object, or a part of one.
struct Object {
  /// Without qualifiers.
  clang::QualType type;
  /// The value of a leaf that is bound.
  Leaf leaf;
  /// The variable of a leaf that the program may change.
  mlir::Value variable;
  /// Its leaves are, or become, variables.
  bool isMutable = false;
  /// The index of a loop that is unrolled: changed while the program is imported, and only where that loop is.
  bool isUnrolled = false;
  mlir::Block *home = nullptr;
  /// An array that the caller left out, in the launch that is compiled without it.
  bool isAbsent = false;
  /// A part of an accumulator, which is only read.
  bool isPart = false;
  /// What acc.at(...) names: the accumulator, and the row and column where the part of it begins.
  Object *accumulator = nullptr;
  int64_t row = 0, column = 0;
  /// Its initialiser is in error, which was reported.
  bool isPoisoned = false;
  /// Bases and fields of a class, captures of a lambda, elements of an array; the coordinates of tg::index, the start
  /// and the size of tg::ds.
  llvm::SmallVector<Object *, 4> parts;
  /// What a member of reference type refers to.
  LValue referent;
  const Spec *spec = nullptr;
  /// Of a barrier or of a barrier_ref, whose one part is the index.
  Barriers *barriers = nullptr;
  Allocations *allocations = nullptr;
  /// Of shared memory, the arrangement that its declaration pins, 0 if none.
  int64_t swizzle = 0;
  /// What a compute thread calls.
  Pipeline *pipeline = nullptr;
};

} // namespace tegula::frontend
