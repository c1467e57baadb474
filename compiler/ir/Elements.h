// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler's view of the table of element types (include/tegula/elements.def).
//
// Elements for which MLIR has no type are `tile.stored`. Elements of 4 bits are packed to bytes in arrays, and in what
// TMA copies of these. In registers each is a byte: loads and stores unpack and pack them (lower/Packed.h).
#pragma once

#include "mlir/IR/BuiltinTypes.h"

#include <span>

namespace tegula {

struct Element {
  enum class Kind { boolean, signed_integer, unsigned_integer, floating, stored };

  /// In the language: "bool", "bf16".
  llvm::StringLiteral name;
  Kind kind;
  unsigned bits;
  /// In generated code: "std::int8_t", "tegula::bf16".
  llvm::StringLiteral cxx;

  /// Of what tensor cores multiply.
  bool isFloat() const { return kind == Kind::floating || kind == Kind::stored; }
  /// The type of an element: integers are signless, or unsigned; tile.stored where MLIR has none.
  mlir::Type type(mlir::MLIRContext *context) const;
};

std::span<const Element> elements();

/// The element that a type stands for; null if nothing holds such.
const Element *elementOf(mlir::Type type);

/// Whether it has no arithmetic of its own.
bool isStored(mlir::Type type);

/// Whether arrays hold two in a byte.
bool isPacked(mlir::Type type);

/// Whether it is a stored one that is multiplied: a float of 8 bits.
bool isFloat8(mlir::Type type);

/// The element of this name in the language; null if there is none.
const Element *findElement(llvm::StringRef name);

} // namespace tegula
