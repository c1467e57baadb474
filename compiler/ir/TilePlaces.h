// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ops stand where: what the verifiers of functions say of all that is in them.
#pragma once

#include "ir/TileDialect.h"

namespace tegula::tile {

mlir::LogicalResult verifyPlaces(EntryOp entry);
mlir::LogicalResult verifyPlaces(KernelOp kernel);

} // namespace tegula::tile
