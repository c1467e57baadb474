// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers as text that programs read: independent of the locale.

#ifndef TEGULA_NUMBER_H
#define TEGULA_NUMBER_H

#include <cstdio>
#include <string>

namespace tegula::detail {

/// A number as printf formats it, with the locale's decimal separator replaced by a point.
inline std::string with_point(std::string number) {
  const auto from = number.find_first_not_of("+-0123456789abcdefinxpABCDEFINXP.");
  if (from != std::string::npos)
    number.replace(from, number.find_first_of("0123456789", from) - from, ".");
  return number;
}

/// Formats a number, for example by "%.3f".
inline std::string number_text(const char *format, double value) {
  char text[400]; // The largest double has 309 digits before the point.
  std::snprintf(text, sizeof text, format, value);
  return with_point(text);
}

} // namespace tegula::detail

#endif // TEGULA_NUMBER_H
