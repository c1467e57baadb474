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

/// `add.f32`: what the instruction says of operation and type; empty if there is none.
std::string operationOf(tile::Atomic kind, Type element);

} // namespace tegula::lower
