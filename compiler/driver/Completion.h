// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shell completion of tegulac's command line, made of the options that CLI11 knows.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tegula::driver {

/// All options as users write them: -MD, --emit.
std::vector<std::string> optionNames(const CLI::App &app);

/// A script for `shell`: "bash", "zsh" or "fish". `forms` are the values of --emit.
std::string completion(const std::string &shell, const CLI::App &app, const std::vector<std::string> &forms);

} // namespace tegula::driver
