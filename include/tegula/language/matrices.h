// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products and transposition. A matrix is a tile's last two dimensions; those before are batches of them.
#pragma once

#include "operators.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

namespace detail {
// In what the products of elements are added up.
template <class E> struct summed {
  using type = select_t<one_of<E, s8, u8, s16, u16>, s32, select_t<one_of<E, f16, bf16> || is_float8<E>, f32, E>>;
};

template <class... V> inline constexpr bool are_tiles = (is_tile<V> && ...);
template <class A, class B> inline constexpr bool have_matrices = shape_of<A>.rank >= 2 && shape_of<B>.rank >= 2;
consteval bool contract_dims(dims a, dims b) {
  return a.rank < 2 || b.rank < 2 || fits(a.size[a.rank - 1], b.size[b.rank - 2]);
}
template <class A, class B> inline constexpr bool contract_last = contract_dims(shape_of<A>, shape_of<B>);
// The dimensions before the last two, those of a factor of fewer dimensions aligned with the last of the other's.
consteval dims batches(dims a, dims b) {
  a.rank = a.rank < 2 ? 0 : a.rank - 2;
  b.rank = b.rank < 2 ? 0 : b.rank - 2;
  return broadcast(a, b);
}
template <class A, class B> inline constexpr bool batches_broadcast = batches(shape_of<A>, shape_of<B>).rank >= 0;
consteval dims product(dims a, dims b) {
  dims r = batches(a, b);
  if (a.rank < 2 || b.rank < 2 || r.rank < 0)
    return a;
  r.push(a.size[a.rank - 2]);
  r.push(b.size[b.rank - 1]);
  return r;
}
} // namespace detail

/// What a product takes of factors of float. tf32: sign, exponent and the upper 10 bits of the fraction, as if the
/// other 13 were zero; products of these are exact, and summed in float.
///
/// tf32x3 and bf16x3 cut each factor in two, what it is as tf32 or bf16 and as what the rest is, and sum three products
/// of these parts, without that of the rests. Beside the roundings of the sum, that loses at most 3 2^-20 or 3 2^-16 of
/// each product, and takes three times as long. (Ootomo and Yokota, "Recovering single precision accuracy from Tensor
/// Cores while surpassing the FP32 theoretical peak performance"; Henry, Tang and Heinecke, "Leveraging the bfloat16
/// Artificial Intelligence Datatype For Higher-Precision Computations".) An infinity makes NaN: its rest is none.
enum class precision { ieee, tf32, tf32x3, bf16x3 };

/// Behind the factors of a product: {.precision = tg::precision::tf32}.
struct dot_options {
  /// Known when the kernel is compiled.
  tegula::precision precision = tegula::precision::ieee;
};

/// The matrix product: a is (..., M, K), b is (..., K, N), the result (..., M, N). The dimensions before the last two
/// are batches of matrices, and broadcast as those of operators do: a static 1, or a dimension that only the other
/// factor has, repeats. f16, bf16 and 8-bit floats, of one
/// type or of two, give f32, integers of 8 and 16 bits s32, others themselves: floats in IEEE arithmetic, integers
/// wrap. What is out of bounds along K is not summed. c += dot(a, b) adds up in place; dot(a, transpose(b)) costs no
/// move; weights of 4 bits are converted first, dot(a, transpose(astype<bf16>(w) * scale)). From sm_80 on tensor cores
/// multiply all but integers of 16 and more bits and float, on sm_75 f16 and 8-bit floats (PTX ISA, wgmma.mma_async and
/// mma.sync); float they multiply as tf32, {.precision = tg::precision::tf32}. On sm_90a 8-bit elements and tf32 are
/// fastest where a is stored as M x K and b as N x K, dot(a, transpose(b)). The order of sums is theirs; long sums with
/// few results are made in parts, which depend on the shapes alone, so that each run makes the same bits. Those of
/// 8-bit floats keep some 14 bits in each step of 32 from sm_89 on. A sum of K products of tf32 is off by at most about
/// K 2^-22 of the largest product or partial sum; elsewhere it rounds as any sum of floats does.
///
///   for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), 64); ++k)
///     sum += tg::dot(a[tg::all, tg::ds<64>(64 * k)], b[tg::ds<64>(64 * k), tg::all]);
///
/// Cost: M N K multiply-adds, on the unit that the table of products in README.md tells: tensor cores, whose factors go
/// through shared memory once for each sub-tile of up to 128 rows and 256 columns, or FMA units, some 30 times slower,
/// of which a warning tells. tf32x3 and bf16x3 are three products. -Rsplit says of each launch what it compiles to.
template <detail::operand A, detail::operand B> auto dot(const A &, const B &, const dot_options & = {}) {
  using namespace detail;
  static_assert(values<A, B>, TEGULA_A_PLACE);
  static_assert(!values<A, B> || are_tiles<A, B>, "dot multiplies matrices: a number times a tile is a * b");
  static_assert(same_elements<A, B> || (is_float8<element_t<A>> && is_float8<element_t<B>>),
                "dot takes tiles of one element type: convert one with tg::astype<...>(tile)");
  static_assert((!is_stored<element_t<A>> || is_float8<element_t<A>>) &&
                    (!is_stored<element_t<B>> || is_float8<element_t<B>>),
                "dot multiplies no e8m0 and no elements of 4 bits: convert them, tg::astype<tg::bf16>(tile)");
  static_assert(numbers<A>, "bools do not compute: convert them with tg::astype<...>(tile)");
  static_assert(!are_tiles<A, B> || have_matrices<A, B>,
                "dot multiplies matrices, or batches of them: x[tg::newaxis, tg::all] makes a row of x");
  static_assert(contract_last<A, B>,
                "dot contracts the last axis of a with the last but one of b: (..., M, K) and (..., K, N)");
  static_assert(batches_broadcast<A, B>,
                "dot multiplies batches of one size: the dimensions before the last two are equal, or a static 1");
  return some<tile_t<typename summed<element_t<A>>::type, product(shape_of<A>, shape_of<B>)>>();
}

/// The tile with its dimensions in another order: dimension i of transpose<2, 0, 1>(x) is the one that stands at place
/// i of the list. Without a list the last two change places.
/// Cost: none for a factor of dot. Else no instruction: dimensions change names. Where a tile is stored that was loaded
/// the other way round, loads take whole lines and stores runs of a few elements, which takes longer than a copy.
template <int... Axes, detail::operand V> auto transpose(const V &) {
  static_assert(!ref_like<V>, "a ref is a place, not a value: load it, or transpose the place, tg::transpose_ref(ref)");
  static_assert(ref_like<V> || detail::permutes<V, Axes...>,
                "transpose<1, 0>(x) names every dimension of x once; without a list, x has two or more");
  if constexpr (detail::permutes<V, Axes...>)
    return detail::some<
        detail::tile_t<detail::element_t<V>, detail::permuted(detail::shape_of<V>, {sizeof...(Axes), {Axes...}})>>();
  else
    return detail::some<V>();
}

} // namespace tegula
