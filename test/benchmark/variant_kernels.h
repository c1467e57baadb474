// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The samples' kernels of rows, in one namespace for each set of variants that they are compiled with.
#pragma once

#include <tegula/tegula.h>

namespace TEGULA_VARIANTS {
namespace softmaxes {
#include "softmax/kernels.cpp"
}
namespace norms {
#include "norms/forward.cpp"
}
} // namespace TEGULA_VARIANTS
