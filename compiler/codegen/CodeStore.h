// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code of an earlier run, for kernels that have stayed the same: LLVM and ptxas take most of a run's time.
//
//   kernelsKey(LLVM IR, target)  ->  what LLVM made of it, as far as it is needed again
//   cubinKey(PTX, target)        ->  the cubins, with what ptxas told of them: pack
#pragma once

#include "codegen/Codegen.h"

#include "llvm/ADT/StringMap.h"

#include <optional>

namespace tegula::codegen {

/// What PTX depends on: the kernels, the target, and how this compiler goes through LLVM.
std::string kernelsKey(const LinkedKernels &kernels, const Target &target);

/// What the cubins of a part depend on: the PTX, the architecture, which ptxas it is, and how this compiler asks it and
/// reads what it tells. "" if there is no such program.
std::string cubinKey(const AssemblyJob &job, llvm::StringRef ptxas);

/// Cubins as one text, and back. Empty if it is none.
std::string pack(const Cubins &cubins);
Cubins unpackCubins(llvm::StringRef text);

class CodeStore {
public:
  /// What text() gave. Of anything else, nothing is taken.
  explicit CodeStore(llvm::StringRef text = {});

  /// What is kept under a key, or null.
  const std::string *find(llvm::StringRef key) const;
  void add(llvm::StringRef key, std::string code) { entries[key] = std::move(code); }
  /// All entries with their keys and checksums, in the order of the keys.
  std::string text() const;

private:
  llvm::StringMap<std::string> entries;
};

} // namespace tegula::codegen
