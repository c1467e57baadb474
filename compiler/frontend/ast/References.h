// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What constant references designate.
#pragma once

#include "frontend/Importer.h"

namespace tegula::frontend {

/// A constant that has a name, a temporary that lives as long as the reference, or a part of one of them.
LValue designatedBy(Importer &importer, const clang::APValue &reference, clang::SourceLocation where);

} // namespace tegula::frontend
