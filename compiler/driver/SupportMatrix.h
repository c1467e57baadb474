// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each architecture has, from the table of targets: --support-matrix.
#pragma once

#include <string>

namespace tegula::driver {

/// A table in Markdown: a row for each feature, a column for each architecture.
std::string supportMatrix();

} // namespace tegula::driver
