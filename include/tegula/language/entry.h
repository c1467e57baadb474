// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entries and their host part. An entry takes arrays, lists of arrays and scalars, and returns an array, a scalar, a
// struct of them or nothing. Its code outside the bodies of launches runs on the host: arithmetic on shapes and
// scalars, if, switch, loops, check, empty, launches. Arrays are variables there: a loop exchanges them (tg::swap),
// branches assign or return one or the other. Signed integers do not wrap there, nor are they divided by zero or
// converted to a type that cannot hold them: that is an error of the call, which names the entry and the line, so that
// what a check says of a sum is true. Unsigned ones are modulo a power of two, as C++ has them. Entries of one name
// take different parameters; TEGULA_INSTANTIATE may give instances one name, too.
#pragma once

#include "ref.h"

#ifdef __clang__
#pragma clang system_header
#define TEGULA_ANNOTATE(...) [[clang::annotate(__VA_ARGS__)]]
#else
#define TEGULA_ANNOTATE(...)
#endif

#define TEGULA_JOIN_(a, b) a##b
#define TEGULA_JOIN(a, b) TEGULA_JOIN_(a, b)

/// Marks an entry: host code that launches kernels. It becomes a plain host function of the same name and namespace in
/// the generated header, with its doc comment and its default arguments, which are constants.
#define TEGULA_KERNEL TEGULA_ANNOTATE("tegula.kernel")

/// Exports an instantiation of an entry template under a name: TEGULA_INSTANTIATE("softmax_f32", softmax<float>);
/// The function comes last: its commas need no parentheses.
#define TEGULA_INSTANTIATE(name, ...)                                                                                  \
  [[maybe_unused]] TEGULA_ANNOTATE("tegula.instantiate", name) static constexpr auto TEGULA_JOIN(                      \
      tegula_instance_, __COUNTER__) = &__VA_ARGS__

namespace tegula {

/// Refuses a call before anything is launched: if the condition does not hold, the entry throws an error with the
/// message, a literal. What it says of shapes, the kernels may rely on. One of constants that fails in every call is an
/// error of the compiler.
///   tg::check(x.dim(1) == y.dim(0), "the inner dimensions of x and y differ");
/// Cost: a comparison on the host, once a call.
void check(bool condition, const char *message);
void check(bool condition) TEGULA_REFUSED("a check has a message, a literal, which the error of a refused call says: "
                                          "tg::check(x.dim(0) == o.dim(0), \"x and o differ in length\")");

/// An array for a result or a temporary, dense and uninitialised, on the device of the entry's arrays: empty<float>(m,
/// n). On the CPU it begins as NaN, integers as all ones, bools as true.
/// Cost: memory from the driver's pool, in the order of the stream (cuMemAllocAsync): the host does not wait.
template <class E, class... D>
  requires(__is_integral(D) && ...)
array<E, sizeof...(D)> empty(D... dims);
/// Two variables change places, arrays among them: swap(from, to) in a loop of launches.
/// Cost: none: views change places, not what is in them.
template <class V> constexpr void swap(V &a, V &b) {
  V before = a;
  a = b;
  b = before;
}
/// An array of the same shape and element type, dense and uninitialised, as empty makes it.
/// Cost: that of empty.
template <class E, int Rank> array<__remove_const(E), Rank> empty_like(const array<E, Rank> &model);

} // namespace tegula
