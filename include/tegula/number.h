// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers as text that programs read, too: the same in every locale.

#ifndef TEGULA_NUMBER_H
#define TEGULA_NUMBER_H

#include <cstdio>
#include <string>

namespace tegula::detail {

/// A number as printf writes it, with a point where the program's locale has something else.
inline std::string with_point(std::string number) {
  const auto from = number.find_first_not_of("+-0123456789abcdefinxpABCDEFINXP.");
  if (from != std::string::npos)
    number.replace(from, number.find_first_of("0123456789", from) - from, ".");
  return number;
}

/// A number by a format such as "%.3f".
inline std::string number_text(const char *format, double value) {
  char text[400]; // The largest double has 309 digits in front of the point.
  std::snprintf(text, sizeof text, format, value);
  return with_point(text);
}

} // namespace tegula::detail

#endif // TEGULA_NUMBER_H
