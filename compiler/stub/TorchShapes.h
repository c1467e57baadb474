// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shapes of an entry's results as C++ over c10::SymInt: what torch.compile needs to compile a graph once for many
// sizes. Where the host part does more than arithmetic with extents and scalars, there are none, and PyTorch compiles
// the graph again for each size.
#pragma once

#include "ir/TileDialect.h"

#include <optional>
#include <string>
#include <vector>

namespace tegula::stub {

struct Shapes {
  struct Check {
    std::string condition; ///< A c10::SymBool.
    std::string message;
    std::vector<std::string> numbers; ///< For each {} of the message.
  };
  /// The checks of the entry that have a form; the others are left to the call itself.
  std::vector<Check> checks;
  /// Of each result the extents.
  std::vector<std::vector<std::string>> results;
};

/// Of an entry whose parameters are called `names`, "" for those that no expression may use. None if a shape has no
/// form, or a result is no array.
std::optional<Shapes> shapesOf(tile::EntryOp entry, llvm::ArrayRef<std::string> names);

} // namespace tegula::stub
