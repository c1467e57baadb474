// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu/shared_memory.h"

#include "cpu/transfer.h"

namespace tegula::cpu::detail {

void byte_set::add(std::int64_t offset, std::int64_t count) {
  if (const auto size = static_cast<std::size_t>(offset + count); size > has_.size())
    has_.resize(size);
  begin_ = is_empty() ? offset : std::min(begin_, offset);
  end_ = std::max(end_, offset + count);
  std::fill_n(has_.begin() + offset, count, char{1});
}

void byte_set::clear() noexcept {
  if (!is_empty())
    std::fill(has_.begin() + begin_, has_.begin() + end_, char{0});
  begin_ = end_ = 0;
}

shared_memory::shared_memory(std::int64_t capacity)
    : capacity_(capacity), own_(new std::byte[static_cast<std::size_t>(capacity)]),
      async_(new std::byte[static_cast<std::size_t>(capacity)]) {}

void shared_memory::poison(std::int64_t offset, std::int64_t bytes) noexcept {
  std::memset(own_.get() + offset, 0xFF, static_cast<std::size_t>(bytes));
  std::memset(async_.get() + offset, 0xFF, static_cast<std::size_t>(bytes));
}

void shared_memory::add_to(byte_set &bytes, const region &place) const {
  for_each_span(place, [&](const std::byte *first, std::int64_t count) { bytes.add(offset_of(first), count); });
}

void shared_memory::publish(const byte_set &bytes) noexcept {
  bytes.for_each_run([&](std::int64_t offset, std::int64_t count) {
    std::memcpy(async_.get() + offset, own_.get() + offset, static_cast<std::size_t>(count));
  });
}

} // namespace tegula::cpu::detail
