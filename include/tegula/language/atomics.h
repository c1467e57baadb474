// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic updates of arrays, by several programs or by several elements of a tile.
//   tg::atomic_add(histogram.at(bin), 1)             for each element of bin, a tile of indices
//   tg::atomic_add(o.at(row), partial_row)           a whole window, element by element
//   const auto i = tg::atomic_add(count.at(0), 1)    a scalar, once a program; it returns the old value
// In tg::kernel shared memory is updated likewise, tg::atomic_add(counts, row), also that of another CTA of the cluster
// (tg::cluster_ref), where elements of 64 bits have integer adds only. Each element is updated atomically; the order is
// unspecified, so sums of floats differ in rounding from run to run. An array that several programs update must be
// tg::inout, and no program may load or store with plain accesses what others update: the CPU target detects that. The
// value and the mask, tiles or scalars, broadcast to the ref; where the mask is false nothing is accessed, and 0 is
// returned.
//
// Cost: updates of small arrays at tiles of indices, such as a histogram, are first combined in the shared memory of
// each CTA (samples/embedding counts bytes). Conditions: the old values are not used; the launch updates the array by
// one kind of operation, with an index for every dimension, in default order and scope, and does not access it
// otherwise; the operation is a sum of integers, f32 or f64, or any other operation on integers. The host must also
// find that the array is contiguous, has at most 32 KiB (two arrays 16 KiB each, three or four 8 KiB), and gets several
// updates per element from each CTA: use whole arrays.
// Otherwise each element is one L2 access, and updates of one address are serialized. Sums of floats whose old values
// are not used take up to 16 bytes at a time where rows are aligned (PTX ISA, "red": f16 and bf16 in pairs, all of them
// in vectors from sm_90 on). Using the old value adds a round trip. There are instructions for integers of 32 and 64
// bits, for adds of f16, f32 and f64, of bf16 from sm_90 on, and for exchanges; minima and maxima of floats, and other
// adds of bf16, are compare-and-swap loops. On the CPU programs run one after the other.
#pragma once

#include "ref.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// How an update orders this thread's other memory accesses (PTX ISA, "Memory Consistency Model").
enum class memory_order { relaxed, acquire, release, acq_rel };
/// The threads with respect to which an update is atomic: those of the CTA, of the GPU, or of all GPUs and the host.
enum class memory_scope { cta, gpu, sys };

/// Trailing options of an update, after its value or its mask: {.order = tg::memory_order::release}.
struct atomic_options {
  memory_order order = memory_order::relaxed;
  memory_scope scope = memory_scope::gpu;
};

namespace detail {
template <class E> inline constexpr bool is_word = one_of<E, s32, u32, s64, u64>;
template <class E> inline constexpr bool is_updated = is_word<E> || one_of<E, f16, bf16, f32, f64>;

enum class update { sum, choice, bits };

template <update Kind, class E, memory_space S, int... N, class V>
constexpr auto &updated(const ref<E, S, N...> &, const V &) {
  using target = ref<__remove_const(E), S, N...>;
  static_assert(value<V>, TEGULA_A_PLACE);
  static_assert(!__is_const(E), TEGULA_READ_ONLY);
  static_assert(S != memory_space::registers,
                "an accumulator cannot be updated atomically: update an array or shared memory");
  static_assert(
      is_updated<element_t<target>>,
      "this element type has no atomic updates: keep counts and sums in s32, u32, s64, u64, f16, bf16, f32 or f64");
  static_assert(Kind != update::bits || !is_updated<element_t<target>> || is_word<element_t<target>>,
                "bitwise atomic updates take integers of 32 or 64 bits only: use s32, u32, s64 or u64");
  static_assert(S != memory_space::cluster || sizeof(element_t<target>) < 8 ||
                    (Kind == update::sum && is_word<element_t<target>>),
                "elements of 64 bits in another CTA's memory have integer adds only: update elements of 32 bits, this "
                "CTA's memory, or an array");
  static_assert(!value<V> || is_tile<V> || adapts<element_t<V>, element_t<target>>, TEGULA_DOES_NOT_ADAPT);
  static_assert(fills<V, target>,
                "the element types differ, and an update does not convert: write tg::astype<...>(value)");
  static_assert(covers<V, target>, "the value does not broadcast to the shape of the ref");
  return some<tile_t<element_t<target>, dims{sizeof...(N), {N...}}>>();
}
template <class R, class M> constexpr void check_mask() {
  static_assert(value<M>, TEGULA_A_PLACE);
  static_assert(is_mask<M>, "a mask must have bool elements: compare first, mask != 0");
  static_assert(covers<M, R>, "the mask does not broadcast to the shape of the ref");
}
} // namespace detail

#define TEGULA_ATOMIC(name, kind)                                                                                      \
  template <class E, memory_space S, int... N, detail::given V>                                                        \
  constexpr auto name(const ref<E, S, N...> &place, const V &value, const atomic_options & = {}) {                     \
    return detail::updated<kind>(place, value);                                                                        \
  }                                                                                                                    \
  template <class E, memory_space S, int... N, detail::given V, detail::given M>                                       \
  constexpr auto name(const ref<E, S, N...> &place, const V &value, const M &, const atomic_options & = {}) {          \
    detail::check_mask<ref<E, S, N...>, M>();                                                                          \
    return detail::updated<kind>(place, value);                                                                        \
  }                                                                                                                    \
  template <value P, class... V>                                                                                       \
  void name(const P &, const V &...)                                                                                   \
      TEGULA_REFUSED("an update takes a ref, not a loaded value: tg::" #name "(o.at(i), value)");
/// atomic_add(ref, value, mask) replaces the element by the sum; integers wrap.
TEGULA_ATOMIC(atomic_add, detail::update::sum)
/// Replaces the element by the greater of the two; for floats NaN if either is, and -0 < +0.
TEGULA_ATOMIC(atomic_max, detail::update::choice)
/// Replaces the element by the less of the two; NaN and zeros as for atomic_max.
TEGULA_ATOMIC(atomic_min, detail::update::choice)
/// Bitwise operations on elements of s32, u32, s64 or u64: atomic_and, atomic_or, atomic_xor.
TEGULA_ATOMIC(atomic_and, detail::update::bits)
TEGULA_ATOMIC(atomic_or, detail::update::bits)
TEGULA_ATOMIC(atomic_xor, detail::update::bits)
/// Replaces the element by the value.
TEGULA_ATOMIC(atomic_exch, detail::update::choice)
#undef TEGULA_ATOMIC

/// Replaces the element by the value if it equals `compare` bit by bit; it did if the returned old value equals
/// `compare`.
template <class E, memory_space S, int... N, detail::given C, detail::given V>
constexpr auto atomic_cas(const ref<E, S, N...> &place, const C &compare, const V &value, const atomic_options & = {}) {
  (void)detail::updated<detail::update::choice>(place, compare);
  return detail::updated<detail::update::choice>(place, value);
}
template <class E, memory_space S, int... N, detail::given C, detail::given V, detail::given M>
constexpr auto atomic_cas(const ref<E, S, N...> &place, const C &compare, const V &value, const M &,
                          const atomic_options & = {}) {
  detail::check_mask<ref<E, S, N...>, M>();
  (void)detail::updated<detail::update::choice>(place, compare);
  return detail::updated<detail::update::choice>(place, value);
}

} // namespace tegula
