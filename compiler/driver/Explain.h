// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the codes of messages mean: --explain.
#pragma once

#include "driver/Options.h"

namespace tegula::driver {

/// Prints what a code means, as it stands behind a message, "tegula-pointer", "pointer" or "-Wspill"; "errors" and
/// "warnings" list all of them. invalidOptions if there is no such code.
ExitCode explain(const std::string &code);

} // namespace tegula::driver
