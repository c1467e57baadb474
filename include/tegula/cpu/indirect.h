// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gathered elements, at indices that are loaded, and atomic updates of elements.

#ifndef TEGULA_CPU_INDIRECT_H
#define TEGULA_CPU_INDIRECT_H

#include "tegula/cpu/reach.h"
#include "tegula/cpu/scalar.h"

#include <cstring>

namespace tegula::cpu {

/// The element at an index. An index out of bounds is an error of the kernel.
template <class T, int Rank>
reference_t<T> element(const site &where, const ref<T, Rank> &place, const shape<Rank> &index) {
  for (int axis = 0; axis < Rank; ++axis)
    if (index[axis] < 0 || index[axis] >= place.dim(axis))
      fail_outside(where, axis, index[axis], place.dim(axis));
  return place.at(index);
}
template <class T, int Rank>
reference_t<T> element(const site &where, const reach<T, Rank> &place, const shape<Rank> &index) {
  for (int axis = 0; axis < Rank; ++axis)
    if (index[axis] < 0 || index[axis] >= place.dim(axis))
      fail_outside(where, axis, index[axis], place.dim(axis));
  return place.at(index);
}

/// The element where the mask is true, else `other`. Along `Axes` the index is loaded, and must be in bounds; beyond
/// the end of another dimension, the result is `other`, too.
template <int... Axes, class Place>
typename Place::element gather(const site &where, const Place &place, const shape<Place::rank> &index, bool mask,
                               typename Place::element other) {
  if (!mask)
    return other;
  for (int axis = 0; axis < Place::rank; ++axis)
    if (((axis != Axes) && ...) && index[axis] >= place.dim(axis))
      return other;
  return element(where, place, index);
}

/// The element, or for sub-tiles that extend past the edge, as in ref::padded, a value that nothing may depend on.
template <class T, int Rank> std::remove_const_t<T> padded(const ref<T, Rank> &place, const shape<Rank> &index) {
  for (int axis = 0; axis < Rank; ++axis)
    if (index[axis] < 0 || index[axis] >= place.dim(axis)) {
      if constexpr (is_packed<T>)
        return std::remove_const_t<T>::from_bits(0x5);
      std::remove_const_t<T> other;
      std::memset(static_cast<void *>(&other), std::is_same_v<T, const bool> || std::is_same_v<T, bool> ? 1 : 0xa5,
                  sizeof other);
      return other;
    }
  return place.at(index);
}
template <class Place>
typename Place::element padded(const Place &place, const shape<Place::rank> &index, bool mask,
                               typename Place::element other) {
  for (int axis = 0; axis < Place::rank; ++axis)
    mask &= index[axis] >= 0 && index[axis] < place.dim(axis);
  return mask ? typename Place::element(place.at(index)) : other;
}

// ---- Atomic updates: each returns the old value. Programs run one after the other. ----

namespace detail {
template <class T, class F> T update(T &element, F combine) {
  const T old = element;
  element = combine(old);
  return old;
}
} // namespace detail

template <class T> T atomic_add(T &element, T value) {
  return detail::update(element, [&](T old) { return add(old, value); });
}
template <class T> T atomic_max(T &element, T value) {
  return detail::update(element, [&](T old) { return maximum(old, value); });
}
template <class T> T atomic_min(T &element, T value) {
  return detail::update(element, [&](T old) { return minimum(old, value); });
}
template <class T> T atomic_and(T &element, T value) {
  return detail::update(element, [&](T old) { return bit_and(old, value); });
}
template <class T> T atomic_or(T &element, T value) {
  return detail::update(element, [&](T old) { return bit_or(old, value); });
}
template <class T> T atomic_xor(T &element, T value) {
  return detail::update(element, [&](T old) { return bit_xor(old, value); });
}
template <class T> T atomic_exch(T &element, T value) {
  return detail::update(element, [&](T) { return value; });
}
/// Replaces the element if it has the bits of `compare`.
template <class T> T atomic_cas(T &element, T compare, T value) {
  return detail::update(element, [&](T old) { return std::memcmp(&old, &compare, sizeof old) == 0 ? value : old; });
}

} // namespace tegula::cpu

#endif // TEGULA_CPU_INDIRECT_H
