// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One run of tegulac.
#pragma once

#include "driver/Options.h"

namespace tegula::driver {

/// Compiles as told, and writes all outputs or none. The process ends here, with tegulac's exit status: what is in
/// memory goes with it.
[[noreturn]] void runAndExit(const Options &options);

} // namespace tegula::driver
