// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Named axes of the explicit level: of the grid, of the cluster, and the threads.
#pragma once

#include "elements.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

namespace detail {
inline constexpr s64 absent = -0x7fffffffffffffff - 1;
}

/// The name of an axis: a string literal. A variable makes a typo an error of C++: constexpr tg::axis wg = "wg";
struct axis {
  const char *name;
  consteval axis(const char *literal = "") : name(literal) {}
};

/// An axis and its size: {"m", 4}.
struct sized_axis {
  axis name = "";
  s64 size = detail::absent;
};

/// Up to 6 axes, {{"m", m}, {"n", n}}; the last one runs fastest.
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

/// Where this program stands along an axis of the grid (in clusters), this block in its cluster, or this thread in its
/// block. Several axes combine, the last one fastest.
/// Cost: a register that the hardware fills; of a grid with several axes a division for each, once a program.
s64 axis_index(axis);
s64 axis_index(axis, axis);
s64 axis_index(axis, axis, axis);
/// The size of an axis: a constant, except along the grid.
/// Cost: none; along the grid a parameter of the kernel.
s64 axis_size(axis);
s64 axis_size(axis, axis);
s64 axis_size(axis, axis, axis);

} // namespace tegula
