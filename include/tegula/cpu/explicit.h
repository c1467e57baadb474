// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The headers for generated CPU kernels of the explicit level: warpgroups that synchronize, shared memory, asynchronous
// copies and matrix products that complete late.

#ifndef TEGULA_CPU_EXPLICIT_H
#define TEGULA_CPU_EXPLICIT_H

#include "tegula/cpu/explicit/accumulator.h"
#include "tegula/cpu/explicit/launch.h"
#include "tegula/cpu/explicit/thread.h"
#include "tegula/cpu/explicit/window.h"

#endif // TEGULA_CPU_EXPLICIT_H
