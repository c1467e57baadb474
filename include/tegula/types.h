// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element types, devices and the error type of host programs. Header-only, without the driver.

#ifndef TEGULA_TYPES_H
#define TEGULA_TYPES_H

#ifdef __TEGULA__
#error                                                                                                                 \
    "a kernel file includes <tegula/tegula.h>; <tegula/runtime.h> is for host code, which includes the generated header"
#endif
#define TEGULA_RUNTIME_HEADER 1
#if !defined(__cpp_exceptions)
#error "Tegula reports errors as exceptions, tegula::error: compile this file with exceptions (without -fno-exceptions)"
#endif

/// Visible outside a shared library that is compiled with -fvisibility=hidden.
#if defined(__GNUC__)
#define TEGULA_EXPORT __attribute__((visibility("default")))
#else
#define TEGULA_EXPORT
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ostream>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace tegula {

/// The exception type of Tegula. what() is one message that names the entry (or function), the argument, the fact and
/// the remedy.
class TEGULA_EXPORT error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

// ----- Floating-point numbers of 16 bits -----

namespace detail {

template <class To, class From> To bit_cast(const From &from) noexcept {
  static_assert(sizeof(To) == sizeof(From), "bit_cast cannot change the size: use types of equal size");
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

/// Rounds to float so that a second rounding, to at most 22 bits, gives the result of a single rounding: the last bit
/// is set if the result is inexact.
inline float round_to_odd(double value) noexcept {
  const float nearest = static_cast<float>(value);
  const double back = static_cast<double>(nearest);
  if (!(back < value || back > value))
    return nearest; // exact, or NaN
  auto bits = bit_cast<std::uint32_t>(nearest);
  const bool away_from_zero = value > 0 ? back > value : back < value;
  if (away_from_zero)
    --bits;
  return bit_cast<float>(bits | 1U);
}

/// The same for 64-bit integers, which a double does not hold.
inline float round_to_odd(std::uint64_t value) noexcept {
  if (value >> 53 != 0) // Keep 53 bits, the last of them sticky: a double holds that exactly.
    value = ((value >> 11) | static_cast<std::uint64_t>((value & 0x7ff) != 0)) << 11;
  return round_to_odd(static_cast<double>(value));
}

/// Converts any number to a float from which a rounding to 16 bits is correct.
template <class T> float to_narrow(T value) noexcept {
  if constexpr (std::is_same_v<T, float>)
    return value;
  else if constexpr (std::is_floating_point_v<T>)
    return round_to_odd(static_cast<double>(value));
  else if constexpr (std::is_signed_v<T>) {
    const auto wide = static_cast<std::int64_t>(value);
    return wide < 0 ? -round_to_odd(std::uint64_t{0} - static_cast<std::uint64_t>(wide))
                    : round_to_odd(static_cast<std::uint64_t>(wide));
  } else
    return round_to_odd(static_cast<std::uint64_t>(value));
}

inline std::uint16_t f16_from_float(float value) noexcept {
  const auto bits = bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000U;
  std::uint32_t magnitude = bits & 0x7fffffffU;
  std::uint32_t result = 0;
  if (magnitude > 0x7f800000U) // NaN: the upper part of its payload, made quiet
    result = 0x7e00U | ((magnitude >> 13) & 0x3ffU);
  else if (magnitude >= 0x477ff000U) // 65520 and more round to 65536, which is infinity
    result = 0x7c00U;
  else if (magnitude < 0x38800000U) // Below 2^-14 the unit is 2^-24, the unit of floats in [0.5, 1): the adder rounds.
    result = bit_cast<std::uint32_t>(bit_cast<float>(magnitude) + 0.5F) - 0x3f000000U;
  else {
    magnitude += 0x0fffU + ((magnitude >> 13) & 1U);
    result = (magnitude - 0x38000000U) >> 13;
  }
  return static_cast<std::uint16_t>(sign | result);
}

inline float float_from_f16(std::uint16_t bits) noexcept {
  const std::uint32_t sign = (bits & 0x8000U) << 16;
  const std::uint32_t magnitude = bits & 0x7fffU;
  if (magnitude >= 0x7c00U) // infinity and NaN
    return bit_cast<float>(sign | 0x7f800000U | ((magnitude & 0x3ffU) << 13));
  if (magnitude < 0x0400U) { // subnormal: a multiple of 2^-24
    const float value = static_cast<float>(magnitude) * 0x1p-24F;
    return sign != 0 ? -value : value;
  }
  return bit_cast<float>(sign | ((magnitude << 13) + 0x38000000U));
}

inline std::uint16_t bf16_from_float(float value) noexcept {
  const auto bits = bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffffU) > 0x7f800000U) // NaN: the upper part of its payload, made quiet
    return static_cast<std::uint16_t>((bits >> 16) | 0x40U);
  return static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
}

inline float float_from_bf16(std::uint16_t bits) noexcept {
  return bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

inline std::uint8_t e4m3_from_float(float value) noexcept {
  const auto bits = bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 24) & 0x80U;
  std::uint32_t magnitude = bits & 0x7fffffffU;
  std::uint32_t result = 0;
  if (magnitude > 0x7f800000U) // NaN has one pattern.
    result = 0x7fU;
  else if (magnitude >= 0x43e00000U) // 448, the largest, stands for all beyond it
    result = 0x7eU;
  else if (magnitude <
           0x3c800000U) // Below 2^-6 the unit is 2^-9, the unit of floats in [2^14, 2^15): the adder rounds.
    result = bit_cast<std::uint32_t>(bit_cast<float>(magnitude) + 0x1p14F) - 0x46800000U;
  else {
    magnitude += 0x7ffffU + ((magnitude >> 20) & 1U);
    result = (magnitude - 0x3c000000U) >> 20;
  }
  return static_cast<std::uint8_t>(sign | result);
}

inline std::uint8_t e5m2_from_float(float value) noexcept {
  const auto bits = bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 24) & 0x80U;
  std::uint32_t magnitude = bits & 0x7fffffffU;
  std::uint32_t result = 0;
  if (magnitude > 0x7f800000U) // NaN, one of three patterns.
    result = 0x7fU;
  else if (magnitude >= 0x47600000U) // 57344, the largest finite number, stands for all beyond it
    result = 0x7bU;
  else if (magnitude <
           0x38800000U) // Below 2^-14 the unit is 2^-16, the unit of floats in [2^7, 2^8): the adder rounds.
    result = bit_cast<std::uint32_t>(bit_cast<float>(magnitude) + 0x1p7F) - 0x43000000U;
  else {
    magnitude += 0xfffffU + ((magnitude >> 21) & 1U);
    result = (magnitude - 0x38000000U) >> 21;
  }
  return static_cast<std::uint8_t>(sign | result);
}

inline float float_from_e5m2(std::uint8_t bits) noexcept {
  return float_from_f16(static_cast<std::uint16_t>(bits << 8U));
}

inline float float_from_e4m3(std::uint8_t bits) noexcept {
  const std::uint32_t sign = (bits & 0x80U) << 24U;
  const std::uint32_t magnitude = bits & 0x7fU;
  if (magnitude == 0x7fU)
    return bit_cast<float>(sign | 0x7fc00000U);
  if (magnitude < 8) { // subnormal: a multiple of 2^-9
    const float value = static_cast<float>(magnitude) * 0x1p-9F;
    return sign != 0 ? -value : value;
  }
  return bit_cast<float>(sign | ((magnitude << 20U) + 0x3c000000U));
}

/// Negative numbers become NaN.
inline std::uint8_t e8m0_from_float(float value) noexcept {
  const auto bits = bit_cast<std::uint32_t>(value);
  if (value < 0 || (bits & 0x7fffffffU) > 0x7f800000U)
    return 0xffU;
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  if (magnitude < 0x00800000U) // 2^-127, the least, is a subnormal float.
    return magnitude > 0x00600000U ? 1 : 0;
  const std::uint32_t rounded = (magnitude + 0x3fffffU + ((magnitude >> 23) & 1U)) >> 23;
  return static_cast<std::uint8_t>(rounded < 0xfeU ? rounded : 0xfeU);
}

inline float float_from_e8m0(std::uint8_t bits) noexcept {
  // 2^-127 is subnormal, and NaN is quiet: both have the first bit of the fraction.
  const std::uint32_t fraction = bits == 0 || bits == 0xffU ? 0x400000U : 0;
  return bit_cast<float>(static_cast<std::uint32_t>(bits) << 23U | fraction);
}

/// The bits are a sign and a 3-bit magnitude, of 1 fraction bit with subnormals 0 and 1/2; there is no NaN.
inline std::uint8_t e2m1_from_float(float value) noexcept {
  const auto bits = bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 28) & 0x8U, magnitude = bits & 0x7fffffffU;
  if (magnitude > 0x7f800000U)
    return 0x7U;
  std::uint32_t result = 7;
  if (magnitude < 0x3f800000U) // Below 1 the unit is 1/2, that of floats in [2^22, 2^23): the adder rounds.
    result = bit_cast<std::uint32_t>(bit_cast<float>(magnitude) + 0x1p22F) - 0x4a800000U;
  else if (magnitude < 0x40c00000U) // 6 is the largest.
    result = (magnitude + 0x1fffffU + ((magnitude >> 22) & 1U) - 0x3f000000U) >> 22;
  return static_cast<std::uint8_t>(sign | result);
}

inline float float_from_e2m1(std::uint8_t bits) noexcept {
  constexpr float magnitudes[] = {0, 0.5F, 1, 1.5F, 2, 3, 4, 6};
  const float magnitude = magnitudes[bits & 7U];
  return (bits & 8U) != 0 ? -magnitude : magnitude;
}

/// The low 4 bits of an integer; other numbers are truncated and saturated to [Least, Most], NaN gives 0.
template <int Least, int Most, class T> std::uint8_t four_bits(T value) noexcept {
  if constexpr (std::is_floating_point_v<T>)
    return value >= Most    ? Most & 0xf
           : value <= Least ? Least & 0xf
           : value < Most   ? static_cast<std::uint8_t>(static_cast<int>(value) & 0xf)
                            : std::uint8_t{0};
  else
    return static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) & 0xf);
}

} // namespace detail

/// IEEE binary16. Conversion from any number rounds once, to nearest even; a value too large becomes infinity, NaN
/// stays NaN. It converts to float exactly; C++ operators on it therefore compute in float.
struct f16 {
  std::uint16_t bits;

  f16() = default;
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  explicit f16(T value) noexcept : bits(detail::f16_from_float(detail::to_narrow(value))) {}
  operator float() const noexcept { return detail::float_from_f16(bits); }
  static f16 from_bits(std::uint16_t bits) noexcept { return detail::bit_cast<f16>(bits); }
};

/// The upper 16 bits of an IEEE binary32. Conversions as for f16.
struct bf16 {
  std::uint16_t bits;

  bf16() = default;
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  explicit bf16(T value) noexcept : bits(detail::bf16_from_float(detail::to_narrow(value))) {}
  operator float() const noexcept { return detail::float_from_bf16(bits); }
  static bf16 from_bits(std::uint16_t bits) noexcept { return detail::bit_cast<bf16>(bits); }
};

/// An 8-bit float: 1 sign, 4 exponent and 3 fraction bits, up to 448, without infinities (OCP's E4M3). Conversion from
/// any number rounds once, to nearest even, and saturates to 448.
struct e4m3 {
  std::uint8_t bits;

  e4m3() = default;
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  explicit e4m3(T value) noexcept : bits(detail::e4m3_from_float(detail::to_narrow(value))) {}
  operator float() const noexcept { return detail::float_from_e4m3(bits); }
  static e4m3 from_bits(std::uint8_t bits) noexcept { return detail::bit_cast<e4m3>(bits); }
};

/// An 8-bit float: 1 sign, 5 exponent and 2 fraction bits, up to 57344 and infinity (OCP's E5M2). Conversion from any
/// number rounds once, to nearest even, and saturates to 57344.
struct e5m2 {
  std::uint8_t bits;

  e5m2() = default;
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  explicit e5m2(T value) noexcept : bits(detail::e5m2_from_float(detail::to_narrow(value))) {}
  operator float() const noexcept { return detail::float_from_e5m2(bits); }
  static e5m2 from_bits(std::uint8_t bits) noexcept { return detail::bit_cast<e5m2>(bits); }
};

/// A power of two: an exponent of 8 bits, from 2^-127 to 2^127, and NaN; no sign and no zero (E8M0, the scale of OCP's
/// microscaling formats). Conversion from any number rounds once, to the nearest power of two, ties to even bits;
/// larger values become 2^127, smaller ones and zero 2^-127, and negative numbers NaN.
struct e8m0 {
  std::uint8_t bits;

  e8m0() = default;
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  explicit e8m0(T value) noexcept : bits(detail::e8m0_from_float(detail::to_narrow(value))) {}
  operator float() const noexcept { return detail::float_from_e8m0(bits); }
  static e8m0 from_bits(std::uint8_t bits) noexcept { return detail::bit_cast<e8m0>(bits); }
};

/// A 4-bit integer, -8 to 7, two to a byte in arrays (packed.h). It converts as other integers: a float is truncated
/// and saturates, NaN gives 0, an integer wraps.
struct s4 {
  std::uint8_t bits; ///< the lower 4

  s4() = default;
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  explicit s4(T value) noexcept : bits(detail::four_bits<-8, 7>(value)) {}
  operator int() const noexcept { return static_cast<int>(bits ^ 8U) - 8; }
  static s4 from_bits(std::uint8_t bits) noexcept {
    return detail::bit_cast<s4>(static_cast<std::uint8_t>(bits & 0xf));
  }
};

/// A 4-bit integer, 0 to 15; otherwise as s4.
struct u4 {
  std::uint8_t bits;

  u4() = default;
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  explicit u4(T value) noexcept : bits(detail::four_bits<0, 15>(value)) {}
  operator int() const noexcept { return bits; }
  static u4 from_bits(std::uint8_t bits) noexcept {
    return detail::bit_cast<u4>(static_cast<std::uint8_t>(bits & 0xf));
  }
};

/// A 4-bit float: 0, 1/2, 1, 3/2, 2, 3, 4, 6, and their negatives (OCP's FP4 E2M1), two to a byte in arrays (packed.h).
/// Conversion from any number rounds once, to nearest even; larger values become 6, and so does NaN.
struct e2m1 {
  std::uint8_t bits;

  e2m1() = default;
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  explicit e2m1(T value) noexcept : bits(detail::e2m1_from_float(detail::to_narrow(value))) {}
  operator float() const noexcept { return detail::float_from_e2m1(bits); }
  static e2m1 from_bits(std::uint8_t bits) noexcept {
    return detail::bit_cast<e2m1>(static_cast<std::uint8_t>(bits & 0xf));
  }
};

static_assert(sizeof(e8m0) == 1 && std::is_trivially_copyable_v<e8m0>, "e8m0 is storage of 8 bits");
static_assert(sizeof(e5m2) == 1 && std::is_trivially_copyable_v<e5m2>, "e5m2 is storage of 8 bits");
static_assert(sizeof(e4m3) == 1 && std::is_trivially_copyable_v<e4m3>, "e4m3 is storage of 8 bits");
static_assert(sizeof(f16) == 2 && std::is_trivially_copyable_v<f16> && sizeof(bf16) == 2 &&
                  std::is_trivially_copyable_v<bf16>,
              "f16 and bf16 are storage of 16 bits");

// ----- Element types -----

enum class dtype : std::uint8_t {
#define TEGULA_ELEMENT(NAME, KIND, BITS, CXX, TENSOR_MAP) NAME,
#include "tegula/elements.def"
};

/// The name of an element type in Tegula: "bool", "s8" ... "f64", "e4m3".
constexpr const char *name(dtype type) noexcept {
  constexpr const char *names[] = {
#define TEGULA_ELEMENT(NAME, KIND, BITS, CXX, TENSOR_MAP) #NAME,
#include "tegula/elements.def"
  };
  return type == dtype::boolean ? "bool" : names[static_cast<std::size_t>(type)];
}

/// The bits of an element in memory; a bool has a byte.
constexpr int bits_of(dtype type) noexcept {
  constexpr int bits[] = {
#define TEGULA_ELEMENT(NAME, KIND, BITS, CXX, TENSOR_MAP) (BITS) < 4 ? 8 : (BITS),
#include "tegula/elements.def"
  };
  return bits[static_cast<std::size_t>(type)];
}

/// The size of an element in bytes; for packed elements, the byte that holds two.
constexpr std::size_t size_of(dtype type) noexcept {
  constexpr std::size_t sizes[] = {
#define TEGULA_ELEMENT(NAME, KIND, BITS, CXX, TENSOR_MAP) sizeof(CXX),
#include "tegula/elements.def"
  };
  return sizes[static_cast<std::size_t>(type)];
}

namespace detail {
template <class T> constexpr dtype dtype_of_type() noexcept {
#define TEGULA_ELEMENT(NAME, KIND, BITS, CXX, TENSOR_MAP)                                                              \
  if constexpr (std::is_same_v<T, CXX>)                                                                                \
    return dtype::NAME;                                                                                                \
  else
#include "tegula/elements.def"
  { // `long` or `long long`, whichever has no fixed-width name.
    static_assert(std::is_integral_v<T> && sizeof(T) <= 8,
                  "this is not an element type: use bool, integers of 8 to 64 bits, f16, bf16, e4m3, e5m2, e8m0, s4, "
                  "u4, e2m1, float or double");
    constexpr dtype by_size[2][4] = {{dtype::u8, dtype::u16, dtype::u32, dtype::u64},
                                     {dtype::s8, dtype::s16, dtype::s32, dtype::s64}};
    return by_size[std::is_signed_v<T> ? 1 : 0][sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3];
  }
}
} // namespace detail

/// The dtype of a C++ element type, const or not.
template <class T> inline constexpr dtype dtype_of = detail::dtype_of_type<std::remove_const_t<T>>();

// ----- Devices -----

/// The location of an array: the CPU, a GPU by its ordinal (from 0, in the driver's order), or none, meta().
class device {
public:
  /// The CPU.
  constexpr device() noexcept = default;
  static constexpr device cpu() noexcept { return {}; }
  /// The GPU of this ordinal. Its existence is checked when it is used.
  static constexpr device gpu(int ordinal = 0) noexcept {
    device result;
    result.ordinal_ = ordinal < 0 ? invalid : ordinal;
    return result;
  }

  /// No device: arrays with a type, extents and strides, but without elements. An entry called with such arrays checks
  /// them, makes results with their extents, and launches nothing: it computes shapes before there is memory. Their
  /// pointers are never dereferenced; a null pointer means an absent optional array.
  ///
  ///     auto z = add_vectors(x, y);  // of x{meta_pointer<const float>(), {1000}, device::meta()}: z.dims() is {1000}
  static constexpr device meta() noexcept {
    device result;
    result.ordinal_ = nowhere;
    return result;
  }

  constexpr bool is_cpu() const noexcept { return ordinal_ == host; }
  constexpr bool is_gpu() const noexcept { return ordinal_ != host && ordinal_ != nowhere; }
  constexpr bool is_meta() const noexcept { return ordinal_ == nowhere; }
  /// The ordinal of a GPU; negative for other devices.
  constexpr int ordinal() const noexcept { return ordinal_; }

  friend constexpr bool operator==(device a, device b) noexcept { return a.ordinal_ == b.ordinal_; }
  friend constexpr bool operator!=(device a, device b) noexcept { return a.ordinal_ != b.ordinal_; }

private:
  static constexpr int host = -1, invalid = -2, nowhere = -3;
  int ordinal_ = host;
};

/// "cpu", "gpu:0", ... "meta".
inline std::string to_string(device where) {
  return where.is_cpu() ? "cpu" : where.is_meta() ? "meta" : "gpu:" + std::to_string(where.ordinal());
}
inline std::ostream &operator<<(std::ostream &out, device where) { return out << to_string(where); }

} // namespace tegula

#endif // TEGULA_TYPES_H
