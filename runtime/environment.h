// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables of the environment that are numbers. What is no number is an error, not 0.
#pragma once

#include "tegula/types.h"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace tegula::runtime {

/// The value of a variable, from 0 to `most`; 0 if it is not set or empty.
inline std::uint64_t number_in_environment(const char *name, std::uint64_t most = UINT64_MAX) {
  const char *text = std::getenv(name);
  if (text == nullptr || text[0] == '\0')
    return 0;
  char *end = nullptr;
  errno = 0;
  const std::uint64_t value = std::strtoull(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value > most)
    throw error("the environment variable " + std::string(name) + " is '" + text + "': it takes a number from 0 to " +
                std::to_string(most) + "; unset it, or correct it");
  return value;
}

} // namespace tegula::runtime
