// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products by mma.sync: the program that one would write for chips with cp.async and without TMA, from 8.x on. The
// kernel is one for consumers, marked `mma_sync`, and has no producer. All threads of a CTA copy what the next steps
// multiply into a ring of stages in shared memory (tile.cp_async), while they multiply what came before:
//   begin the copies of the first stages; wait for the first one; load its first slice
//   for step: for slice of 32 bytes of it:
//     load the next slice into registers (ldmatrix); after a stage's last slice, the first one of the next stage, for
//       which the threads wait first
//     after the first slice: begin the copy of a later stage, where all threads have read what was there
//     for product: acc = mma this slice, of factors as they are loaded or as registers compute them
// A step of the program may take several stages. The warps of a consumer share its result (layout/MmaLayouts.h), from
// which the layouts of both factors follow. A transposition of a computed factor becomes one of what is loaded
// (SinkTranspositions.h).
//
// Factors that cp.async cannot copy are loaded into registers instead, a stage earlier, and stored when the stage has
// been multiplied whose place they take. On 7.5, which has no cp.async, all factors go this way, of f16 and by
// instructions of half the depth.
#pragma once

#include "transforms/products/Mainloop.h"

namespace tegula {

/// Rewrites the loop of a kernel for consumers. Each of them has registers of its own, and all copy. The ring takes at
/// most `sharedBytes`.
void makeMultistage(tile::KernelOp kernel, const Mainloop &mainloop, int64_t sharedBytes);

} // namespace tegula
