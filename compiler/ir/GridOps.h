// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops of the explicit level that are about all blocks of a launch: how these synchronize (TileSemaphores.td),
// and what their threads note (TileTrace.td). Few files need them: a header of their own spares all others.
#pragma once

#include "ir/TileDialect.h"

#define GET_OP_CLASSES
#include "ir/TileGridOps.h.inc"
