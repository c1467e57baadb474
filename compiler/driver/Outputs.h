// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that appear whole or not at all.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tegula::driver {

/// Collects what a run produces and writes it at the end: each file beside its place first, then all are moved there.
/// Links are followed, and stay. What is no file (a pipe, a device, /dev/stdout whatever that is) is written to. A file
/// that is replaced keeps its mode; one that is not to be written to is an error.
class Outputs {
public:
  /// "-" is the standard output.
  void add(std::string path, std::string contents) { files.push_back({std::move(path), std::move(contents)}); }
  /// A file whose name tegulac chose: it replaces none that tegulac did not write, whose files begin with `notice`.
  void addOwn(std::string path, std::string contents, std::string notice) {
    notices[path] = std::move(notice);
    add(std::move(path), std::move(contents));
  }
  /// A file of somebody else's that one of them would replace, if there is one.
  std::optional<std::string> foreignFile() const;

  /// Whether one of the files is this one.
  bool replace(llvm::StringRef path) const;
  /// The name of two files, if there are such.
  std::optional<std::string> nameOfTwo() const;

  /// After an error no file is there that was not there before.
  /// With `keepUnchanged`, files that hold their contents already keep their time.
  llvm::Error write(bool keepUnchanged) const;

private:
  std::vector<std::pair<std::string, std::string>> files;
  /// By path.
  std::map<std::string, std::string> notices;
};

/// Whether rules of make and ninja have a way to say the name of a file.
bool canBeInRule(llvm::StringRef path);
/// `targets: dependencies` for make and ninja. With `hasPhonyTargets`, a rule without a command follows for each
/// dependency but the first, the source: make then goes on where a header was deleted.
std::string dependencyRule(const std::vector<std::string> &targets, const std::vector<std::string> &dependencies,
                           bool hasPhonyTargets);

} // namespace tegula::driver
