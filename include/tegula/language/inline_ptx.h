// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX, for instructions without a function in the language.
#pragma once

#include "operators.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

namespace detail {
// The shape of the first tile; scalars have none.
template <class... V> consteval dims shape_of_first() {
  dims shape{};
  (void)((is_tile<V> && (shape = shape_of<V>, true)) || ...);
  return shape;
}
template <class... V>
inline constexpr bool have_one_shape = ((!is_tile<V> || fits(shape_of<V>, shape_of_first<V...>())) && ...);
template <class E> inline constexpr bool has_register = is_number<E> && !is_stored<E> && sizeof(E) >= 2;
} // namespace detail

/// Applies PTX instructions elementwise to tiles of one shape, or to scalars; scalars broadcast to tiles. The element
/// type of the result is Result. The text is a string literal. $0 is the result; $1, $2... are the operands in order,
/// in registers of their types: .f32, .f64, .b16 for f16, bf16 and integers of 16 bits, .b32, .b64. The text must use
/// the result and each operand; $$ is a dollar sign. Instructions end with a semicolon; temporary registers are
/// declared inside braces. An error of ptxas is reported at the call. The instructions must be pure: the compiler
/// removes unused ones, and may merge equal ones. `meaning` computes the same result from scalars in the language: the
/// CPU uses it, and tests compare the two.
///   const auto y = tg::inline_ptx<float>("ex2.approx.ftz.f32 $0, $1;", [](float a) { return tg::exp2(a); }, x);
/// Cost: the instructions, for each element.
template <class Result, class Meaning, detail::operand... V>
constexpr auto inline_ptx(const char *, Meaning meaning, const V &...) {
  static_assert(detail::values<V...>, TEGULA_A_PLACE);
  constexpr bool have_registers = detail::has_register<Result> && (detail::has_register<detail::element_t<V>> && ...);
  static_assert(have_registers,
                "this type has no PTX register: use f16, bf16, float, double, or integers of 16, 32 and 64 bits");
  static_assert(sizeof...(V) > 0,
                "inline_ptx has no operands, so the compiler would compute it once for all: pass at least one number");
  static_assert(detail::have_one_shape<V...>, "the tiles of inline_ptx differ in shape: broadcast them to one shape");
  if constexpr (have_registers && detail::values<V...>) {
    using made = __remove_cvref(decltype(meaning(detail::some<const detail::element_t<V>>()...)));
    static_assert(__is_same(made, Result), "the function of inline_ptx returns another type than its result: "
                                           "inline_ptx<float>(\"...\", [](float a) { return a; }, x)");
  }
  return detail::some<detail::tile_t<Result, detail::shape_of_first<V...>()>>();
}

} // namespace tegula
