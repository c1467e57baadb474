// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of 4-bit elements, two to a byte, for host programs and CPU kernels. The element of an even index is the lower
// half of its byte, and neighbours along the last dimension share bytes. Every row starts at a byte: the last half byte
// of a row of odd length is padding, which is neither read nor changed.
//
// Elements have no addresses. T * and T & are replaced by packed_pointer<T> and packed_reference<T>, which cost a shift
// and a mask; pointer_t and reference_t are defined for every element type.
//
//   std::vector<std::uint8_t> bytes(rows * ((columns + 1) / 2));
//   tegula::array<tegula::s4, 2> w(tegula::packed_pointer<tegula::s4>(bytes.data()), {rows, columns});
//   w(1, 2) = tegula::s4(-3);
//
// A GPU updates a half byte in the aligned 32-bit word around it: GPU memory that a caller allocates for such arrays
// must start and end at whole words, as Tegula's own does.
//
// Entries refuse views whose rows do not start at bytes: a last stride other than 1, other strides that are odd, a
// slice that starts at an odd index.

#ifndef TEGULA_PACKED_H
#define TEGULA_PACKED_H

#include "tegula/types.h"

namespace tegula {

/// Whether arrays of T hold two elements in a byte.
template <class T> inline constexpr bool is_packed = bits_of(dtype_of<T>) == 4;

/// A reference to an element of a packed array: it converts to a T, and can be assigned one. Copies refer to the same
/// element.
template <class T> class packed_reference {
public:
  using element = std::remove_const_t<T>;
  using byte = std::conditional_t<std::is_const_v<T>, const std::uint8_t, std::uint8_t>;

  packed_reference(byte *at, bool is_upper) noexcept : byte_(at), shift_(is_upper ? 4 : 0) {}
  packed_reference(const packed_reference &) noexcept = default;
  /// A reference to a mutable element converts to one to a const element.
  template <class U, class = std::enable_if_t<std::is_same_v<const U, T>>>
  packed_reference(const packed_reference<U> &other) noexcept : byte_(other.byte_), shift_(other.shift_) {}

  operator element() const noexcept { return element::from_bits(static_cast<std::uint8_t>(*byte_ >> shift_)); }
  template <class Number, class = std::enable_if_t<std::is_arithmetic_v<Number>>>
  explicit operator Number() const noexcept {
    return static_cast<Number>(static_cast<element>(*this));
  }
  const packed_reference &operator=(element value) const noexcept {
    static_assert(!std::is_const_v<T>,
                  "an element of an array of const elements cannot be assigned: use an array of mutable elements");
    *byte_ = static_cast<std::uint8_t>((*byte_ & (0xf0U >> shift_)) | (static_cast<unsigned>(value.bits) << shift_));
    return *this;
  }
  const packed_reference &operator=(const packed_reference &other) const noexcept {
    return *this = static_cast<element>(other);
  }

private:
  template <class> friend class packed_reference;
  template <class> friend class packed_pointer;
  byte *byte_;
  unsigned shift_;
};

/// A pointer to an element of a packed array: a byte, and which half of it. Arithmetic counts elements.
template <class T> class packed_pointer {
public:
  using byte = typename packed_reference<T>::byte;

  constexpr packed_pointer(std::nullptr_t = nullptr) noexcept {}
  /// Points to the lower half of a byte.
  explicit packed_pointer(byte *at) noexcept : byte_(at) {}
  explicit packed_pointer(const packed_reference<T> &of) noexcept : byte_(of.byte_), is_upper_(of.shift_ != 0) {}
  template <class U, class = std::enable_if_t<std::is_same_v<const U, T>>>
  packed_pointer(const packed_pointer<U> &other) noexcept : byte_(other.bytes()), is_upper_(other.is_upper()) {}

  byte *bytes() const noexcept { return byte_; }
  bool is_upper() const noexcept { return is_upper_; }

  packed_reference<T> operator*() const noexcept { return {byte_, is_upper_}; }
  packed_reference<T> operator[](std::int64_t i) const noexcept { return *(*this + i); }
  packed_pointer &operator+=(std::int64_t elements) noexcept {
    const std::int64_t half = (is_upper_ ? 1 : 0) + elements;
    byte_ += half >> 1;
    is_upper_ = (half & 1) != 0;
    return *this;
  }
  friend packed_pointer operator+(packed_pointer from, std::int64_t elements) noexcept { return from += elements; }
  friend std::int64_t operator-(packed_pointer to, packed_pointer from) noexcept {
    return (to.byte_ - from.byte_) * 2 + (to.is_upper_ ? 1 : 0) - (from.is_upper_ ? 1 : 0);
  }
  friend bool operator==(packed_pointer a, packed_pointer b) noexcept {
    return a.byte_ == b.byte_ && a.is_upper_ == b.is_upper_;
  }
  friend bool operator!=(packed_pointer a, packed_pointer b) noexcept { return !(a == b); }

private:
  byte *byte_ = nullptr;
  bool is_upper_ = false;
};

namespace detail {
template <class Pointer> struct pointed {
  using type = std::remove_pointer_t<Pointer>;
};
template <class T> struct pointed<packed_pointer<T>> {
  using type = T;
};
template <class Pointer> using pointed_t = typename pointed<Pointer>::type;

template <class T, bool IsPacked> struct places {
  using pointer = T *;
  using reference = T &;
};
template <class T> struct places<T, true> {
  using pointer = packed_pointer<T>;
  using reference = packed_reference<T>;
};
} // namespace detail

/// The pointer and reference types of array elements, const or not.
template <class T> using pointer_t = typename detail::places<T, is_packed<T>>::pointer;
template <class T> using reference_t = typename detail::places<T, is_packed<T>>::reference;

/// The pointer to the element of a reference.
template <class T> pointer_t<T> pointer_to(reference_t<T> element) noexcept {
  if constexpr (is_packed<T>)
    return pointer_t<T>(element);
  else
    return &element;
}

/// A pointer to the elements that start at an address.
template <class T> pointer_t<T> pointer_at(void *memory) noexcept {
  if constexpr (is_packed<T>)
    return pointer_t<T>(static_cast<std::uint8_t *>(memory));
  else
    return static_cast<T *>(memory);
}

/// The address of an element, or of the byte that holds it.
template <class T> T *address_of(T *element) noexcept { return element; }
template <class T> auto address_of(packed_pointer<T> element) noexcept { return element.bytes(); }

/// The number of elements that a row occupies in memory, rounded up to whole bytes.
template <class T> constexpr std::int64_t row_pitch(std::int64_t elements) noexcept {
  return is_packed<T> ? elements + (elements & 1) : elements;
}

} // namespace tegula

#endif // TEGULA_PACKED_H
