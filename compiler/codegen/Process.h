// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that this one runs, and that end with it.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tegula::codegen {

/// Runs a program to its end, without input; what it prints is in the file `log`. `arguments` begin with the program.
/// Its exit status, or one of these, with the reason.
inline constexpr int neverRan = -1, wasEnded = -2;
int runProgram(llvm::ArrayRef<llvm::StringRef> arguments, llvm::StringRef log, std::string &why);

/// From here on, a signal that asks this process to end also ends the programs that it runs, before files are removed
/// that these may write.
void endProgramsOnSignal();

} // namespace tegula::codegen
