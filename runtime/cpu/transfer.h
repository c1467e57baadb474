// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What copies move: elements, in row-major order, between regions, boxes of arrays and plain bytes.

#ifndef TEGULA_RUNTIME_CPU_TRANSFER_H
#define TEGULA_RUNTIME_CPU_TRANSFER_H

#include "tegula/cpu/explicit/thread.h"

#include <functional>

namespace tegula::cpu::detail {

/// How many elements a box has.
std::int64_t size_of(const box &b) noexcept;

// Elements `begin` to `end` of those of the box or region, counted in row-major order, to or from bytes that hold these
// elements alone.

/// What is outside the array has these bytes.
void gather(const box &from, std::int64_t begin, std::int64_t end, std::byte *to,
            std::byte fill = std::byte{0}) noexcept;
void gather(const region &from, std::int64_t begin, std::int64_t end, std::byte *to) noexcept;
/// What is outside the array is left out.
void scatter(const std::byte *from, std::int64_t begin, std::int64_t end, const box &to) noexcept;
void scatter(const std::byte *from, std::int64_t begin, std::int64_t end, const region &to) noexcept;
/// Combines what is in the array with all elements of the box.
void combine(const std::byte *from, const box &to, copy_reduction how) noexcept;

/// Combines what is in the region with as many elements.
void combine(const std::byte *from, const region &to, copy_reduction how) noexcept;

/// Calls `span(first, bytes)` for the bytes of a region that lie side by side.
void for_each_span(const region &place, const std::function<void(const std::byte *, std::int64_t)> &span);

} // namespace tegula::cpu::detail

#endif // TEGULA_RUNTIME_CPU_TRANSFER_H
