// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chained products (FindChain.h) on Hopper's tensor cores, in the order of FlashAttention-3 (J. Shah et al., section
// 3). While the tensor cores multiply for one step, a consumer computes on the products of the next. The loop over
// steps
//   s = q k[i];  w = f(s);  o = w v[i] + g(o)
// becomes
//   s = q k[0];  w = f(s)
//   for i from 1:  begin s = q k[i];  begin o = w v[i - 1] + o             // wgmma, both in flight
//                  wait for s;  reduce its rows;  wait for o;  w = f(s);  o = g(o)
//   o = w v[last] + o
// An op of a step belongs to the phase before, between or after the two waits, by what it depends on (ChainPhases.h).
// The weights w stay in registers, q in shared memory. A producer copies each right factor through a ring of its own,
// ahead; RoleResources.h decides stages and registers. Steps that need no masks have a loop without.
#pragma once

#include "transforms/products/RoleResources.h"

namespace tegula {

/// Rewrites a kernel for consumers.
void specializeChain(tile::KernelOp kernel, const Mainloop &mainloop, const RoleResources &resources);

} // namespace tegula
