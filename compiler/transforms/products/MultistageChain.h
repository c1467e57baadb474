// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chained products (FindChain.h) by mma.sync. A step has two parts, the first products and the last ones. All threads
// of a CTA copy the right factors of a part, while they multiply and compute those before:
//   copy what the left factors of the first products are, and the right factors of the first parts
//   for step:
//     wait for the copies of part 1; begin those of a later part, in the place of the part before
//     s = mma slices of q and k
//     wait for the copies of part 2; begin those of a later part
//     w = f(s);  o = mma slices of w and v, acc g(o)
// Each warp has whole rows of all products: it reduces them alone, and what it makes of the first products lies in its
// registers as the last ones take it.
#pragma once

#include "transforms/products/Mainloop.h"

namespace tegula {

/// How many steps the ring of such a kernel holds; 0 if there is no room for one.
int64_t stagesOfChainForWarps(const Mainloop &mainloop, int64_t consumers, int64_t sharedBytes);

/// Rewrites a kernel for consumers, whose factors cp.async can copy. Its CTA has `sharedBytes`.
void makeMultistageChain(tile::KernelOp kernel, const Mainloop &mainloop, int64_t sharedBytes);

} // namespace tegula
