// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/TemporaryFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <utility>

namespace tegula::codegen {

TemporaryFile::TemporaryFile(llvm::StringRef suffix) {
  llvm::SmallString<128> prefix;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, prefix);
  llvm::sys::path::append(prefix, "tegula-");
  make(prefix, suffix);
}

TemporaryFile TemporaryFile::beside(llvm::StringRef path) {
  TemporaryFile file;
  file.make((path + ".").str(), "tmp");
  return file;
}

TemporaryFile::TemporaryFile(TemporaryFile &&other) noexcept : path(other.path), error(other.error) {
  other.path.clear();
}

TemporaryFile::~TemporaryFile() {
  if (path.empty())
    return;
  llvm::sys::fs::remove(path);
  forget();
}

/// LLVM makes such names of patterns, in which a '%' of the folder's name would count as well.
void TemporaryFile::make(llvm::StringRef prefix, llvm::StringRef suffix) {
  constexpr int mostTries = 128;
  for (int i = 0; i < mostTries; ++i) {
    std::string number = llvm::utohexstr(llvm::sys::Process::GetRandomNumber(), /*LowerCase=*/true, /*Width=*/8);
    path = (prefix + llvm::StringRef(number).take_back(8) + "." + suffix).str();
    int file = 0;
    error = llvm::sys::fs::openFileForWrite(path, file, llvm::sys::fs::CD_CreateNew);
    if (error == std::errc::file_exists)
      continue;
    if (error)
      break;
    llvm::sys::RemoveFileOnSignal(path);
    error = llvm::sys::Process::SafelyCloseFileDescriptor(file);
    return;
  }
  path.clear();
}

void TemporaryFile::forget() {
  llvm::sys::DontRemoveFileOnSignal(path);
  path.clear();
}

std::error_code TemporaryFile::write(llvm::StringRef text) {
  llvm::raw_fd_ostream stream(path, error);
  if (!error) {
    stream << text;
    stream.close();
    error = stream.error();
  }
  stream.clear_error();
  return error;
}

std::string TemporaryFile::read() const {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

std::error_code TemporaryFile::moveTo(llvm::StringRef place) {
  error = llvm::sys::fs::rename(path, place);
  if (!error)
    forget();
  return error;
}

} // namespace tegula::codegen
