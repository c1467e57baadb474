// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Named axes of the explicit level: of the grid, of the cluster, and of the warpgroups of a CTA.
#pragma once

#include "elements.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

namespace detail {
inline constexpr s64 absent = -0x7fffffffffffffff - 1;
}

/// The name of an axis: a string literal. With a variable, a typo is a C++ error: constexpr tg::axis wg = "wg";
struct axis {
  const char *name;
  consteval axis(const char *literal = "") : name(literal) {}
};

/// An axis and its size, or an index along it: {"m", 4}.
struct sized_axis {
  axis name = "";
  s64 size = detail::absent;
};

/// Up to 6 axes, {{"m", m}, {"n", n}}; the last one varies fastest.
struct named_grid {
  sized_axis first = {};
  sized_axis second = {};
  sized_axis third = {};
  sized_axis fourth = {};
  sized_axis fifth = {};
  sized_axis sixth = {};
};

/// Up to 3 axes, {"cm", "cn"}.
struct axis_names {
  axis first = "";
  axis second = "";
  axis third = "";
};

/// The index of this cluster along an axis of the grid, of this CTA in its cluster, or of this warpgroup in its CTA.
/// Several axes are combined, the last one fastest.
/// Cost: a special register; for a grid with several axes one division each, once a program.
s64 axis_index(axis);
s64 axis_index(axis, axis);
s64 axis_index(axis, axis, axis);
/// The size of an axis: a constant, except for axes of the grid.
/// Cost: none; for the grid, a kernel parameter.
s64 axis_size(axis);
s64 axis_size(axis, axis);
s64 axis_size(axis, axis, axis);

} // namespace tegula
