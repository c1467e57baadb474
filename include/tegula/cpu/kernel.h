// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The headers that all generated CPU kernels include.

#ifndef TEGULA_CPU_KERNEL_H
#define TEGULA_CPU_KERNEL_H

#include "tegula/cpu/activations.h"
#include "tegula/cpu/bits.h"
#include "tegula/cpu/functions.h"
#include "tegula/cpu/identity.h"
#include "tegula/cpu/indirect.h"
#include "tegula/cpu/look_back.h"
#include "tegula/cpu/matrix.h"
#include "tegula/cpu/print.h"
#include "tegula/cpu/programs.h"
#include "tegula/cpu/races.h"
#include "tegula/cpu/reach.h"
#include "tegula/cpu/reduction.h"
#include "tegula/cpu/ref.h"
#include "tegula/cpu/rounding.h"
#include "tegula/cpu/scalar.h"
#include "tegula/cpu/sorting.h"
#include "tegula/cpu/tile.h"
#include "tegula/cpu/written.h"

#endif // TEGULA_CPU_KERNEL_H
