// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// debug_print on the CPU.

#ifndef TEGULA_CPU_PRINT_H
#define TEGULA_CPU_PRINT_H

#include "tegula/cpu/tile.h"
#include "tegula/number.h"

#include <cstdio>

namespace tegula::cpu {

/// One element as text: bool as true and false, integers in decimal, f16, bf16 and f32 as %g prints them (6 significant
/// digits, "inf", "nan"), f64 as %.15g does, with a decimal point in every locale.
template <class T> std::string to_text(T value) {
  if constexpr (std::is_same_v<T, bool>)
    return value ? "true" : "false";
  else if constexpr (std::is_integral_v<T>)
    return std::to_string(value);
  else {
    return tegula::detail::number_text(std::is_same_v<T, double> ? "%.15g" : "%g", static_cast<double>(value));
  }
}

template <class T> std::string to_text(packed_reference<T> place) {
  return to_text(static_cast<std::remove_const_t<T>>(place));
}

/// A tile: [a, b, c], nested for higher ranks; rank 0 is its element.
template <class T, int Rank> std::string to_text(const ref<T, Rank> &values) {
  if constexpr (Rank == 0)
    return to_text<std::remove_const_t<T>>(values());
  else {
    std::string text = "[";
    for (std::int64_t i = 0; i < values.dim(0); ++i)
      text += (i > 0 ? ", " : "") + to_text(values.select(site{"", 0, 0}, 0, i));
    return text + "]";
  }
}
template <class T, int Rank> std::string to_text(const tile<T, Rank> &values) { return to_text(values.view()); }

/// The format with each {} replaced by the next argument. The compiler has checked that their numbers are equal.
template <class... A> std::string format(const char *text, const A &...arguments) {
  const std::string values[] = {to_text(arguments)..., std::string()};
  std::string result;
  std::size_t next = 0;
  for (const char *at = text; *at != '\0'; ++at) {
    if (at[0] == '{' && at[1] == '}' && next < sizeof...(A)) {
      result += values[next++];
      ++at;
    } else
      result += *at;
  }
  return result;
}

/// Prints the formatted text and a newline to stdout, as one piece even if several threads print.
template <class... A> void print(const char *text, const A &...arguments) {
  std::puts(format(text, arguments...).c_str());
}

} // namespace tegula::cpu

#endif // TEGULA_CPU_PRINT_H
