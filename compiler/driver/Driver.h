// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One run of tegulac.
#pragma once

#include "driver/Options.h"

namespace tegula::driver {

/// Compiles as told, and writes all outputs or none. The result is tegulac's exit status.
ExitCode run(const Options &options);

} // namespace tegula::driver
