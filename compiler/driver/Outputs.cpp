// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/Outputs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tegula::driver {

static Error cannotWrite(StringRef path, std::error_code why) {
  return createStringError(why, "cannot write " + path + ": " + why.message());
}

static Error writeAll(const sys::fs::TempFile &file, StringRef path, StringRef contents) {
  raw_fd_ostream stream(file.FD, /*shouldClose=*/false);
  stream << contents;
  stream.flush();
  if (std::error_code why = stream.error()) {
    stream.clear_error();
    return cannotWrite(path, why);
  }
  return Error::success();
}

/// What cannot be replaced whole: the standard output, a device, a pipe.
static bool isStream(StringRef path) {
  sys::fs::file_status status;
  return path == "-" || (!sys::fs::status(path, status) && !sys::fs::is_regular_file(status));
}

bool Outputs::replace(StringRef path) const {
  return llvm::any_of(files, [&](const auto &file) {
    bool isSame = false;
    return file.first != "-" && !sys::fs::equivalent(file.first, path, isSame) && isSame;
  });
}

std::optional<std::string> Outputs::nameOfTwo() const {
  for (auto at = files.begin(); at != files.end(); ++at)
    for (const auto &other : llvm::make_range(std::next(at), files.end()))
      if (at->first == other.first && !isStream(other.first))
        return other.first;
  return std::nullopt;
}

/// Whether the file is there with these contents.
static bool holds(StringRef path, StringRef contents) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(path);
  return file && (*file)->getBuffer() == contents;
}

Error Outputs::write(bool keepUnchanged) const {
  std::vector<std::pair<StringRef, sys::fs::TempFile>> written;
  auto discardAll = [&](Error error) {
    for (auto &[path, file] : written)
      consumeError(file.discard());
    return error;
  };
  for (const auto &[path, contents] : files)
    if (sys::fs::is_directory(path))
      return cannotWrite(path, std::make_error_code(std::errc::is_a_directory));
  for (const auto &[path, contents] : files) {
    if (isStream(path) || (keepUnchanged && holds(path, contents)))
      continue;
    Expected<sys::fs::TempFile> file =
        sys::fs::TempFile::create(path + ".%%%%%%%%.tmp", sys::fs::all_read | sys::fs::all_write);
    if (!file)
      return discardAll(cannotWrite(path, errorToErrorCode(file.takeError())));
    written.emplace_back(path, std::move(*file));
    if (Error error = writeAll(written.back().second, path, contents))
      return discardAll(std::move(error));
  }
  for (auto at = written.begin(); at != written.end(); ++at)
    if (Error error = at->second.keep(at->first)) {
      for (auto rest = std::next(at); rest != written.end(); ++rest)
        consumeError(rest->second.discard());
      return cannotWrite(at->first, errorToErrorCode(std::move(error)));
    }
  for (const auto &[path, contents] : files) {
    if (!isStream(path))
      continue;
    std::error_code why;
    raw_fd_ostream stream(path, why);
    stream << contents;
    stream.flush();
    if (!why)
      why = stream.error();
    stream.clear_error();
    if (why)
      return cannotWrite(path, why);
  }
  return Error::success();
}

static std::string escaped(StringRef path) {
  std::string text;
  for (char c : path) {
    if (c == ' ' || c == '#')
      text += '\\';
    text += c;
    if (c == '$')
      text += '$';
  }
  return text;
}

std::string dependencyRule(const std::vector<std::string> &targets, const std::vector<std::string> &dependencies) {
  std::string rule;
  for (const std::string &target : targets)
    rule += (rule.empty() ? "" : " ") + escaped(target);
  rule += ':';
  for (const std::string &dependency : dependencies)
    rule += " \\\n  " + escaped(dependency);
  return rule + '\n';
}

} // namespace tegula::driver
