// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chained products: loops whose products are made of other products of the same step, as those of attention are.
//   for k: s = dot q, load k[k]
//          ... a softmax, step by step
//          o = dot weights, load v[k] acc o * correction
// SpecializeChain.h runs them by wgmma, MultistageChain.h by mma.sync; ChainSteps.h has what both compute beside the
// products. A step is written with masks and without: StepGuards.h says from comparisons of positions which steps need
// none, so that causal attention has masks for the last keys alone. layouts/SkipScales.cpp lets a warp leave out
// corrections by exp(0), which most steps of a softmax have.
#pragma once

#include "transforms/products/FactorFinder.h"
#include "transforms/products/Mainloop.h"

namespace tegula {

/// Whether the left factor of one of these products, of one loop, is made of another one.
bool areChained(llvm::ArrayRef<tile::DotOp> dots);

/// Whether the left factor of a product is made of none of these.
bool isFirstOfChain(tile::DotOp dot, llvm::ArrayRef<tile::DotOp> dots);

/// The product before to which nothing but this one, both first, is added: one accumulator does for both.
tile::DotOp continuedBy(tile::DotOp dot, llvm::ArrayRef<tile::DotOp> dots);

/// Moves out of such loops of a kernel what is the same in all steps, loads included. Products that others are made of
/// begin at zero.
void prepareChains(tile::KernelOp kernel);

/// Completes a mainloop, whose loops are known, by its products, which are chained. False, with an obstacle, if
/// consumers of wgmma cannot run it.
bool findChain(tile::KernelOp kernel, Mainloop &found, llvm::ArrayRef<tile::DotOp> dots, FactorFinder &factors,
               std::string &obstacle);

} // namespace tegula
