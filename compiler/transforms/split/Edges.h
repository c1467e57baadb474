// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula::split {

/// Two copies of a program stand in the branches, one for full sub-tiles and one for those at an edge. What differs
/// are windows, and so loads and stores: where the rest is long, it is taken out, and there is one copy of it,
///
///   if full { A: loads, computes, stores } else { B }
///   ->  if full { loads of A } else { loads of B };  computes;  if full { stores of A } else { stores of B }
///
/// Long code takes LLVM and ptxas long. Programs that compute in loops or branches are left alone.
void shareComputation(mlir::scf::IfOp copies);

} // namespace tegula::split
