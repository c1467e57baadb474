// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where tegulac finds files: its own beside its bin, in whatever folder that is, and those of CUDA on this machine.
#pragma once

#include <filesystem>
#include <string>

namespace tegula::driver {

/// The folder that has tegulac's bin: the prefix of an installation, or the build tree.
std::filesystem::path installationPrefix();

/// The folder of tegula/tegula.h: include/ of the prefix, else of the source tree.
std::string languageFolder();

/// The folder whose include/ has Clang's own headers: lib/tegula/clang of the prefix, else that of the Clang that
/// tegulac was built with.
std::string clangResourceFolder();

/// What is needed of a CUDA toolkit. A value that is there already is kept; "" stays where nothing is found.
struct CudaFiles {
  std::string ptxas, nvdisasm, libdevice;
};

/// Fills in what is missing of `files`, from the first of these that has it: the folder of nvidia's wheels beside the
/// wheel that tegulac is part of; the files that the build found; the toolkits at CUDA_HOME, CUDA_PATH, of the ptxas on
/// PATH, and at /usr/local/cuda. libdevice is that of the toolkit of ptxas, if it has one.
void findCuda(CudaFiles &files);

} // namespace tegula::driver
