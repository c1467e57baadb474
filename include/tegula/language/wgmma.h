// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hopper's tensor cores: wgmma and its accumulators (sm_90a).
#pragma once

#include "shared.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// The accumulator of a warpgroup's wgmma operations, in its registers, initially zero or a tile. It is a local
/// variable, and cannot be copied. acc[...] reads it after waiting for all wgmma operations of the warpgroup.
/// acc[tg::all] = x sets it.
/// More than 256 columns take several instructions. A CUDA thread has at most 255 registers: 64 x 384 of float or s32,
/// or 64 x 512 of f16, leave some for the rest of the code.
template <class Element, int M, int N> struct acc : ref<Element, memory_space::registers, M, N> {
  static_assert(M > 0 && M % 64 == 0,
                "the number of rows of an accumulator is not a multiple of 64: write tg::acc<float, 64, N>");
  static_assert(
      N > 0 && N % 8 == 0 && N <= 512,
      "the number of columns of an accumulator is not a multiple of 8 up to 512: write tg::acc<float, 64, 256>");
  static_assert(detail::one_of<Element, float, f16, s32>,
                "wgmma does not accumulate in this element type: use float, f16 or s32");
  static_assert(!__is_same(Element, s32) || N % 16 == 0 || N <= 24,
                "the number of columns of an s32 accumulator is not supported: write a multiple of 16, or 8 or 24");
  acc();
  acc(const tile<Element, M, N> &initial);
  /// A part of the accumulator, which wgmma adds to or wgmma_accumulator_load reads. It starts at constants, multiples
  /// of 64 rows and of 8 columns, because registers cannot be indexed at run time.
  ///   tg::wgmma(acc.at(tg::ds<64>(64), tg::ds<128>(0)), a, b);
  /// Cost: none.
  template <index_like... I>
    requires(detail::consumed<I...> <= 2)
  constexpr auto &at(const I &...) const {
    constexpr detail::dims part = detail::indexed<ref<Element, memory_space::registers, M, N>::shape, I...>::shape;
    return detail::some<detail::ref_t<Element, memory_space::registers, part>>();
  }
  acc(const acc &)
      TEGULA_REFUSED("an accumulator cannot be copied: capture it by reference, [&], or read it, acc[tg::all]");
  acc &operator=(const acc &)
      TEGULA_REFUSED("an accumulator cannot be assigned as a whole: assign its tile, acc[tg::all] = other[tg::all]");
  template <class V> void operator=(const V &) TEGULA_REFUSED(TEGULA_STORE_INTO);
};

namespace detail {
template <class E, int M, int N> inline constexpr bool is_ref<acc<E, M, N>> = true;
template <class R> inline constexpr bool is_acc = false;
template <class E, int M, int N> inline constexpr bool is_acc<acc<E, M, N>> = true;
template <class E, int... N> inline constexpr bool is_acc<ref<E, memory_space::registers, N...>> = true; // a part

template <class... V> inline constexpr bool are_matrices = ((V::rank == 2) && ...);
template <class A, class B> inline constexpr bool contract = A::shape.size[1] == B::shape.size[0];
template <class Acc, class A, class B>
inline constexpr bool accumulates = Acc::shape.size[0] == A::shape.size[0] && Acc::shape.size[1] == B::shape.size[1];
template <class A, class B, class Sum>
inline constexpr bool is_summed = // one of the rows of the table
#define TEGULA_WGMMA(LEFT, RIGHT, SUM) (__is_same(A, LEFT) && __is_same(B, RIGHT) && __is_same(Sum, SUM)) ||
#include "../wgmma.def"
    false;
template <class A, class B>
inline constexpr bool are_multiplied = is_summed<A, B, float> || is_summed<A, B, f16> || is_summed<A, B, s32>;
template <class A> inline constexpr bool fills_instructions = A::shape.size[1] % (32 / int{sizeof(element_t<A>)}) == 0;

template <class Acc, class A, class B>
inline constexpr bool are_operands = is_acc<Acc> && (smem_ref<A> || tile_like<A>) && smem_ref<B>;

template <class Acc, class A, class B> constexpr void check_product() {
  using E = element_t<A>;
  using F = element_t<B>;
  static_assert(are_matrices<Acc>,
                "a part of an accumulator must have two dimensions: acc.at(tg::ds<64>(0), tg::ds<128>(0))");
  static_assert(are_matrices<A, B>,
                "an operand of wgmma is not a matrix of two dimensions: select a stage of a ring by .at(stage)");
  static_assert(are_multiplied<E, F>, "wgmma does not multiply these element types: it takes f16, bf16 or float with "
                                      "the same type, 8-bit floats with 8-bit floats, and s8 or u8 with s8 or u8");
  static_assert(!are_multiplied<E, F> || is_summed<E, F, element_t<Acc>>,
                "the accumulator has the wrong element type: float or f16 for f16 and 8-bit floats, float for bf16 and "
                "float, s32 for s8 and u8");
  if constexpr (are_matrices<Acc, A, B>) {
    static_assert(Acc::shape.size[0] % 64 == 0 && Acc::shape.size[1] % 8 == 0,
                  "a part of an accumulator must have a multiple of 64 rows and of 8 columns: acc.at(tg::ds<64>(0), "
                  "tg::ds<128>(0))");
    static_assert(contract<A, B>, "a and b differ in K: a is M x K and b is K x N");
    static_assert(!contract<A, B> || accumulates<Acc, A, B>,
                  "the accumulator's shape does not fit: a is M x K and b is K x N, so acc is M x N");
    static_assert(
        fills_instructions<A>,
        "K is not a multiple of 32 bytes: use a multiple of 8 elements of float, 16 of f16 or bf16, 32 of 8 bits");
  }
}
} // namespace detail

/// Trailing options of wgmma: {.accumulate = k > 0}.
struct wgmma_options {
  /// False: acc = a b, whatever acc holds. A constant or a run-time value.
  bool accumulate = true;
};

/// Starts acc += a b (PTX ISA, wgmma.mma_async; sm_90a). a, M x K, is in shared memory or a tile; b, K x N, is in
/// shared memory. Operands must not change until the wgmma has been waited for. acc may be a part, acc.at(...).
///
///     a and b               accumulator   layout of a and b in shared memory
///     f16                   float, f16    any: row-major, or transposed: tg::transpose_ref(a), tg::transpose_ref(b)
///     bf16                  float         the same
///     8-bit floats, mixed   float, f16    K-major: a as M x K; b as N x K, given as tg::transpose_ref(b)
///     s8, u8, mixed         s32           as 8-bit floats
///     float, as tf32        float         as 8-bit floats
///
/// Sums of s8 and u8 wrap, and are exact. Sums of 8-bit floats keep some 14 bits in each step of 32 products. Of a
/// float, the tensor core reads the sign, the exponent and the upper 10 bits of the fraction, as if the other 13 were
/// zero.
///   tg::wgmma(acc, a_smem, b_smem);
///   tg::wgmma_wait<0>();
/// Cost: one asynchronous instruction of the warpgroup for 64 rows, up to 256 columns and 32 bytes of K: the tensor
/// cores' full rate from 128 columns on, if shared memory bandwidth suffices. The accumulator takes M N / 128 registers
/// of each CUDA thread (half of that for f16). A register operand a has the required layout if it is loaded for wgmma,
/// or if it has 16-bit elements and is computed from an accumulator; otherwise a relayout moves its elements between
/// lanes.
template <class Acc, class A, class B>
constexpr void wgmma(const Acc &, const A &, const B &, const wgmma_options & = {}) {
  static_assert(detail::are_operands<Acc, A, B>, "an operand of wgmma(acc, a, b) has the wrong kind: acc is a tg::acc, "
                                                 "a is in shared memory or a tile, and b is in shared memory");
  if constexpr (detail::are_operands<Acc, A, B>)
    detail::check_product<Acc, A, B>();
}
/// Waits until at most N wgmma operations of this warpgroup are in flight.
/// Cost: the waiting time.
template <int N> constexpr void wgmma_wait() {
  static_assert(N >= 0 && N <= 7, "the count of operations in flight is out of range: N is 0 to 7");
}

/// The value of an accumulator, or of a part, acc.at(...), when at most N wgmma operations of this warpgroup are in
/// flight; acc[tg::all] waits for all. The N operations left in flight are the latest ones, and must add to other
/// accumulators or to other parts.
///   const auto left = tg::wgmma_accumulator_load<1>(acc.at(tg::all, tg::ds<128>(0)));
/// Cost: a wait; no data moves, because the tile is the accumulator's registers.
template <int N, class Acc> constexpr auto wgmma_accumulator_load(const Acc &) {
  static_assert(N >= 0 && N <= 7, "the count of operations in flight is out of range: N is 0 to 7");
  static_assert(detail::is_acc<Acc>, "wgmma_accumulator_load<N>(acc) takes a tg::acc, or a part of one");
  if constexpr (detail::is_acc<Acc>)
    return detail::some<detail::tile_t<detail::element_t<Acc>, Acc::shape>>();
}

} // namespace tegula
