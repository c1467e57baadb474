// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic of generated host code, on 64-bit signed integers. A division by zero, or a result that its type cannot
// hold, throws an error that starts with `where`, the entry and the source line. Therefore a check of a sum holds for
// the sums that the kernels compute. Each operation costs a branch that is not taken.

#ifndef TEGULA_HOST_ARITHMETIC_H
#define TEGULA_HOST_ARITHMETIC_H

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace tegula::abi {

[[noreturn]] void divided_by_zero(const char *where);
[[noreturn]] void overflowed(const char *where, std::int64_t a, const char *sign, std::int64_t b);
[[noreturn]] void does_not_fit(const char *where, std::int64_t value, int bits);
[[noreturn]] void does_not_fit(const char *where, double value, int bits, bool is_signed);
[[noreturn]] void shifted_too_far(const char *where, std::int64_t amount, int bits);
[[noreturn]] void negative_grid(const char *where, std::int64_t size);

inline std::int64_t add(std::int64_t a, std::int64_t b, const char *where) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result))
    overflowed(where, a, "+", b);
  return result;
}
inline std::int64_t sub(std::int64_t a, std::int64_t b, const char *where) {
  std::int64_t result = 0;
  if (__builtin_sub_overflow(a, b, &result))
    overflowed(where, a, "-", b);
  return result;
}
inline std::int64_t mul(std::int64_t a, std::int64_t b, const char *where) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result))
    overflowed(where, a, "*", b);
  return result;
}
/// Validates the amount of a shift of an integer of `bits` bits.
inline std::int64_t shift_amount(std::int64_t amount, int bits, const char *where) {
  if (amount < 0 || amount >= bits)
    shifted_too_far(where, amount, bits);
  return amount;
}
/// `amount` is less than 64.
inline std::int64_t shift_left(std::int64_t a, std::int64_t amount, const char *where) {
  const auto result = static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << amount);
  if (result >> amount != a)
    overflowed(where, a, "<<", amount);
  return result;
}
/// Converts to a narrower type; the value must fit.
template <class T> T fit(std::int64_t a, const char *where) {
  if (static_cast<std::int64_t>(static_cast<T>(a)) != a)
    does_not_fit(where, a, static_cast<int>(8 * sizeof(T)));
  return static_cast<T>(a);
}
/// Truncates, as C++ does.
template <class T> T fit_float(double a, const char *where) {
  constexpr bool is_signed = std::is_signed_v<T>;
  // One past the greatest T, a power of two: a double holds it even if it does not hold the greatest T.
  constexpr double end = 2.0 * static_cast<double>(std::uint64_t{1} << (8 * sizeof(T) - (is_signed ? 2 : 1)));
  // Whether a double can lie between the least T minus 1 and the least T, and is then truncated to T; not for 64 bits.
  constexpr bool has_between = sizeof(T) < sizeof(double);
  const bool is_above = !is_signed ? a > -1 : has_between ? a > -end - 1 : a >= -end;
  if (!is_above || !(a < end))
    does_not_fit(where, a, static_cast<int>(8 * sizeof(T)), is_signed);
  return static_cast<T>(a);
}
/// The size of a grid along an axis.
inline std::int64_t grid_size(std::int64_t size, const char *where) {
  if (size < 0)
    negative_grid(where, size);
  return size;
}

/// Truncates, as C++'s / does.
inline std::int64_t div(std::int64_t a, std::int64_t b, const char *where = "an entry") {
  if (b == 0)
    divided_by_zero(where);
  if (b == -1)
    return sub(0, a, where);
  return a / b;
}
/// Has the sign of a, as C++'s % has.
inline std::int64_t rem(std::int64_t a, std::int64_t b, const char *where = "an entry") {
  if (b == 0)
    divided_by_zero(where);
  return b == -1 ? 0 : a % b;
}
inline std::uint64_t unsigned_div(std::uint64_t a, std::uint64_t b, const char *where) {
  if (b == 0)
    divided_by_zero(where);
  return a / b;
}
inline std::uint64_t unsigned_rem(std::uint64_t a, std::uint64_t b, const char *where) {
  if (b == 0)
    divided_by_zero(where);
  return a % b;
}
inline std::int64_t floor_div(std::int64_t a, std::int64_t b, const char *where = "an entry") {
  return div(a, b, where) - (rem(a, b, where) != 0 && (a < 0) != (b < 0) ? 1 : 0);
}
inline std::int64_t ceil_div(std::int64_t a, std::int64_t b, const char *where = "an entry") {
  return div(a, b, where) + (rem(a, b, where) != 0 && (a < 0) == (b < 0) ? 1 : 0);
}
constexpr std::int64_t min(std::int64_t a, std::int64_t b) noexcept { return a < b ? a : b; }
constexpr std::int64_t max(std::int64_t a, std::int64_t b) noexcept { return a < b ? b : a; }
/// `low` if low > high.
constexpr std::int64_t clamp(std::int64_t a, std::int64_t low, std::int64_t high) noexcept {
  return max(low, min(a, high));
}

} // namespace tegula::abi

#endif // TEGULA_HOST_ARITHMETIC_H
