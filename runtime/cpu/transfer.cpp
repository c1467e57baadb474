// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu/transfer.h"

#include <algorithm>

namespace tegula::cpu::detail {

namespace {

/// A box that is a whole region.
box all_of(const region &place) noexcept {
  box result;
  result.array = place;
  std::copy_n(place.dims, place.rank, result.sizes);
  return result;
}

/// Runs of elements along the last dimension of a box: `run(place, skipped, count, in_array)` with the number of the
/// elements before it, its own length, and its first element in the array, or null if the run is outside of it.
template <class Run> void for_each_run(const box &b, std::int64_t begin, std::int64_t end, Run run) {
  const region &array = b.array;
  const int last = array.rank - 1;
  const std::int64_t columns = last < 0 ? 1 : b.sizes[last], stride = last < 0 ? 1 : array.strides[last];
  const std::int64_t bytes = array.element_size();
  for (std::int64_t at = begin; at < end;) {
    const std::int64_t row = at / columns, column = at % columns;
    const std::int64_t count = std::min(columns - column, end - at);
    // Where the row begins in the array, and whether it is in there.
    std::int64_t offset = 0, rest = row;
    bool is_inside = true;
    for (int axis = last - 1; axis >= 0; --axis) {
      const std::int64_t index = b.offsets[axis] + rest % b.sizes[axis];
      rest /= b.sizes[axis];
      is_inside &= index >= 0 && index < array.dims[axis];
      offset += index * array.strides[axis];
    }
    const std::int64_t first = last < 0 ? 0 : b.offsets[last] + column, dim = last < 0 ? 1 : array.dims[last];
    const std::int64_t before = is_inside ? std::clamp<std::int64_t>(-first, 0, count) : count;
    const std::int64_t inside = std::clamp<std::int64_t>(dim - first - before, 0, count - before);
    const std::int64_t done = at - begin;
    if (before > 0)
      run(done, before, nullptr);
    if (inside > 0)
      run(done + before, inside, array.data + (offset + (first + before) * stride) * bytes);
    if (before + inside < count)
      run(done + before + inside, count - before - inside, nullptr);
    at += count;
  }
}

std::int64_t inner_stride(const region &place) noexcept { return place.rank == 0 ? 1 : place.strides[place.rank - 1]; }

void copy_run(const std::byte *from, std::int64_t from_step, std::byte *to, std::int64_t to_step, std::int64_t count,
              std::int64_t bytes) noexcept {
  if (from_step == bytes && to_step == bytes) {
    std::memcpy(to, from, static_cast<std::size_t>(count * bytes));
    return;
  }
  for (std::int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * to_step, from + i * from_step, static_cast<std::size_t>(bytes));
}

} // namespace

std::int64_t size_of(const box &b) noexcept {
  std::int64_t product = 1;
  for (int i = 0; i < b.array.rank; ++i)
    product *= b.sizes[i];
  return product;
}

void gather(const box &from, std::int64_t begin, std::int64_t end, std::byte *to, std::byte fill) noexcept {
  const std::int64_t bytes = from.array.element_size(), step = inner_stride(from.array) * bytes;
  for_each_run(from, begin, end, [&](std::int64_t done, std::int64_t count, const std::byte *place) {
    if (place == nullptr)
      std::fill_n(to + done * bytes, count * bytes, fill);
    else
      copy_run(place, step, to + done * bytes, bytes, count, bytes);
  });
}

void scatter(const std::byte *from, std::int64_t begin, std::int64_t end, const box &to) noexcept {
  const std::int64_t bytes = to.array.element_size(), step = inner_stride(to.array) * bytes;
  for_each_run(to, begin, end, [&](std::int64_t done, std::int64_t count, std::byte *place) {
    if (place != nullptr)
      copy_run(from + done * bytes, bytes, place, step, count, bytes);
  });
}

namespace {

/// What becomes of an element x of an array that y is copied to.
template <class T> T combined(T x, T y, copy_reduction how) noexcept {
  switch (how) {
  case copy_reduction::none:
    return y;
  case copy_reduction::min:
    return y < x || !(x == x) ? y : x; // The other one if one is NaN.
  case copy_reduction::max:
    return x < y || !(x == x) ? y : x;
  case copy_reduction::add:
    if constexpr (std::is_integral_v<T>) // It wraps.
      return static_cast<T>(static_cast<std::make_unsigned_t<T>>(x) + static_cast<std::make_unsigned_t<T>>(y));
    else // Subnormal numbers stay what they are, also on the GPU.
      return static_cast<T>(static_cast<float>(x) + static_cast<float>(y));
  default:
    break;
  }
  if constexpr (std::is_integral_v<T>)
    switch (how) {
    case copy_reduction::inc:
      return x >= y ? T{0} : static_cast<T>(x + 1);
    case copy_reduction::dec:
      return x == 0 || x > y ? y : static_cast<T>(x - 1);
    case copy_reduction::bitwise_and:
      return x & y;
    case copy_reduction::bitwise_or:
      return x | y;
    case copy_reduction::bitwise_xor:
      return x ^ y;
    default:
      break;
    }
  return y;
}

template <class T> void combine_as(const std::byte *from, const box &to, copy_reduction how) noexcept {
  const std::int64_t step = inner_stride(to.array) * to.array.element_size();
  for_each_run(to, 0, size_of(to), [&](std::int64_t done, std::int64_t count, std::byte *place) {
    for (std::int64_t i = 0; place != nullptr && i < count; ++i) {
      T x, y;
      std::memcpy(&x, place + i * step, sizeof x);
      std::memcpy(&y, from + (done + i) * static_cast<std::int64_t>(sizeof y), sizeof y);
      x = combined(x, y, how);
      std::memcpy(place + i * step, &x, sizeof x);
    }
  });
}

} // namespace

void combine(const std::byte *from, const box &to, copy_reduction how) noexcept {
  switch (to.array.type) {
  case dtype::f16:
    return combine_as<f16>(from, to, how);
  case dtype::bf16:
    return combine_as<bf16>(from, to, how);
  case dtype::f32:
    return combine_as<float>(from, to, how);
  case dtype::s32:
    return combine_as<std::int32_t>(from, to, how);
  case dtype::u32:
    return combine_as<std::uint32_t>(from, to, how);
  case dtype::s64:
    return combine_as<std::int64_t>(from, to, how);
  case dtype::u64:
    return combine_as<std::uint64_t>(from, to, how);
  default: // tegulac refuses others.
    break;
  }
}

void combine(const std::byte *from, const region &to, copy_reduction how) noexcept { combine(from, all_of(to), how); }

void gather(const region &from, std::int64_t begin, std::int64_t end, std::byte *to) noexcept {
  gather(all_of(from), begin, end, to);
}
void scatter(const std::byte *from, std::int64_t begin, std::int64_t end, const region &to) noexcept {
  scatter(from, begin, end, all_of(to));
}

void for_each_span(const region &place, const std::function<void(const std::byte *, std::int64_t)> &span) {
  const std::int64_t bytes = place.element_size(), step = inner_stride(place) * bytes;
  for_each_run(all_of(place), 0, place.size(), [&](std::int64_t, std::int64_t count, const std::byte *first) {
    if (step == bytes)
      return span(first, count * bytes);
    for (std::int64_t i = 0; i < count; ++i)
      span(first + i * step, bytes);
  });
}

} // namespace tegula::cpu::detail
