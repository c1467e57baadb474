// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tests of kernels share: the devices to run on, random and special data, poison, and comparison with a reference.
#pragma once

#include <tegula/runtime.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace tegula::test {

/// The devices that every test runs on: the CPU and, if there is one, the GPU. TEGULA_TEST_DEVICE=cpu or gpu chooses
/// one.
inline std::vector<device> devices() {
  const char *chosen = std::getenv("TEGULA_TEST_DEVICE");
  const std::string name = chosen != nullptr ? chosen : "";
  std::vector<device> result;
  if (name != "gpu")
    result.push_back(device::cpu());
  if (name == "gpu" || (name.empty() && device_count() > 0))
    result.push_back(device::gpu());
  return result;
}

/// Runs the body on every device; failures say on which.
template <class Body> void on_every_device(Body body) {
  for (const device where : devices()) {
    SCOPED_TRACE("on " + to_string(where));
    body(where);
  }
}

/// What a call is refused with, or "(nothing)".
template <class Call> std::string message_of(Call call) {
  try {
    if constexpr (std::is_void_v<decltype(call())>)
      call();
    else
      static_cast<void>(call());
  } catch (const error &thrown) {
    return thrown.what();
  }
  return "(nothing)";
}

/// Extents around the sizes at which something changes: tiles, vectors, warps, and nothing at all.
inline const std::vector<std::int64_t> odd_sizes = {0, 1, 7, 127, 129, 1030};

template <class T> inline constexpr bool is_float8 = std::is_same_v<T, e4m3> || std::is_same_v<T, e5m2>;
template <class T>
inline constexpr bool is_stored_float = is_float8<T> || std::is_same_v<T, e8m0> || std::is_same_v<T, e2m1>;
/// Integers that compute as an int.
template <class T> inline constexpr bool is_integer4 = std::is_same_v<T, s4> || std::is_same_v<T, u4>;
template <class T>
inline constexpr bool is_narrow = std::is_same_v<T, f16> || std::is_same_v<T, bf16> || is_stored_float<T>;
template <class T> inline constexpr bool is_floating = std::is_floating_point_v<T> || is_narrow<T>;

/// A number as an exact double, or as itself.
template <class T> auto wide(T value) {
  if constexpr (is_narrow<T>)
    return static_cast<double>(static_cast<float>(value));
  else if constexpr (is_integer4<T>)
    return static_cast<int>(value);
  else if constexpr (std::is_same_v<T, float>)
    return static_cast<double>(value);
  else
    return value;
}

/// One generator per test program: data differ from call to call, and are the same in every run.
inline std::mt19937_64 &generator() {
  static std::mt19937_64 g(20);
  return g;
}

template <class T> T random_value() {
  auto &g = generator();
  if constexpr (std::is_same_v<T, bool>)
    return (g() >> 33 & 1) != 0;
  else if constexpr (std::is_same_v<T, e8m0>) // Scales are near 1.
    return T::from_bits(static_cast<std::uint8_t>(119 + g() % 17));
  else if constexpr (is_packed<T>)
    return T::from_bits(static_cast<std::uint8_t>(g() >> 33));
  else if constexpr (is_floating<T>)
    return static_cast<T>(std::normal_distribution<double>(0, 4)(g));
  else
    return static_cast<T>(g() >> (g() % 3 == 0 ? 60 : 8));
}

/// What arithmetic stumbles over: zeros, infinities, NaN, subnormals, the ends of the range.
template <class T> std::vector<T> special_values() {
  if constexpr (std::is_same_v<T, bool>)
    return {false, true};
  else if constexpr (is_floating<T>) {
    const double tiny = std::is_same_v<T, f16>      ? 0x1p-24
                        : std::is_same_v<T, double> ? 5e-324
                                                    : 0x1p-133; // subnormal in float, the least in bf16
    const double huge = std::is_same_v<T, f16>      ? 65504
                        : std::is_same_v<T, double> ? std::numeric_limits<double>::max()
                                                    : 0x1.fep127;
    const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    std::vector<T> result;
    for (const double v : {0.0, -0.0, 1.0, -1.0, 0.5, 3.0, tiny, -tiny, huge, -huge, inf, -inf, nan})
      result.push_back(static_cast<T>(v));
    return result;
  } else {
    using limits = std::numeric_limits<T>;
    return {T(0), T(1), T(2), static_cast<T>(-1), limits::min(), limits::max(), static_cast<T>(limits::max() - 1)};
  }
}

template <class T, int Rank, class Make> buffer<T, Rank> make(const shape<Rank> &dims, Make value) {
  auto result = buffer<T, Rank>::empty(dims);
  std::int64_t row = 0; // Rows of packed elements may end with padding.
  const std::int64_t length = Rank == 0 ? 1 : dims[Rank == 0 ? 0 : Rank - 1];
  for (std::int64_t i = 0; i < result.size(); ++i) {
    if (i > 0 && i % length == 0)
      row += row_pitch<T>(length) - length;
    result.data()[i + row] = value(i);
  }
  return result;
}

template <class T, int Rank> buffer<T, Rank> random(const shape<Rank> &dims) {
  return make<T>(dims, [](std::int64_t) { return random_value<T>(); });
}

/// Pairs of special values first, as many as there is room for, then random ones.
template <class T> void fill_with_pairs(buffer<T, 1> &x, buffer<T, 1> &y) {
  const auto special = special_values<T>();
  const auto count = static_cast<std::int64_t>(special.size());
  for (std::int64_t i = 0; i < x.size(); ++i) {
    const bool is_special = i < count * count;
    x(i) = is_special ? special[static_cast<std::size_t>(i / count)] : random_value<T>();
    y(i) = is_special ? special[static_cast<std::size_t>(i % count)] : random_value<T>();
  }
}

/// An array on a device whose bytes nothing computes by accident: what a kernel does not store is seen.
template <class T, int Rank> buffer<T, Rank> poisoned(const shape<Rank> &dims, device where) {
  auto result = buffer<T, Rank>::empty(dims);
  if (result.data() != nullptr)
    std::memset(static_cast<void *>(address_of(result.data())), std::is_same_v<T, bool> ? 1 : 0xa5,
                static_cast<std::size_t>(bytes_of<T>(dims)));
  return result.to(where);
}

/// The same number: equal, or both NaN; zeros agree in sign.
template <class T> bool same(T a, T b) {
  if constexpr (is_floating<T>) {
    const auto x = wide(a), y = wide(b);
    return std::isnan(x) || std::isnan(y) ? std::isnan(x) && std::isnan(y)
                                          : x == y && std::signbit(x) == std::signbit(y);
  } else
    return wide(a) == wide(b);
}

template <class T> std::string text(T value) {
  if constexpr (std::is_same_v<T, bool>)
    return value ? "true" : "false";
  else if constexpr (is_floating<T>) {
    char digits[40];
    std::snprintf(digits, sizeof digits, "%.17g", static_cast<double>(wide(value)));
    return digits;
  } else
    return std::to_string(wide(value));
}

/// The element at an index.
template <class T, int Rank> reference_t<const T> element_at(const buffer<T, Rank> &of, const shape<Rank> &index) {
  std::int64_t offset = 0;
  for (int axis = 0; axis < Rank; ++axis)
    offset += index[axis] * of.strides()[axis];
  return of.data()[offset];
}

/// The index of an element in row-major order.
template <int Rank> shape<Rank> unravel(std::int64_t place, const shape<Rank> &dims) {
  shape<Rank> index;
  for (int axis = Rank - 1; axis >= 0; --axis) {
    index[axis] = place % dims[axis];
    place /= dims[axis];
  }
  return index;
}

/// Every element is what the reference says, by `agree`. Says the first that is not, and how many there are.
template <class T, int Rank, class Reference, class Agree>
void expect_all(const char *what, const buffer<T, Rank> &result, Reference reference, Agree agree) {
  const auto there = result.to_host();
  std::int64_t wrong = 0;
  std::string first;
  for (std::int64_t i = 0; i < there.size(); ++i) {
    const auto index = unravel(i, there.dims());
    const auto expected = reference(index);
    const T got = element_at(there, index);
    if (!agree(got, expected) && wrong++ == 0)
      first = to_string(index) + " is " + text(got) + ", not " + text(expected);
  }
  EXPECT_EQ(wrong, 0) << what << " of shape " << to_string(there.dims()) << ": " << first;
}

/// Exactly the reference.
template <class T, int Rank, class Reference>
void expect_same(const char *what, const buffer<T, Rank> &result, Reference reference) {
  expect_all(what, result, reference, [](T a, auto b) { return same(a, static_cast<T>(b)); });
}

template <class T> constexpr int digits() {
  return std::is_same_v<T, double>  ? 53
         : std::is_same_v<T, float> ? 24
         : std::is_same_v<T, f16>   ? 11
         : std::is_same_v<T, bf16>  ? 8
         : std::is_same_v<T, e4m3>  ? 4
                                    : 3;
}
template <class T> constexpr int least_exponent() {
  return std::is_same_v<T, double>  ? -1074
         : std::is_same_v<T, float> ? -149
         : std::is_same_v<T, f16>   ? -24
         : std::is_same_v<T, bf16>  ? -133
         : std::is_same_v<T, e4m3>  ? -9
                                    : -16;
}

/// The distance from the reference in units of T's last place at the reference; 0 for equal infinities and for two
/// NaNs.
template <class T, class Wide> Wide ulps(T value, Wide reference) {
  const auto x = static_cast<Wide>(wide(value));
  if (std::isnan(reference) || std::isnan(x))
    return std::isnan(reference) && std::isnan(x) ? 0 : std::numeric_limits<Wide>::infinity();
  // Numbers that T rounds to infinity are as good as infinite, and an infinity is as far as the number behind T's last.
  const auto rounded = static_cast<Wide>(wide(static_cast<T>(static_cast<double>(reference))));
  if (std::isinf(rounded))
    return rounded == x ? 0 : std::numeric_limits<Wide>::infinity();
  if (std::isinf(x)) {
    const Wide end = std::copysign(std::ldexp(Wide(1), std::is_same_v<T, f16> ? 16 : sizeof(T) == 8 ? 1024 : 128), x);
    return std::abs(end - reference) / std::ldexp(Wide(1), std::ilogb(reference) - digits<T>() + 1);
  }
  const int exponent = reference == 0 ? least_exponent<T>() : std::ilogb(reference) - digits<T>() + 1;
  return std::abs(x - reference) / std::ldexp(Wide(1), std::max(exponent, least_exponent<T>()));
}

// ===== Rounding errors
// ===================================================================================================
//
// Every bound holds for any order in which a compiler or a GPU adds up. References are computed in double, those of
// sums of double in long double: their own error is too small to count.

/// The unit roundoff of a type: a rounding to nearest is off by this at most, relative to the result.
template <class T> constexpr double unit_roundoff() { return std::ldexp(1.0, -digits<T>()); }

/// gamma_n = n u / (1 - n u): how far n factors (1 + d), |d| <= u, are from 1 together (Higham, Accuracy and Stability
/// of Numerical Algorithms, 2nd edition, lemma 3.1). So a sum of n + 1 terms is off by gamma_n times the sum of their
/// magnitudes (section 4.2), and a product of vectors of n elements by gamma_n |x|^T |y| (equation 3.5).
inline double gamma(double roundings, double u) { return roundings * u / (1 - roundings * u); }

/// The type in which sums of T are computed.
template <class T> using Summed = std::conditional_t<std::is_same_v<T, double>, double, float>;

/// A reference and how far from it a result of T may be, rounding to T aside.
template <class T> struct Near {
  double value, error;
};

/// A product of two vectors: exact for integers, which wrap; of floats with the bound on its error.
template <class T, class A, class B> auto inner_product(std::int64_t depth, A a, B b) {
  if constexpr (is_floating<T>) {
    long double sum = 0;
    double size = 0;
    for (std::int64_t k = 0; k < depth; ++k) {
      const auto term = static_cast<long double>(wide(a(k))) * wide(b(k));
      sum += term;
      size += static_cast<double>(std::abs(term));
    }
    return Near<Summed<T>>{static_cast<double>(sum),
                           gamma(static_cast<double>(depth), unit_roundoff<Summed<T>>()) * size};
  } else {
    std::uint64_t sum = 0;
    for (std::int64_t k = 0; k < depth; ++k)
      sum += static_cast<std::uint64_t>(a(k)) * static_cast<std::uint64_t>(b(k));
    return static_cast<std::conditional_t<sizeof(T) < 4, std::int32_t, T>>(sum);
  }
}

/// The relative error of exp(x - max) / sum of n of these, where x and max differ by at most `spread`. The difference
/// rounds, which exp makes a relative error of spread u; exp itself is off by 2 units in the last place, 4 u; a term
/// and the sum have these each; n - 1 additions and a division follow.
template <class T> double softmax_error(std::int64_t n, double spread) {
  return gamma(2 * (spread + 4) + static_cast<double>(n), unit_roundoff<Summed<T>>());
}

/// The error of a sum of `terms` products by the tensor cores of Hopper, where no product and no partial sum exceeds
/// `largest`. An instruction adds its products and the accumulator at once: it aligns them to the largest of them and
/// cuts off what lies below 24 bits, or 14 bits for operands of 8 bits (terms, each by 2^-23 or 2^-13 of `largest` at
/// most); then it rounds to the accumulator's type, perhaps towards zero (Fasi, Higham, Mikaitis and Pranesh, Numerical
/// behavior of NVIDIA tensor cores, PeerJ Computer Science 7:e330, 2021). The accumulator is one of the terms.
template <class Operand, class Accumulator> double tensor_core_error(std::int64_t terms, double largest) {
  constexpr std::int64_t depth = 32 / sizeof(Operand);
  constexpr double cut = sizeof(Operand) == 1 ? 0x1p-13 : 0x1p-23;
  const std::int64_t instructions = (terms + depth - 1) / depth;
  return (static_cast<double>(terms + instructions) * cut +
          static_cast<double>(instructions) * 2 * unit_roundoff<Accumulator>()) *
         largest;
}
template <class T> std::string text(Near<T> near) { return text(near.value) + " by " + text(near.error); }

/// Whether a result is what its reference says: exactly, or as near as that allows.
template <class T> bool agrees(T a, T b) { return same(a, b); }
template <class T> bool agrees(T a, Near<T> b) {
  const double x = static_cast<double>(wide(a));
  if (std::isnan(b.value) || std::isinf(b.value))
    return same(x, b.value);
  if (b.value == 0)
    return std::abs(x) <= b.error;
  const double unit = std::ldexp(1.0, std::max(std::ilogb(b.value) - digits<T>(), least_exponent<T>()));
  return std::abs(x - b.value) <= b.error + unit;
}
template <class T, int Rank, class Reference>
void expect_agrees(const char *what, const buffer<T, Rank> &result, Reference reference) {
  expect_all(what, result, reference, [](T a, auto b) { return agrees(a, b); });
}

/// Within some units in the last place of a reference of higher precision.
template <class T, int Rank, class Reference>
void expect_near(const char *what, const buffer<T, Rank> &result, Reference reference, double most) {
  expect_all(what, result, reference, [most](T a, auto b) { return ulps(a, b) <= most; });
}

} // namespace tegula::test
