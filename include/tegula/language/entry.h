// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entries and their host code. An entry takes arrays, lists of arrays and scalars, and returns an array, a scalar, a
// struct of them or nothing. Its code outside the bodies of launches runs on the host: arithmetic on shapes and
// scalars, if, switch, loops, check, empty, launches. Arrays are variables there: a loop can exchange them (tg::swap),
// branches can assign or return one or the other. An overflow of signed integers, a division by zero, or a conversion
// to a type that cannot hold the value is an error of the call, which names the entry and the line; therefore a check
// of a sum can be relied on. Unsigned arithmetic is modular, as in C++. Entries can be overloaded; TEGULA_INSTANTIATE
// can also give several instances one name.
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

/// Marks an entry: host code that launches kernels. The generated header declares a plain host function of the same
/// name and namespace, with its doc comment and its default arguments, which are constants.
#define TEGULA_KERNEL TEGULA_ANNOTATE("tegula.kernel")

/// Exports an instantiation of an entry template under a name: TEGULA_INSTANTIATE("softmax_f32", softmax<float>); The
/// function is the last argument, so its commas need no parentheses.
#define TEGULA_INSTANTIATE(name, ...)                                                                                  \
  [[maybe_unused]] TEGULA_ANNOTATE("tegula.instantiate", name) static constexpr auto TEGULA_JOIN(                      \
      tegula_instance_, __COUNTER__) = &__VA_ARGS__

namespace tegula {

/// Checks an argument on the host, before anything is launched: if the condition is false, the entry throws an error
/// with the message, a string literal. Kernels may rely on checked shapes. A check that fails for all calls is an error
/// of the compiler.
///   tg::check(x.dim(1) == y.dim(0), "the inner dimensions of x and y differ");
/// Cost: a comparison on the host, once a call.
void check(bool condition, const char *message);
void check(bool condition) TEGULA_REFUSED("this check has no message, which the error of a failed call needs: write "
                                          "tg::check(x.dim(0) == o.dim(0), \"x and o differ in length\")");

/// Allocates an array for a result or a temporary, contiguous and uninitialised, on the device of the entry's arrays:
/// empty<float>(m, n). On the CPU it is filled with NaN, integers with all ones, bools with true.
/// Cost: an allocation from the driver's pool, in stream order (cuMemAllocAsync): the host does not wait.
template <class E, class... D>
  requires(__is_integral(D) && ...)
array<E, sizeof...(D)> empty(D... dims);
/// Exchanges two variables, also arrays: swap(from, to) in a loop of launches.
/// Cost: none: views are exchanged, not the elements.
template <class V> constexpr void swap(V &a, V &b) {
  V before = a;
  a = b;
  b = before;
}
/// Allocates an array of the same shape and element type, contiguous and uninitialised, as empty does.
/// Cost: that of empty.
template <class E, int Rank> array<__remove_const(E), Rank> empty_like(const array<E, Rank> &model);

} // namespace tegula
