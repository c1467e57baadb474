// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a value is computed from, and computing it anew at another place.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace tegula {

/// A value at the builder's place, by clones of what computes it. `there` says what a value is at that place: null if
/// nothing, none if it is to be computed. `clones` has those that were made before, and takes the new ones. Null if
/// anything that it is made of cannot be there.
mlir::Value cloneExpression(mlir::OpBuilder &builder, mlir::Value value, mlir::IRMapping &clones,
                            llvm::function_ref<std::optional<mlir::Value>(mlir::Value)> there);

/// Whether a value is, or is computed from, another one: through operands, those inside of its regions included.
bool dependsOn(mlir::Value value, mlir::Value other);

} // namespace tegula
