// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalar arithmetic of the IR as C++ expressions with the same meaning, overflow and division by zero included.
#pragma once

#include "stub/Expr.h"
#include "stub/HostRanges.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace tegula::stub {

/// Which side the code runs on. On the host, what a signed integer cannot hold throws, as does a division by zero, and
/// says of which entry and line; where neither is possible, as `ranges` tell, an operation is a plain operator. In a
/// program integers wrap wherever they might be more than an index, and a division by zero gives 0.
enum class Side { Host, Program };

/// The expression of a constant or of an `arith` op; none for what is not scalar arithmetic. `use` gives an operand.
std::optional<Expr> scalarExpr(mlir::Operation *op, Side side, HostRanges &ranges,
                               llvm::function_ref<Expr(mlir::Value)> use);

/// The entry of an op and its line, for messages at run time.
std::string whereaboutsOf(mlir::Operation *op);

/// A choice, as && or || where one side is constant.
Expr choice(const Expr &condition, const Expr &ifTrue, const Expr &ifFalse, mlir::Type type);

} // namespace tegula::stub
