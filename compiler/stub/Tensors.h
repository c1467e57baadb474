// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entries as functions of tensors whose types are known at run time: what PyTorch operators (Torch.h) and C functions
// over DLPack tensors (CAbi.h) share. Entries of one name and one schema are one function, which calls the entry whose
// arrays have the tensors' types. Entries of one name and different schemas are its overloads.
#pragma once

#include "stub/Host.h"

#include <functional>
#include <string>
#include <vector>

namespace tegula::stub {

enum class ScalarKind { boolean, integer, floating };
ScalarKind kindOf(mlir::Type scalar);

/// What an entry takes.
struct TensorParameter {
  std::string name;        ///< The entry's, unique among its parameters.
  std::string publicName;  ///< What callers and messages call it.
  std::string argument;    ///< The C++ expression of what is given.
  tile::ArrayType array;   ///< Of an array, or a list of them; else
  mlir::Type scalar;       ///< its C++ type.
  bool isOptional = false; ///< An optional array.
  mlir::Attribute value;   ///< The default of a scalar, if it has one.

  bool isList() const { return array && array.getIsTable(); }
};

struct TensorEntry {
  explicit TensorEntry(tile::EntryOp entry);

  mutable tile::EntryOp entry; ///< A handle, whose members are not const.
  Signature signature;
  std::vector<TensorParameter> parameters;
  std::string name;   ///< Of the function.
  std::string schema; ///< What tells overloads apart.
};

/// One function, or one overload of it.
struct TensorFunction {
  llvm::SmallVector<const TensorEntry *> entries;
  std::string name; ///< Of an overload after the first, with its parameters.
};

/// The functions of some entries, in their order. Fails with an error for entries that no call could tell apart.
/// `interface` is what messages call a function; `separator` is what follows the name of an overload.
mlir::FailureOr<std::vector<TensorFunction>> functionsOf(llvm::ArrayRef<TensorEntry> entries, llvm::StringRef interface,
                                                         llvm::StringRef separator);

/// `float, 2`, as `array<float, 2>` is written; of a list, what its arrays are.
std::string kindArguments(tile::ArrayType array, bool withConst);

/// A default as Python writes it: `True`, `-3`, `1e-05`. None of a number that is not finite, nor of an integer of more
/// than 63 bits, nor of a stored element.
std::optional<std::string> pythonDefault(mlir::Attribute value, mlir::Type type);

/// What a function does once it is known which of its entries takes the tensors.
using PrintsEntry = std::function<void(const TensorEntry &entry)>;

/// Calls `print` for the entry; of several, inside of an `if` for each, and refuses tensors that none of them takes.
/// `space` is the namespace of what that is written in, `first` its function for the first tensor of a list.
void printChoice(Writer &out, llvm::ArrayRef<const TensorEntry *> entries, Names &names, const std::string &callName,
                 const std::string &space, const PrintsEntry &print);

/// Calls an entry, and calls `give` with the C++ expression of each result.
void printEntryCall(Writer &out, const TensorEntry &entry, Names &names, llvm::ArrayRef<Expr> arguments,
                    llvm::function_ref<void(llvm::ArrayRef<std::string> results)> give);

} // namespace tegula::stub
