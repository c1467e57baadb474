// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hopper's tensor cores.
#pragma once

#include "shared.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// The accumulator of a thread's products, in its registers: zero, or a tile. A local variable with one name.
/// acc[...] reads it, and first waits for all products of the thread. acc[tg::all] = x sets it.
/// More than 256 columns take several instructions. A lane has at most 255 registers: 64 x 384 of float or s32 leave
/// some for the rest, and 64 x 512 of f16.
template <class Element, int M, int N> struct acc : ref<Element, memory_space::registers, M, N> {
  static_assert(M > 0 && M % 64 == 0, "an accumulator has a multiple of 64 rows");
  static_assert(N > 0 && N % 8 == 0 && N <= 512, "an accumulator has a multiple of 8 columns, at most 512");
  static_assert(detail::one_of<Element, float, f16, s32>, "products accumulate in float, f16 or s32");
  static_assert(!__is_same(Element, s32) || N % 16 == 0 || N <= 24,
                "an accumulator of s32 has a multiple of 16 columns, or 8 or 24");
  acc();
  acc(const tile<Element, M, N> &initial);
  /// A part of it: what a product adds to, or what wgmma_accumulator_load reads. It begins at constants, a multiple of
  /// 64 rows and of 8 columns: registers have no addresses.
  ///   tg::wgmma(acc.at(tg::ds<64>(64), tg::ds<128>(0)), a, b);
  /// Cost: none.
  template <index_like... I>
    requires(detail::consumed<I...> <= 2)
  constexpr auto &at(const I &...) const {
    constexpr detail::dims part = detail::indexed<ref<Element, memory_space::registers, M, N>::shape, I...>::shape;
    return detail::some<detail::ref_t<Element, memory_space::registers, part>>();
  }
  acc(const acc &)
      TEGULA_REFUSED("an accumulator has one name: capture it by reference, [&], or read it, acc[tg::all]");
  acc &operator=(const acc &) TEGULA_REFUSED("an accumulator is assigned as a tile: acc[tg::all] = other[tg::all]");
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
                "a part of an accumulator has two dimensions: acc.at(tg::ds<64>(0), tg::ds<128>(0))");
  static_assert(are_matrices<A, B>,
                "wgmma multiplies matrices, of two dimensions: a ring of them is narrowed by .at(stage)");
  static_assert(are_multiplied<E, F>, "wgmma multiplies f16, bf16 or float by the same elements, 8-bit floats by 8-bit "
                                      "floats, and s8 or u8 by s8 or u8");
  static_assert(!are_multiplied<E, F> || is_summed<E, F, element_t<Acc>>,
                "products of f16 and of 8-bit floats accumulate in float or f16, those of bf16 and of float in float, "
                "those of s8 and u8 in s32");
  if constexpr (are_matrices<Acc, A, B>) {
    static_assert(Acc::shape.size[0] % 64 == 0 && Acc::shape.size[1] % 8 == 0,
                  "a part of an accumulator has a multiple of 64 rows and of 8 columns");
    static_assert(contract<A, B>, "a is M x K and b is K x N, but they differ in K");
    static_assert(!contract<A, B> || accumulates<Acc, A, B>, "a is M x K and b is K x N, so acc is M x N");
    static_assert(fills_instructions<A>,
                  "K is a multiple of 32 bytes: of 8 elements of float, 16 of f16 or bf16, 32 of 8 bits");
  }
}
} // namespace detail

/// Behind a product's factors: {.accumulate = k > 0}.
struct wgmma_options {
  /// False: acc = a b, whatever acc holds. Known at run time or before.
  bool accumulate = true;
};

/// Begins acc += a b (PTX ISA, wgmma.mma_async; sm_90a). a, M x K, is in shared memory or a tile; b, K x N, is in
/// shared memory. What the products read stays as it is until they are waited for. acc may be a part, acc.at(...).
///
///     a and b               accumulator   which way round they lie in shared memory
///     f16                   float, f16    either: tg::transpose_ref(a), tg::transpose_ref(b)
///     bf16                  float         the same
///     8-bit floats, mixed   float, f16    a as M x K; b as N x K, given as tg::transpose_ref(b)
///     s8, u8, mixed         s32           as 8-bit floats
///     float, as tf32        float         as 8-bit floats
///
/// Sums of s8 and u8 wrap, and are exact. Those of 8-bit floats keep some 14 bits in each step of 32 products. Of a
/// float, the unit reads sign, exponent and 10 bits of the fraction, as if the other 13 were zero.
///   tg::wgmma(acc, a_smem, b_smem);
///   tg::wgmma_wait<0>();
/// Cost: an instruction of the warpgroup for 64 rows, up to 256 columns and 32 bytes of K, which runs on while the
/// thread does: the tensor cores' full rate from 128 columns on, as far as shared memory feeds them. The accumulator
/// takes M N / 128 registers of each lane (half of f16). A tile a lies as the unit takes it if it is loaded for that,
/// or is of 16 bits and made of an accumulator; else its elements move between lanes.
template <class Acc, class A, class B>
constexpr void wgmma(const Acc &, const A &, const B &, const wgmma_options & = {}) {
  static_assert(detail::are_operands<Acc, A, B>,
                "wgmma(acc, a, b) takes a tg::acc, a in shared memory or a tile, and b in shared memory");
  if constexpr (detail::are_operands<Acc, A, B>)
    detail::check_product<Acc, A, B>();
}
/// Waits until at most N products of this thread are in flight.
/// Cost: the time until that is so.
template <int N> constexpr void wgmma_wait() { static_assert(N >= 0 && N <= 7, "0 to 7 products may be in flight"); }

/// An accumulator, or a part of one, acc.at(...), as it is when at most N products of this thread are in flight:
/// acc[tg::all] waits for all of them. The products that N leaves in flight are the last ones, and add to other
/// accumulators or to other parts.
///   const auto left = tg::wgmma_accumulator_load<1>(acc.at(tg::all, tg::ds<128>(0)));
/// Cost: a wait, and no data moves: the tile is the accumulator's registers.
template <int N, class Acc> constexpr auto wgmma_accumulator_load(const Acc &) {
  static_assert(N >= 0 && N <= 7, "0 to 7 products may be in flight");
  static_assert(detail::is_acc<Acc>, "wgmma_accumulator_load<N>(acc) reads a tg::acc");
  if constexpr (detail::is_acc<Acc>)
    return detail::some<detail::tile_t<detail::element_t<Acc>, Acc::shape>>();
}

} // namespace tegula
