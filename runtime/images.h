// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which machine code runs where.

#ifndef TEGULA_RUNTIME_IMAGES_H
#define TEGULA_RUNTIME_IMAGES_H

#include "tegula/abi.h"

namespace tegula::runtime {

/// The best image for a GPU of this architecture (90 for sm_90), or null. Machine code goes before PTX. Code of sm_XYa
/// runs on XY alone; a cubin of sm_XY runs on the same X and the same or a higher Y; PTX runs on everything from its
/// architecture up. A GPU tests the code that a stub holds for others: `ptx_only` (TEGULA_PTX_ONLY=1 in the
/// environment) passes over machine code, and `max_arch` (TEGULA_MAX_ARCH=80) over code for newer architectures; 0 sets
/// no limit.
const abi::image *select_image(const abi::image *begin, const abi::image *end, int arch, bool ptx_only = false,
                               int max_arch = 0) noexcept;

/// "sm_90a cubin".
std::string to_string(const abi::image &code);

/// What to pass to tegulac for a GPU of this architecture: "sm_90a", "sm_86".
std::string target_for(int arch);

} // namespace tegula::runtime

#endif // TEGULA_RUNTIME_IMAGES_H
