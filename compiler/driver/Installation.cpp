// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/Installation.h"

#include "driver/Config.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;

namespace tegula::driver {
namespace {

bool isThere(const fs::path &path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

bool isProgram(const fs::path &path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

/// The folder that has the program's bin, behind all links.
fs::path rootOf(const fs::path &program) {
  std::error_code error;
  fs::path real = fs::canonical(program, error);
  return error ? fs::path() : real.parent_path().parent_path();
}

/// A program on PATH, or nothing.
fs::path onPath(const char *name) {
  const char *variable = std::getenv("PATH");
  std::string_view rest = variable ? variable : "";
  while (!rest.empty()) {
    size_t end = std::min(rest.find(':'), rest.size());
    fs::path program = fs::path(rest.substr(0, end)) / name;
    if (end > 0 && isProgram(program))
      return program;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

/// nvidia's wheels beside Tegula's: site-packages has tegula/bin/tegulac and nvidia/cu13/bin/ptxas. The newest first.
std::vector<fs::path> wheelRoots() {
  fs::path prefix = installationPrefix();
  if (!isThere(prefix / "__init__.py")) // This is no wheel: what is beside the prefix is somebody else's.
    return {};
  std::vector<fs::path> roots;
  std::error_code error;
  for (fs::directory_iterator entry(prefix.parent_path() / "nvidia", error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().filename().string().starts_with("cu"))
      roots.push_back(entry->path());
  std::sort(roots.begin(), roots.end(), std::greater<>());
  return roots;
}

/// Toolkits as their users name them.
std::vector<fs::path> toolkitRoots() {
  std::vector<fs::path> roots;
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *value = std::getenv(variable); value && *value)
      roots.emplace_back(value);
  if (fs::path program = onPath("ptxas"); !program.empty())
    roots.push_back(rootOf(program));
  roots.emplace_back("/usr/local/cuda");
  return roots;
}

using IsGood = bool(const fs::path &);

/// Sets `file`, unless it is set, to what is good of these.
void choose(std::string &file, IsGood isGood, const std::vector<fs::path> &candidates) {
  if (!file.empty())
    return;
  auto found = std::find_if(candidates.begin(), candidates.end(), isGood);
  if (found != candidates.end())
    file = found->string();
}

} // namespace

fs::path installationPrefix() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path().parent_path();
}

std::string languageFolder() {
  fs::path installed = installationPrefix() / "include";
  return isThere(installed / "tegula" / "tegula.h") ? installed.string() : TEGULA_INCLUDE_DIR;
}

std::string clangResourceFolder() {
  fs::path installed = installationPrefix() / TEGULA_INSTALLED_CLANG_DIR;
  return isThere(installed / "include" / "stddef.h") ? installed.string() : TEGULA_CLANG_RESOURCE_DIR;
}

void findCuda(CudaFiles &files) {
  if (!files.ptxas.empty() && !files.nvdisasm.empty() && !files.libdevice.empty())
    return;
  constexpr const char *libdeviceInRoot = "nvvm/libdevice/libdevice.10.bc";
  std::vector<fs::path> ptxas, nvdisasm, libdevice;
  auto add = [&](const std::vector<fs::path> &roots) {
    for (const fs::path &root : roots) {
      ptxas.push_back(root / "bin/ptxas");
      nvdisasm.push_back(root / "bin/nvdisasm");
      libdevice.push_back(root / libdeviceInRoot);
    }
  };
  add(wheelRoots());
  ptxas.emplace_back(TEGULA_PTXAS);
  nvdisasm.emplace_back(TEGULA_NVDISASM);
  libdevice.emplace_back(TEGULA_LIBDEVICE);
  add(toolkitRoots());
  nvdisasm.push_back(onPath("nvdisasm")); // Distributions have it in a package of its own.
  choose(files.ptxas, isProgram, ptxas);
  choose(files.nvdisasm, isProgram, nvdisasm);
  if (fs::path root = rootOf(files.ptxas); !root.empty())
    libdevice.insert(libdevice.begin(), root / libdeviceInRoot);
  choose(files.libdevice, isThere, libdevice);
}

} // namespace tegula::driver
