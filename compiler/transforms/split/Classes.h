// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One plan for each class of architectures: a launch is split once for each record of a class (support/Target.h), and
// its plan then chooses by the class of the code that the device loads. Kernels that come out alike are one.
#pragma once

#include "ir/TileDialect.h"
#include "support/Target.h"

namespace tegula::split {

/// Classes for which a launch is split alike.
using ClassGroup = llvm::SmallVector<const ArchClass *, 2>;

/// Adds to a launch the plans that `split` adds for each group to a launch like it.
mlir::LogicalResult
planByClass(tile::LaunchOp launch, llvm::ArrayRef<ClassGroup> groups,
            llvm::function_ref<mlir::LogicalResult(tile::LaunchOp launch, const ClassGroup &group)> split);

} // namespace tegula::split
