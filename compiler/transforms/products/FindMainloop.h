// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the loop of products that tensor cores can run, or what is in the way of one.
#pragma once

#include "transforms/products/Mainloop.h"

#include <string>

namespace tegula {

/// What is in the way of products that stand in different loops.
inline constexpr char severalLoops[] =
    "the program has several products, which are not summed by one loop: sum them in one, of which steps that need no "
    "mask do without by themselves, or give each a launch of its own";

/// And in loops of loops.
inline constexpr char innerLoop[] = "the loop of the product is inside of another loop";

/// The loop of a kernel for the consumers of a CTA, if tensor cores can run it on what TMA copies, or with mma.sync
/// anything does: what they read beyond the edges changes nothing that is stored. Else `obstacle` says what is in the
/// way.
std::optional<Mainloop> findMainloop(tile::KernelOp kernel, std::string &obstacle);

} // namespace tegula
