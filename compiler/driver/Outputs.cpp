// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/Outputs.h"

#include "codegen/TemporaryFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <array>
#include <cerrno>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace tegula::driver {

static Error cannotWrite(StringRef path, std::error_code why) {
  return createStringError(why, "cannot write " + path + ": " + why.message());
}

// ---- Where an output goes -------------------------------------------------------------------------------------------

namespace {
/// What a name stands for.
struct Place {
  /// Behind all links: these stay as they are.
  std::string path;
  /// Of this process, which is written to as it stands: the shell has opened it, perhaps to append.
  std::optional<int> descriptor;
  /// What is there, if anything is.
  std::optional<struct stat> before;
  bool isCircle = false; ///< Links that lead to each other.

  /// What cannot be replaced whole: a descriptor, a device, a pipe.
  bool isStream() const { return descriptor || (before && !S_ISREG(before->st_mode)); }
};
} // namespace

/// The N of /proc/self/fd/N, which /dev/stdout and /dev/fd/N are links to.
static std::optional<int> descriptorOf(StringRef path) {
  SmallString<128> folder;
  int number = 0;
  if (sys::path::filename(path).getAsInteger(10, number) || number < 0 ||
      sys::fs::real_path(sys::path::parent_path(path), folder))
    return std::nullopt;
  bool isOwn = folder == "/proc/" + std::to_string(getpid()) + "/fd";
  return isOwn ? std::optional(number) : std::nullopt;
}

static Place placeOf(StringRef name) {
  Place place{name.str(), std::nullopt, std::nullopt};
  if (name == "-") {
    place.descriptor = STDOUT_FILENO;
    return place;
  }
  constexpr int mostLinks = 40; // As many as Linux follows.
  for (int i = 0;; ++i) {
    if ((place.descriptor = descriptorOf(place.path)))
      return place;
    std::array<char, 4096> text;
    ssize_t length = readlink(place.path.c_str(), text.data(), text.size());
    place.isCircle = length >= 0 && i == mostLinks;
    if (length < 0 || place.isCircle)
      break;
    StringRef target(text.data(), static_cast<size_t>(length));
    SmallString<256> next(sys::path::is_absolute(target) ? "" : sys::path::parent_path(place.path));
    sys::path::append(next, target);
    place.path = next.str().str();
  }
  struct stat status;
  if (stat(place.path.c_str(), &status) == 0)
    place.before = status;
  return place;
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
      if (Place place = placeOf(other.first); !place.isStream() && placeOf(at->first).path == place.path)
        return other.first;
  return std::nullopt;
}

std::optional<std::string> Outputs::foreignFile() const {
  for (const auto &[path, notice] : notices) {
    Place place = placeOf(path);
    if (place.isStream() || !place.before || place.before->st_size == 0)
      continue;
    auto file = MemoryBuffer::getFile(place.path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (file && !(*file)->getBuffer().starts_with(notice))
      return path;
  }
  return std::nullopt;
}

// ---- Writing --------------------------------------------------------------------------------------------------------

/// Whether the file is there with these contents.
static bool holds(StringRef path, StringRef contents) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(path);
  return file && (*file)->getBuffer() == contents;
}

/// A new file is as readable as the caller's umask lets it be; one that is replaced keeps its mode, and its owner where
/// that can be done.
static std::error_code allow(StringRef file, const std::optional<struct stat> &before) {
  mode_t mode = 0666;
  if (before) {
    mode = before->st_mode & 07777;
    if (chown(file.str().c_str(), before->st_uid, before->st_gid) != 0)
      mode &= 0777; // Rights of an owner are not given to another one.
  } else {
    mode_t mask = umask(0);
    umask(mask);
    mode &= ~mask;
  }
  return chmod(file.str().c_str(), mode) == 0 ? std::error_code() : std::error_code(errno, std::generic_category());
}

/// Why the place takes no file, if so. A file that may not be written to is not replaced either.
static std::error_code refusalOf(const Place &place) {
  if (place.isCircle)
    return std::make_error_code(std::errc::too_many_symbolic_link_levels);
  if (!place.before || place.isStream())
    return place.before && S_ISDIR(place.before->st_mode) ? std::make_error_code(std::errc::is_a_directory)
                                                          : std::error_code();
  return access(place.path.c_str(), W_OK) == 0 ? std::error_code() : std::error_code(errno, std::generic_category());
}

static std::error_code writeStream(const Place &place, StringRef contents) {
  std::error_code why;
  std::optional<raw_fd_ostream> stream;
  if (place.descriptor)
    stream.emplace(*place.descriptor, /*shouldClose=*/false);
  else
    stream.emplace(place.path, why, sys::fs::CD_OpenExisting);
  *stream << contents;
  stream->flush();
  if (!why)
    why = stream->error();
  stream->clear_error();
  return why;
}

Error Outputs::write(bool keepUnchanged) const {
  std::vector<Place> places;
  for (const auto &[path, contents] : files) {
    places.push_back(placeOf(path));
    if (std::error_code why = refusalOf(places.back()))
      return cannotWrite(path, why);
  }
  std::vector<std::pair<size_t, codegen::TemporaryFile>> written;
  for (auto [i, place] : llvm::enumerate(places)) {
    const auto &[path, contents] = files[i];
    if (place.isStream() || (keepUnchanged && holds(place.path, contents)))
      continue;
    codegen::TemporaryFile &file = written.emplace_back(i, codegen::TemporaryFile::beside(place.path)).second;
    std::error_code why = file.getError();
    if (!why)
      why = file.write(contents);
    if (!why)
      why = allow(file.getPath(), place.before);
    if (why)
      return cannotWrite(path, why);
  }
  for (auto &[i, file] : written)
    if (std::error_code why = file.moveTo(places[i].path))
      return cannotWrite(files[i].first, why);
  for (auto [i, place] : llvm::enumerate(places))
    if (place.isStream())
      if (std::error_code why = writeStream(place, files[i].second))
        return cannotWrite(files[i].first, why);
  return Error::success();
}

/// As make and ninja read it.
static std::string escaped(StringRef path) {
  std::string text;
  for (char c : path) {
    if (c == ' ' || c == '#' || c == ':')
      text += '\\';
    text += c;
    if (c == '$')
      text += '$';
  }
  return text;
}

bool canBeInRule(StringRef path) {
  for (size_t i = 0; i < path.size(); ++i) {
    unsigned char c = path[i];
    // A backslash would quote what quotes the next character.
    bool quotes = c == '\\' && (i + 1 == path.size() || StringRef(" #:").contains(path[i + 1]));
    if (c < 0x20 || c == 0x7f || c == ';' || c == '|' || quotes)
      return false;
  }
  return true;
}

std::string dependencyRule(const std::vector<std::string> &targets, const std::vector<std::string> &dependencies,
                           bool hasPhonyTargets) {
  std::string rule;
  for (const std::string &target : targets)
    rule += (rule.empty() ? "" : " ") + escaped(target);
  rule += ':';
  for (const std::string &dependency : dependencies)
    rule += " \\\n  " + escaped(dependency);
  rule += '\n';
  if (hasPhonyTargets)
    for (const std::string &dependency : llvm::ArrayRef(dependencies).drop_front(dependencies.empty() ? 0 : 1))
      rule += escaped(dependency) + ":\n";
  return rule;
}

} // namespace tegula::driver
