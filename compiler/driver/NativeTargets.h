// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The architectures of this machine's GPUs: --arch native.
#pragma once

#include "support/Target.h"

#include <string>
#include <vector>

namespace tegula::driver {

/// The targets whose code runs on the GPUs that the driver lists. Where there are none, `why` says what to do.
std::vector<const Target *> nativeTargets(std::string &why);

/// The target for a chip of a compute capability, 90 for 9.0: its own, else the latest whose PTX runs on it. Null if
/// there is none.
const Target *targetFor(int capability);

} // namespace tegula::driver
