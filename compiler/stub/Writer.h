// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines of C++: indented, wrapped as clang-format would, with `#line` where they stand for lines of the kernel source.
#pragma once

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace tegula::stub {

/// A position in a source file.
struct Position {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
};

/// Where an op stands in the source: the innermost position first, then those that it was inlined at.
std::vector<Position> positionsOf(mlir::Location location);

class Writer {
public:
  /// Without `lineDirectives` there is no `#line` and every line belongs to the generated file.
  explicit Writer(bool lineDirectives) : lineDirectives(lineDirectives) {}

  /// The lines that follow stand for this one of the kernel source, until `generated`. An unknown location changes
  /// nothing.
  void at(mlir::Location location);
  /// The lines that follow are the generated file's own.
  void generated();

  /// One statement or declaration.
  void line(const std::string &text);
  /// `head {`, and what follows is indented.
  void open(const std::string &head);
  void close(const std::string &tail = "");
  /// `} else {`.
  void reopen(const std::string &between);
  void blank();
  /// Text of several lines as it is, not indented.
  void verbatim(std::string text);

  /// The place of the next line; what is inserted there later is the generated file's own.
  size_t position() const { return lines.size(); }
  void insert(size_t position, const std::string &text);
  /// Whether any line since a position contains the text.
  bool mentionsSince(size_t position, llvm::StringRef text) const;

  /// The whole text. `fileName` is what `#line` calls it.
  std::string finish(llvm::StringRef fileName) const;

private:
  struct Line {
    std::string text;
    std::optional<Position> source; ///< Of the kernel; without it, any line will do.
    bool isGenerated;
  };
  void add(std::string text);
  /// A line that no line of the kernel source stands behind.
  void anywhere(const std::string &text);

  bool lineDirectives;
  unsigned depth = 0;
  bool isGenerated = true;
  std::optional<Position> source;
  std::vector<Line> lines;
};

} // namespace tegula::stub
