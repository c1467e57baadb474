// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shared memory of a block. It is there twice: as the threads' own accesses see it, and as copies and products see
// it (PTX ISA, "Async proxy"). What a thread writes reaches the second one at its next fence.

#ifndef TEGULA_RUNTIME_CPU_SHARED_MEMORY_H
#define TEGULA_RUNTIME_CPU_SHARED_MEMORY_H

#include "tegula/cpu/explicit/region.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace tegula::cpu::detail {

/// Bytes of shared memory, by their offsets.
class byte_set {
public:
  void add(std::int64_t offset, std::int64_t count);
  void clear() noexcept;
  bool is_empty() const noexcept { return begin_ >= end_; }
  /// Calls `run(offset, count)` for bytes side by side.
  template <class Run> void for_each_run(Run run) const {
    const auto at = [this](std::int64_t offset) { return has_.begin() + offset; };
    for (auto next = at(begin_), end = at(std::max(begin_, end_)); next != end;) {
      const auto first = std::find(next, end, char{1});
      next = std::find(first, end, char{0});
      if (first != next)
        run(first - has_.begin(), next - first);
    }
  }

private:
  std::vector<char> has_;            ///< Made when first needed.
  std::int64_t begin_ = 0, end_ = 0; ///< All are between.
};

class shared_memory {
public:
  explicit shared_memory(std::int64_t capacity);

  std::int64_t capacity() const noexcept { return capacity_; }
  /// Fills it with ones, as memory is at first: floats are NaN.
  void poison(std::int64_t offset, std::int64_t bytes) noexcept;

  std::byte *at(std::int64_t offset) noexcept { return own_.get() + offset; }
  bool contains(const std::byte *place) const noexcept { return place >= own_.get() && place < own_.get() + capacity_; }
  std::int64_t offset_of(const std::byte *place) const noexcept { return place - own_.get(); }

  /// The bytes of a place in it.
  void add_to(byte_set &bytes, const region &place) const;
  /// Copies and products see these bytes as the threads do.
  void publish(const byte_set &bytes) noexcept;

  /// The same place as copies and products see it.
  region as_async(const region &place) const noexcept { return moved(place, own_.get(), async_.get()); }
  /// A place in another block's memory that this one has at the same offset.
  region in(const region &place, shared_memory &other) const noexcept {
    return moved(place, own_.get(), other.own_.get());
  }

private:
  static region moved(region place, const std::byte *from, std::byte *to) noexcept {
    place.data = to + (place.data - from);
    return place;
  }

  std::int64_t capacity_;
  std::unique_ptr<std::byte[]> own_, async_; ///< Undefined until it is allocated.
};

} // namespace tegula::cpu::detail

#endif // TEGULA_RUNTIME_CPU_SHARED_MEMORY_H
