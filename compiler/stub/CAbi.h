// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C functions of entries over DLPack tensors: their header, in C99, and the C++ that defines them, over tegula/c_abi.h.
// include/tegula/dlpack_c.h says how an entry's parameters and results become those of its function.
//
// Entries of one name and one schema are one function, which calls the entry whose arrays have the tensors' types. The
// other overloads of a name are called by their parameters, too: `scale_x_factor`. Namespaces are part of names:
// a::scale is `a_scale`.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LogicalResult.h"

#include <string>

namespace tegula::stub {

struct CAbiOptions {
  /// The kernel source, as comments name it.
  std::string kernelSource;
  /// How the generated source includes the stub's header, and its own.
  std::string headerName, cHeaderName;
  /// How the names of all functions begin.
  std::string prefix;
};

struct CAbi {
  std::string header;
  std::string source;
};

/// Two files, the source to be compiled with the stub of the same module. Fails with an error for each entry that would
/// have the name of another function.
mlir::FailureOr<CAbi> printCAbi(mlir::ModuleOp module, const CAbiOptions &options);

} // namespace tegula::stub
