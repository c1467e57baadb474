// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A header of another project that is called like the language's, with names that it has, too.
#pragma once
#pragma GCC system_header

#define TEGULA_KERNEL [[clang::annotate("tegula.kernel")]]

namespace tegula {
template <class Element, int Rank> struct array {
  Element *data;
};
} // namespace tegula
