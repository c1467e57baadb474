// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tensor cores by mma.sync, and copies to shared memory by cp.async: from sm_80 on, without TMA, mbarriers and
// wgmma.
#pragma once

#include "matrices.h"
#include "wgmma.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

namespace detail {
template <class... V> inline constexpr bool are_static_matrices = ((tile_like<V> && shape_of<V>.rank == 2) && ...);
/// The combinations of wgmma with a sum of 32 bits, and double.
template <class A, class B, class Sum>
inline constexpr bool is_summed_by_warps = (is_summed<A, B, Sum> && sizeof(Sum) == 4) ||
                                           (__is_same(A, double) && __is_same(B, double) && __is_same(Sum, double));
template <class A, class B>
inline constexpr bool are_multiplied_by_warps =
    is_summed_by_warps<A, B, float> || is_summed_by_warps<A, B, s32> || is_summed_by_warps<A, B, double>;
/// Whether four warps can share it in blocks of 16 rows and 8 columns.
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

/// Returns acc + a b, of tiles in the registers of this warpgroup (PTX ISA, "Warp Level Matrix Multiply-Accumulate
/// Instructions": mma.sync; sm_80 and later). The four warps share acc, M x N, in blocks of 16 rows and 8 columns; each
/// warp holds the parts of a, M x K, and b, K x N, that it multiplies. Tiles loaded from shared memory get this layout,
/// by ldmatrix where the elements have 16 bits or are contiguous along K.
///
///     a and b               acc      K is a multiple of
///     f16, bf16             float    16
///     float, as tf32        float    8
///     8-bit floats, mixed   float    32
///     s8, u8, mixed         s32      32
///     double                double   8
///
/// The order of summation is the instruction's. Sums of s8 and u8 wrap, and are exact. Of a float, the tensor core
/// reads the sign, the exponent and the upper 10 bits of the fraction. 8-bit floats are multiplied as f16 before sm_89.
///   sum = tg::mma(sum, a_smem[tg::all], b_smem[tg::all]);
/// Cost: one instruction of each warp for 16 x 8 results and 32 bytes of K, and one ldmatrix for each four 8 x 16 byte
/// parts of a and b. On sm_90a the tensor cores reach about 0.6 of their rate with wgmma.
template <class Acc, class A, class B> constexpr auto mma(const Acc &, const A &, const B &) {
  using namespace detail;
  static_assert(
      are_static_matrices<Acc, A, B>,
      "an operand of mma(acc, a, b) is not a tile of two dimensions: read a and b from shared memory, a_smem[tg::all]");
  if constexpr (are_static_matrices<Acc, A, B>) {
    static_assert(are_multiplied_by_warps<element_t<A>, element_t<B>>,
                  "mma does not multiply these element types: it takes f16, bf16, float or double with the same type, "
                  "8-bit floats with 8-bit floats, and s8 or u8 with s8 or u8");
    static_assert(!are_multiplied_by_warps<element_t<A>, element_t<B>> ||
                      is_summed_by_warps<element_t<A>, element_t<B>, element_t<Acc>>,
                  "acc has the wrong element type: s32 for s8 and u8, double for double, float for all others");
    static_assert(fit_mma<Acc, A, B>, "the shapes do not fit: a is M x K and b is K x N, so acc is M x N");
    static_assert(are_shared_by_warps<Acc>, "four warps cannot share acc in blocks of 16 rows and 8 columns: its rows "
                                            "and columns must be multiples of 64 and 8, of 32 and 16, or of 16 and 32");
    static_assert(shape_of<A>.size[1] % depth_of_mma<A> == 0,
                  "K does not fill an instruction: use a multiple of 8 elements of float or double, 16 of f16 or bf16, "
                  "32 of 8 bits");
    return some<tile_t<element_t<Acc>, shape_of<Acc>>>();
  }
}

/// Trailing options of cp_async: {.predicate = k < steps}.
struct cp_async_options {
  /// If false, nothing is copied.
  bool predicate = true;
};

namespace detail {
template <class S> inline constexpr bool has_whole_units = S::shape.size[1] * int{sizeof(element_t<S>)} % 16 == 0;
} // namespace detail

/// Starts a copy of a matrix from an array to shared memory, by this warpgroup's own CUDA threads, 16 bytes at a time
/// (PTX ISA, cp.async; sm_80 and later). Elements beyond the end of the array, or of the window, become 0. The array's
/// rows must start at multiples of 16 bytes, which the launch checks, and so must the window within its row; it must
/// not start in front of the array. cp_async_wait waits for it: then this warpgroup may read what it copied; other
/// warpgroups must first synchronize with this one.
/// Cost: one instruction of a CUDA thread for each 16 bytes, which bypass the registers. The warpgroup goes on at once.
template <class G, class S> constexpr void cp_async(const G &, const S &, const cp_async_options & = {}) {
  constexpr bool are_places = gmem_ref<G> && smem_ref<S>;
  static_assert(are_places, "cp_async takes an array, or a window of one, and then shared memory");
  if constexpr (are_places) {
    detail::check_copy<G, S>();
    static_assert(G::shape.rank == 2 && S::shape.rank == 2,
                  "an operand of cp_async is not a matrix of two dimensions: select a stage of a ring by .at(stage)");
    if constexpr (S::shape.rank == 2)
      static_assert(detail::has_whole_units<S>,
                    "the rows that cp_async copies are not a multiple of 16 bytes: use more columns");
  }
}
/// Forms a group of this warpgroup's cp_async copies since the last group.
/// Cost: one instruction.
void cp_async_commit();
/// Waits until at most N groups of this warpgroup's cp_async copies are in flight.
/// Cost: the waiting time, and the four warps synchronize.
template <int N> constexpr void cp_async_wait() {
  static_assert(N >= 0, "the count of cp_async_wait<N> is negative: N is the number of groups that may be in flight");
}

} // namespace tegula
