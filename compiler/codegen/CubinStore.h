// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cubins of an earlier run, for those kernels whose PTX has stayed the same: ptxas takes most of a run's time.
#pragma once

#include "codegen/Codegen.h"

#include "llvm/ADT/StringMap.h"

namespace tegula::codegen {

/// What a cubin depends on: the PTX, the architecture and which ptxas it is. "" if there is no such program.
std::string cubinKey(const AssemblyJob &job, llvm::StringRef ptxas);

class CubinStore {
public:
  /// What text() gave. Of anything else, nothing is taken.
  explicit CubinStore(llvm::StringRef text = {});

  /// The image under a key, or null.
  const std::string *find(llvm::StringRef key) const;
  void add(llvm::StringRef key, std::string image) { images[key] = std::move(image); }
  /// All images with their keys and checksums, in the order of the keys.
  std::string text() const;

private:
  llvm::StringMap<std::string> images;
};

} // namespace tegula::codegen
