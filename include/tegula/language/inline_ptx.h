// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions that the language has no name for.
#pragma once

#include "operators.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

namespace detail {
// The shape of the first tile; none of scalars.
template <class... V> consteval dims shape_of_first() {
  dims shape{};
  (void)((is_tile<V> && (shape = shape_of<V>, true)) || ...);
  return shape;
}
template <class... V>
inline constexpr bool have_one_shape = ((!is_tile<V> || fits(shape_of<V>, shape_of_first<V...>())) && ...);
template <class E> inline constexpr bool has_register = is_number<E> && !is_stored<E> && sizeof(E) >= 2;
} // namespace detail

/// What instructions of PTX make of numbers, Result: element by element of tiles of one shape, with scalars for all, or
/// of scalars. $0 is the result, $1, $2... are the operands in their order, in registers of their types: .f32, .f64,
/// .b16 of f16, bf16 and integers of 16 bits, .b32, .b64. The text is a literal. It names the result and each operand;
/// $$ is a dollar sign. Instructions end with a semicolon; what needs registers of its own stands in braces. What ptxas
/// refuses of them is an error at the call. They compute, and nothing else: one that is not needed is left
/// out, and one that is needed twice may be there once. `meaning` says the same in the language, of scalars: the CPU
/// computes by it, and tests compare the two.
///   const auto y = tg::inline_ptx<float>("ex2.approx.ftz.f32 $0, $1;", [](float a) { return tg::exp2(a); }, x);
/// Cost: the instructions, for each element.
template <class Result, class Meaning, detail::operand... V>
constexpr auto inline_ptx(const char *, Meaning meaning, const V &...) {
  static_assert(detail::values<V...>, TEGULA_A_PLACE);
  constexpr bool have_registers = detail::has_register<Result> && (detail::has_register<detail::element_t<V>> && ...);
  static_assert(have_registers, "registers of PTX hold f16, bf16, float, double, and integers of 16, 32 and 64 bits");
  static_assert(sizeof...(V) > 0, "instructions of tg::inline_ptx take a number at least: the language may compute "
                                  "what has no operands once for all");
  static_assert(detail::have_one_shape<V...>, "the tiles of tg::inline_ptx have one shape");
  if constexpr (have_registers && detail::values<V...>) {
    using made = __remove_cvref(decltype(meaning(detail::some<const detail::element_t<V>>()...)));
    static_assert(__is_same(made, Result), "what the instructions mean, the function of tg::inline_ptx, returns its "
                                           "result: inline_ptx<float>(\"...\", [](float a) { return a; }, x)");
  }
  return detail::some<detail::tile_t<Result, detail::shape_of_first<V...>()>>();
}

} // namespace tegula
