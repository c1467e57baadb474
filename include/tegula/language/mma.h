// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tensor cores of a warp, and copies to shared memory that threads make themselves: from sm_80 on, without TMA,
// barriers and wgmma.
#pragma once

#include "matrices.h"
#include "wgmma.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

namespace detail {
template <class... V> inline constexpr bool are_static_matrices = ((tile_like<V> && shape_of<V>.rank == 2) && ...);
/// What wgmma sums in 32 bits, and double.
template <class A, class B, class Sum>
inline constexpr bool is_summed_by_warps = (is_summed<A, B, Sum> && sizeof(Sum) == 4) ||
                                           (__is_same(A, double) && __is_same(B, double) && __is_same(Sum, double));
template <class A, class B>
inline constexpr bool are_multiplied_by_warps =
    is_summed_by_warps<A, B, float> || is_summed_by_warps<A, B, s32> || is_summed_by_warps<A, B, double>;
/// Blocks of 16 rows and 8 columns, for four warps.
consteval bool divide_into_blocks(int rows, int columns) {
  for (int along = 1; along <= 4; along *= 2)
    if (rows % (16 * along) == 0 && columns % (8 * (4 / along)) == 0)
      return true;
  return false;
}
template <class Acc>
inline constexpr bool are_shared_by_warps = divide_into_blocks(shape_of<Acc>.size[0], shape_of<Acc>.size[1]);
template <class A>
inline constexpr int depth_of_mma = sizeof(element_t<A>) == 8 ? 8 : 32 / static_cast<int>(sizeof(element_t<A>));
template <class Acc, class A, class B>
inline constexpr bool fit_mma =
    shape_of<A>.size[1] == shape_of<B>.size[0] && shape_of<Acc>.size[0] == shape_of<A>.size[0] &&
    shape_of<Acc>.size[1] == shape_of<B>.size[1];
} // namespace detail

/// acc + a b, of tiles in the registers of this thread (PTX ISA, "Warp Level Matrix Multiply-Accumulate Instructions":
/// mma.sync; sm_80 and later). Its four warps share acc, M x N, in blocks of 16 rows and 8 columns, and each has of a,
/// M x K, and b, K x N, what it multiplies: tiles that are loaded from shared memory come so, by ldmatrix where the
/// elements have 16 bits or lie along K.
///
///     a and b               acc      K is a multiple of
///     f16, bf16             float    16
///     float, as tf32        float    8
///     8-bit floats, mixed   float    32
///     s8, u8, mixed         s32      32
///     double                double   8
///
/// The order of sums is the instruction's. Sums of s8 and u8 wrap, and are exact. Of a float, the unit reads sign,
/// exponent and 10 bits of the fraction. 8-bit floats are multiplied as f16 before sm_89.
///   sum = tg::mma(sum, a_smem[tg::all], b_smem[tg::all]);
/// Cost: an instruction of each warp for 16 x 8 results of 32 bytes of K, and an ldmatrix for each four 8 x 16 byte
/// parts of a and b. On sm_90a the tensor cores reach about 0.6 of their rate with wgmma.
template <class Acc, class A, class B> constexpr auto mma(const Acc &, const A &, const B &) {
  using namespace detail;
  static_assert(are_static_matrices<Acc, A, B>,
                "mma(acc, a, b) multiplies tiles of two dimensions in registers: read a and b from shared memory, "
                "a_smem[tg::all]");
  if constexpr (are_static_matrices<Acc, A, B>) {
    static_assert(are_multiplied_by_warps<element_t<A>, element_t<B>>,
                  "mma multiplies f16, bf16, float or double by the same elements, 8-bit floats by 8-bit floats, and "
                  "s8 or u8 by s8 or u8");
    static_assert(!are_multiplied_by_warps<element_t<A>, element_t<B>> ||
                      is_summed_by_warps<element_t<A>, element_t<B>, element_t<Acc>>,
                  "products of s8 and u8 accumulate in s32, those of double in double, all others in float");
    static_assert(fit_mma<Acc, A, B>, "a is M x K and b is K x N, so acc is M x N");
    static_assert(
        are_shared_by_warps<Acc>,
        "four warps share acc in blocks of 16 rows and 8 columns: it has a multiple of 64 rows and 8 columns, "
        "of 32 and 16, or of 16 and 32");
    static_assert(shape_of<A>.size[1] % depth_of_mma<A> == 0,
                  "K is a multiple of 8 elements of float or double, 16 of f16 or bf16, 32 of 8 bits");
    return some<tile_t<element_t<Acc>, shape_of<Acc>>>();
  }
}

/// Behind a copy's places: {.predicate = k < steps}.
struct cp_async_options {
  /// Where it is false nothing is copied.
  bool predicate = true;
};

namespace detail {
template <class S> inline constexpr bool has_whole_units = S::shape.size[1] * int{sizeof(element_t<S>)} % 16 == 0;
} // namespace detail

/// Begins a copy of a matrix from an array to shared memory, by this thread's own lanes, 16 bytes each at a time (PTX
/// ISA, cp.async; sm_80 and later). What lies behind the end of the array, or of the window, is 0. The array's rows
/// begin at multiples of 16 bytes, which the launch checks, and so does the window in its row; it does not begin before
/// the array. cp_async_wait waits for it: then this thread may read what it copied, as other threads may once they have
/// waited for this one.
/// Cost: an instruction of a lane for each 16 bytes, which pass no registers. The thread goes on at once.
template <class G, class S> constexpr void cp_async(const G &, const S &, const cp_async_options & = {}) {
  constexpr bool are_places = gmem_ref<G> && smem_ref<S>;
  static_assert(are_places, "cp_async copies an array, or a part of one, to shared memory");
  if constexpr (are_places) {
    detail::check_copy<G, S>();
    static_assert(G::shape.rank == 2 && S::shape.rank == 2,
                  "cp_async copies matrices, of two dimensions: a ring of them is narrowed by .at(stage)");
    if constexpr (S::shape.rank == 2)
      static_assert(detail::has_whole_units<S>, "cp_async copies rows of a multiple of 16 bytes");
  }
}
/// Makes the copies of this thread by cp_async since the last group a group.
/// Cost: one instruction.
void cp_async_commit();
/// Waits until at most N groups of copies by cp_async of this thread are in flight.
/// Cost: the time until they are there, and the four warps synchronize.
template <int N> constexpr void cp_async_wait() {
  static_assert(N >= 0, "cp_async_wait<N> names how many groups may be in flight");
}

} // namespace tegula
