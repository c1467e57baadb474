// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PyTorch operators of entries: the C++ that registers them, over tegula/torch.h.
//
// Entries of one name and one schema are one operator, which takes the entry whose arrays have the tensors' types.
// Entries of one name and different parameters are its overloads: the first has no name, the others are called by their
// parameters, `scale.x_factor`.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LogicalResult.h"

#include <string>

namespace tegula::stub {

struct TorchOptions {
  /// The kernel source, as comments name it.
  std::string kernelSource;
  /// How the generated source includes the stub's header.
  std::string headerName;
  /// The operators are torch.ops.<space>.<entry>.
  std::string space;
};

/// A file to be compiled with the stub of the same module. Fails with an error for each entry that PyTorch cannot have.
mlir::FailureOr<std::string> printTorch(mlir::ModuleOp module, const TorchOptions &options);

} // namespace tegula::stub
