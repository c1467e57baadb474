// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products and transposition. The last two dimensions of a tile are a matrix; those before are batch dimensions.
#pragma once

#include "operators.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

namespace detail {
// The accumulator type of a product of these elements.
template <class E> struct summed {
  using type = select_t<one_of<E, s8, u8, s16, u16>, s32, select_t<one_of<E, f16, bf16> || is_float8<E>, f32, E>>;
};

template <class... V> inline constexpr bool are_tiles = (is_tile<V> && ...);
template <class A, class B> inline constexpr bool have_matrices = shape_of<A>.rank >= 2 && shape_of<B>.rank >= 2;
consteval bool contract_dims(dims a, dims b) {
  return a.rank < 2 || b.rank < 2 || fits(a.size[a.rank - 1], b.size[b.rank - 2]);
}
template <class A, class B> inline constexpr bool contract_last = contract_dims(shape_of<A>, shape_of<B>);
// The batch dimensions, before the last two. The shorter list is aligned at its end.
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

/// How a product of float matrices is computed. ieee: in IEEE arithmetic. tf32: of each factor, the sign, the exponent
/// and the upper 10 bits of the fraction, as if the other 13 were zero; products of these are exact, and summed in
/// float.
///
/// tf32x3 and bf16x3 split each factor into two parts, its tf32 or bf16 value and the same of the remainder, and sum
/// three products of these parts, without that of the remainders. In addition to the rounding of the sum, this loses at
/// most 3 2^-20 or 3 2^-16 of each product, and takes three times as long. (Ootomo and Yokota, "Recovering single
/// precision accuracy from Tensor Cores while surpassing the FP32 theoretical peak performance"; Henry, Tang and
/// Heinecke, "Leveraging the bfloat16 Artificial Intelligence Datatype For Higher-Precision Computations".) An infinity
/// makes NaN, because its remainder is NaN.
enum class precision { ieee, tf32, tf32x3, bf16x3 };

/// Trailing options of dot: {.precision = tg::precision::tf32}.
struct dot_options {
  /// A constant.
  tegula::precision precision = tegula::precision::ieee;
};

/// The matrix product: a is (..., M, K), b is (..., K, N), the result (..., M, N). The dimensions before the last two
/// are batch dimensions, and broadcast as those of operators do: a static 1, or a dimension that only the other factor
/// has, is repeated. f16, bf16 and 8-bit floats, of one type or of two, give f32; integers of 8 and 16 bits give s32;
/// other types give themselves: floats in IEEE arithmetic, integers wrap. Elements out of bounds along K are not
/// summed. c += dot(a, b) accumulates in place; dot(a, transpose(b)) does not move data; weights of 4 bits are
/// converted first, dot(a, transpose(astype<bf16>(w) * scale)).
///
/// From sm_80 on, tensor cores multiply all types except float and integers of 16 and more bits; on sm_75, f16 and
/// 8-bit floats (PTX ISA, wgmma.mma_async and mma.sync). float uses tensor cores as tf32, {.precision =
/// tg::precision::tf32}. On sm_90a, 8-bit elements and tf32 are fastest where a is stored as M x K and b as N x K,
/// dot(a, transpose(b)). The order of summation is the tensor cores'; long sums with few results are split (split-K) in
/// a way that depends only on the shapes, so that results are bitwise reproducible. From sm_89 on, sums of 8-bit floats
/// keep some 14 bits in each step of 32 products. A sum of K products of tf32 has an error of at most about K 2^-22 of
/// the largest product or partial sum; other types round as sums of floats do.
///
///   for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), 64); ++k)
///     sum += tg::dot(a[tg::all, tg::ds<64>(64 * k)], b[tg::ds<64>(64 * k), tg::all]);
///
/// Cost: M N K multiply-adds, on the unit that the table of products in README.md names: tensor cores, whose factors
/// pass through shared memory once for each sub-tile of up to 128 rows and 256 columns, or FMA units, some 30 times
/// slower, which a warning reports. tf32x3 and bf16x3 are three products. -Rsplit reports for each launch what it
/// compiles to.
template <detail::operand A, detail::operand B> auto dot(const A &, const B &, const dot_options & = {}) {
  using namespace detail;
  static_assert(values<A, B>, TEGULA_A_PLACE);
  static_assert(!values<A, B> || are_tiles<A, B>,
                "dot takes matrices, not scalars: multiply a number and a tile by a * b");
  static_assert(same_elements<A, B> || (is_float8<element_t<A>> && is_float8<element_t<B>>),
                "the factors of dot differ in element type: convert one with tg::astype<...>(tile)");
  static_assert((!is_stored<element_t<A>> || is_float8<element_t<A>>) &&
                    (!is_stored<element_t<B>> || is_float8<element_t<B>>),
                "dot does not multiply e8m0 or elements of 4 bits: convert them, tg::astype<tg::bf16>(tile)");
  static_assert(numbers<A>, "bools have no arithmetic: convert them with tg::astype<...>(tile)");
  static_assert(!are_tiles<A, B> || have_matrices<A, B>,
                "a factor of dot has fewer than two dimensions: x[tg::newaxis, tg::all] makes a row of x");
  static_assert(contract_last<A, B>, "the factors of dot differ in K: a is (..., M, K) and b is (..., K, N)");
  static_assert(
      batches_broadcast<A, B>,
      "the batch dimensions of dot's factors do not broadcast: those before the last two are equal, or a static 1");
  return some<tile_t<typename summed<element_t<A>>::type, product(shape_of<A>, shape_of<B>)>>();
}

/// Permutes the dimensions of a tile: dimension i of transpose<2, 0, 1>(x) is dimension number i of the list in x.
/// Without a list the last two are exchanged.
/// Cost: none for a factor of dot. Otherwise no instruction either, because dimensions are renamed. If a tile is stored
/// in another order than it was loaded in, loads access whole cache lines and stores short runs of elements, which
/// takes longer than a copy.
template <int... Axes, detail::operand V> auto transpose(const V &) {
  static_assert(!ref_like<V>, "a ref is a place, not a value: load it, or transpose the ref, tg::transpose_ref(ref)");
  static_assert(ref_like<V> || detail::permutes<V, Axes...>,
                "the axes of transpose are not a permutation: transpose<1, 0>(x) names every dimension of x once; "
                "without a list, x has two or more");
  if constexpr (detail::permutes<V, Axes...>)
    return detail::some<
        detail::tile_t<detail::element_t<V>, detail::permuted(detail::shape_of<V>, {sizeof...(Axes), {Axes...}})>>();
  else
    return detail::some<V>();
}

} // namespace tegula
