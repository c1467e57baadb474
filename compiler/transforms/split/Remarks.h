// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What splitting decided, in the author's words (-Rsplit).
#pragma once

#include "transforms/split/Domain.h"

namespace tegula::split {

/// Remarks at a launch: how its stores are cut, and what keeps a dimension from being spread.
void remark(const Program &program);

} // namespace tegula::split
