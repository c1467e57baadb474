// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints entries: what their callers include, and the functions themselves.
#pragma once

#include "stub/Body.h"
#include "stub/Kernels.h"

namespace tegula::stub {

/// A C++ name and the namespaces around it.
struct QualifiedName {
  /// Of "a::b::name" or "a.b.name".
  explicit QualifiedName(llvm::StringRef text);
  std::string text() const { return space.empty() ? name : space + "::" + name; }

  std::string space; ///< "a::b"; empty at the top.
  std::string name;
};

/// The C++ types of an entry's parameters and results: an array's own, of scalars the signed or unsigned one.
mlir::Type parameterTypeOf(tile::EntryOp entry, unsigned i);
mlir::Type resultTypeOf(tile::EntryOp entry, unsigned i);

/// The file that tegulac made what follows from.
void printNotice(Writer &out, const std::string &kernelSource);
/// A comment of the source, `marker` before each line.
void printDoc(Writer &out, std::optional<llvm::StringRef> doc, llvm::StringRef marker = "///");

/// What an entry looks like to its callers.
class Signature {
public:
  explicit Signature(tile::EntryOp entry);

  /// `buffer<float, 1> f(const array<const float, 1> &x, const stream &stream = {})`, with the default arguments or
  /// without.
  std::string declaration(bool withDefaults) const;
  QualifiedName name;
  QualifiedName resultStruct; ///< If the entry returns a struct.
  bool returnsStruct;         ///< Of one member or several.
  std::vector<std::string> resultTypes, resultNames;
  bool isVoid() const { return resultTypes.empty(); }

  std::vector<std::string> parameters; ///< Names of the entry's own.
  std::string device, stream;          ///< Names of the parameters that follow; `device` may be empty.
  Names names;                         ///< With those of the parameters taken.

private:
  std::vector<std::string> parameterTypes;
  std::vector<std::string> defaults; ///< " = 4"; empty for parameters without.
  std::vector<bool> isUnused;
};

/// What launches on the GPU find.
struct GpuCode {
  bool exists = false;
  std::string images;      ///< The image set's name.
  bool splitOnCpu = false; ///< Launches on the CPU run the plan, too.
};

mlir::LogicalResult printEntry(Writer &out, tile::EntryOp entry, const KernelNames &kernels, const GpuCode &gpu);

} // namespace tegula::stub
