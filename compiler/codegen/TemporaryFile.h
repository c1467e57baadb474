// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that nobody finds after a run, however it ends.
#pragma once

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <system_error>

namespace tegula::codegen {

/// An empty file under a name that no file had. It is removed with this object, or by a signal that ends the process,
/// unless it was moved to where it belongs.
class TemporaryFile {
public:
  /// In the folder for such files.
  explicit TemporaryFile(llvm::StringRef suffix);
  /// In the folder of `path`, which it may replace.
  static TemporaryFile beside(llvm::StringRef path);

  TemporaryFile(TemporaryFile &&other) noexcept;
  TemporaryFile &operator=(TemporaryFile &&) = delete;
  ~TemporaryFile();

  std::error_code getError() const { return error; }
  llvm::StringRef getPath() const { return path; }

  std::error_code write(llvm::StringRef text);
  std::string read() const;
  /// Makes it the file of this name, in one step.
  std::error_code moveTo(llvm::StringRef place);

private:
  TemporaryFile() = default;
  void make(llvm::StringRef prefix, llvm::StringRef suffix);
  void forget();

  /// "" if there is none, or no more.
  llvm::SmallString<128> path;
  std::error_code error;
};

} // namespace tegula::codegen
