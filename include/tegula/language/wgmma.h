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
template <class Element, int M, int N> struct acc : ref<Element, memory_space::registers, M, N> {
  static_assert(M > 0 && M % 64 == 0, "an accumulator has a multiple of 64 rows");
  static_assert(N > 0 && N % 8 == 0 && N <= 256, "an accumulator has a multiple of 8 columns, at most 256");
  static_assert(detail::one_of<Element, float, f16>, "products accumulate in float, or of f16 in f16");
  acc();
  acc(const tile<Element, M, N> &initial);
  acc(const acc &)
      TEGULA_REFUSED("an accumulator has one name: capture it by reference, [&], or read it, acc[tg::all]");
  acc &operator=(const acc &) TEGULA_REFUSED("an accumulator is assigned as a tile: acc[tg::all] = other[tg::all]");
  template <class V> void operator=(const V &) TEGULA_REFUSED(TEGULA_STORE_INTO);
};

namespace detail {
template <class E, int M, int N> inline constexpr bool is_ref<acc<E, M, N>> = true;
template <class R> inline constexpr bool is_acc = false;
template <class E, int M, int N> inline constexpr bool is_acc<acc<E, M, N>> = true;

template <class... V> inline constexpr bool are_matrices = ((V::rank == 2) && ...);
template <class A, class B> inline constexpr bool contract = A::shape.size[1] == B::shape.size[0];
template <class Acc, class A, class B>
inline constexpr bool accumulates = Acc::shape.size[0] == A::shape.size[0] && Acc::shape.size[1] == B::shape.size[1];
template <class E> inline constexpr bool is_multiplied = one_of<E, f16, bf16, e4m3>;
template <class A> inline constexpr bool fills_instructions = A::shape.size[1] % (32 / int{sizeof(element_t<A>)}) == 0;

template <class Acc, class A, class B>
inline constexpr bool are_operands = is_acc<Acc> && (smem_ref<A> || tile_like<A>) && smem_ref<B>;

template <class Acc, class A, class B> constexpr void check_product() {
  using E = element_t<A>;
  static_assert(are_matrices<A, B>,
                "wgmma multiplies matrices, of two dimensions: a ring of them is narrowed by .at(stage)");
  static_assert(same_elements<A, B>, "wgmma multiplies matrices of the same elements");
  static_assert(is_multiplied<E>, "wgmma multiplies f16, bf16 or e4m3");
  static_assert(!__is_same(element_t<Acc>, f16) || __is_same(E, f16), "only products of f16 accumulate in f16");
  if constexpr (are_matrices<A, B>) {
    static_assert(contract<A, B>, "a is M x K and b is K x N, but they differ in K");
    static_assert(!contract<A, B> || accumulates<Acc, A, B>, "a is M x K and b is K x N, so acc is M x N");
    static_assert(fills_instructions<A>, "K is a multiple of 32 bytes: of 16 elements of f16 or bf16, of 32 of e4m3");
  }
}
} // namespace detail

struct wgmma_options {
  /// False: acc = a b, whatever acc holds. Known at run time or before.
  bool accumulate = true;
};

/// Begins acc += a b. a, M x K, is in shared memory or a tile; b, K x N, is in shared memory; either may be transposed,
/// tg::transpose_ref. What the products read stays as it is until they are waited for.
template <class Acc, class A, class B>
constexpr void wgmma(const Acc &, const A &, const B &, const wgmma_options & = {}) {
  static_assert(detail::are_operands<Acc, A, B>,
                "wgmma(acc, a, b) takes a tg::acc, a in shared memory or a tile, and b in shared memory");
  if constexpr (detail::are_operands<Acc, A, B>)
    detail::check_product<Acc, A, B>();
}
/// Waits until at most N products of this thread are in flight.
template <int N> constexpr void wgmma_wait() { static_assert(N >= 0 && N <= 7, "0 to 7 products may be in flight"); }

} // namespace tegula
