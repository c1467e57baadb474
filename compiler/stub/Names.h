// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Identifiers that are unique where they are visible.
#pragma once

#include "mlir/IR/Value.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <string>
#include <vector>

namespace tegula::stub {

/// Makes a C++ identifier of any text: what C++ does not allow becomes `_`, keywords and reserved names change.
std::string identifier(llvm::StringRef text);
/// Whether C++ takes the text as a name as it is, letters beyond ASCII included.
bool isIdentifier(llvm::StringRef text);

/// The names in use, in nested blocks. A name is free again after its block, and never hides one outside.
class Names {
public:
  /// While it lives, names belong to an inner block.
  class Block {
  public:
    explicit Block(Names &names) : names(names), depth(names.inOrder.size()) {}
    Block(const Block &) = delete;
    Block &operator=(const Block &) = delete;
    ~Block() { names.dropTo(depth); }

  private:
    Names &names;
    size_t depth;
  };

  /// `hint` if it is free, else hint_2, hint_3...
  std::string unique(llvm::StringRef hint);
  /// What the source calls a value, else v0, v1...
  std::string forValue(mlir::Value value, llvm::StringRef otherwise = "");

  /// Whether a variable named after a hint would get another name.
  bool isTaken(llvm::StringRef hint) const { return used.contains(identifier(hint)); }
  /// Frees names of the innermost block.
  void release(llvm::ArrayRef<std::string> free);

private:
  void dropTo(size_t depth);

  llvm::StringSet<> used;
  std::vector<std::string> inOrder;
};

/// The constants that hold the names of source files, for messages.
class SourceFiles {
public:
  /// Takes a name for the file, if it has none.
  void add(llvm::StringRef file, Names &names);
  /// The constant's name, which is in use from now on.
  std::string use(llvm::StringRef file);
  /// `constexpr const char *kernels_cpp = "kernels.cpp";` for those in use.
  std::vector<std::string> declarations() const;

private:
  struct File {
    std::string path, constant;
    bool isUsed;
  };
  std::vector<File> files;
};

} // namespace tegula::stub
