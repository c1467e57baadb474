// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of tile.inline_ptx: instructions of PTX in which $0 is the result and $1, $2... are operands.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace tegula::tile {

/// What is wrong with a text, as the end of "the text ..."; nothing, if LLVM and the code around it can take it. What
/// the instructions are, ptxas finds out.
std::optional<std::string> flawOfPtx(llvm::StringRef text, unsigned operands);

/// The same instructions on one line, without comments: what stands at the start of a line of PTX is then never part of
/// a text.
std::string onOneLine(llvm::StringRef text);

/// Whether `line` holds the instructions of a text, on one line, in which registers have taken the places of $0, $1...
bool isPtxOf(llvm::StringRef line, llvm::StringRef text);

} // namespace tegula::tile
