// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What PTX calls atomic updates ("atom" and "red"), in global and in shared memory.
#pragma once

#include "lower/KernelLowering.h"

namespace tegula::lower {

/// A register that an instruction takes, and what inline assembly calls it.
struct AtomicWord {
  Type type;
  const char *constraint;
};

AtomicWord wordOfBits(mlir::OpBuilder &builder, unsigned bits);
/// Of an operation (operationOf) on elements that are in registers of this type.
AtomicWord wordOf(mlir::OpBuilder &builder, llvm::StringRef operation, Type type);

/// Where the elements of an update are (PTX ISA, "State Spaces"), and what inline assembly calls their addresses.
struct AtomicSpace {
  llvm::StringRef name;
  const char *constraint;
};
inline constexpr AtomicSpace globalSpace{".global", "l"}, ctaSpace{".shared::cta", "r"},
    clusterSpace{".shared::cluster", "r"};

/// `add.f32`: what the instruction says of operation and type; empty if there is none.
std::string operationOf(tile::Atomic kind, Type element);

} // namespace tegula::lower
