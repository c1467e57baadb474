// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic updates: what several programs, or several elements of a tile, add up in one place of an array.
//   tg::atomic_add(histogram.at(bin), 1)             for each element of bin, a tile of indices
//   tg::atomic_add(o.at(row), partial_row)           all of a window, element by element
//   const auto i = tg::atomic_add(count.at(0), 1)    a number, once a program; it returns what was there before
// In tg::kernel shared memory is updated in the same way, tg::atomic_add(counts, row), also that of another block of
// the cluster (tg::cluster_ref), where elements of 64 bits take sums of integers alone. Each element is updated at
// once, in no order: sums of floats differ in rounding from run to run. The array is tg::inout where several programs
// update it, and none reads or stores otherwise what others update: the CPU target finds that. The value and the mask,
// tiles or scalars, broadcast to the place; where the mask is false nothing is touched, and 0 is returned.
//
// Cost: updates of small arrays at tiles of indices, as of a histogram, are combined in the shared memory of each CTA
// (samples/embedding counts bytes). That is so where nobody asks for what was there, and where a launch updates the
// array in one way, with an index for each dimension, in default order and scope, and does not access it otherwise: by
// sums of integers, f32 and f64, or in other ways of integers. The host finds out whether the array is contiguous, of
// at most 32 KiB (two of 16, three or four of 8), and gets several updates an element from each CTA: take whole arrays.
// Otherwise: an L2 access for each element, in which updates of one address are serialized; sums of floats that nobody
// asks for go by up to 16 bytes at a time where rows are aligned (PTX ISA, "red": f16 and bf16 in pairs, all in vectors
// from sm_90 on). What is asked for is a round trip more. There are instructions for integers of 32 and 64 bits, for
// additions of f16, f32 and f64, of bf16 from sm_90 on, and for exchanges; maxima and minima of floats, and other
// additions of bf16, repeat a compare-and-swap until no other thread came between. On the CPU programs run one after
// the other.
#pragma once

#include "ref.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// How an update orders the thread's accesses of other memory (PTX ISA, "Memory Consistency Model").
enum class memory_order { relaxed, acquire, release, acq_rel };
/// For whom an update is one step: threads of the CTA, of the GPU, or of all GPUs and the host.
enum class memory_scope { cta, gpu, sys };

/// Behind an update's value, or its mask: {.order = tg::memory_order::release}.
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
  static_assert(S != memory_space::registers, "atomic updates are of arrays and of shared memory, not of accumulators");
  static_assert(is_updated<element_t<target>>,
                "atomic updates are of s32, u32, s64, u64, f16, bf16, f32 and f64: keep counts and sums in these");
  static_assert(Kind != update::bits || !is_updated<element_t<target>> || is_word<element_t<target>>,
                "bits are combined of s32, u32, s64 and u64");
  static_assert(S != memory_space::cluster || sizeof(element_t<target>) < 8 ||
                    (Kind == update::sum && is_word<element_t<target>>),
                "of elements of 64 bits, another block's memory takes sums of integers alone: update elements of 32 "
                "bits, or memory of this block, or an array");
  static_assert(!value<V> || is_tile<V> || adapts<element_t<V>, element_t<target>>, TEGULA_DOES_NOT_ADAPT);
  static_assert(fills<V, target>, "an update does not convert elements: write tg::astype<...>(value)");
  static_assert(covers<V, target>, "the value does not broadcast to the shape of the place");
  return some<tile_t<element_t<target>, dims{sizeof...(N), {N...}}>>();
}
template <class R, class M> constexpr void check_mask() {
  static_assert(value<M>, TEGULA_A_PLACE);
  static_assert(is_mask<M>, "a mask must have bool elements: compare first, mask != 0");
  static_assert(covers<M, R>, "the mask does not broadcast to the shape of the place");
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
      TEGULA_REFUSED("an update takes a place, not what is in it: tg::" #name "(o.at(i), value)");
/// atomic_add(place, value, mask): the element becomes the sum; integers wrap.
TEGULA_ATOMIC(atomic_add, detail::update::sum)
/// The element becomes the larger one; of floats NaN if one is, and -0 < +0.
TEGULA_ATOMIC(atomic_max, detail::update::choice)
/// The element becomes the smaller one.
TEGULA_ATOMIC(atomic_min, detail::update::choice)
/// The element, of s32, u32, s64 or u64, is combined with the value bit by bit: atomic_and, atomic_or, atomic_xor.
TEGULA_ATOMIC(atomic_and, detail::update::bits)
TEGULA_ATOMIC(atomic_or, detail::update::bits)
TEGULA_ATOMIC(atomic_xor, detail::update::bits)
/// The element becomes the value.
TEGULA_ATOMIC(atomic_exch, detail::update::choice)
#undef TEGULA_ATOMIC

/// The element becomes the value if it is equal to `compare`, bit by bit: what is returned tells.
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
