// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu/shared_memory.h"

namespace tegula::cpu::detail {

shared_memory::shared_memory() : own_(new std::byte[capacity]), async_(new std::byte[capacity]) { poison(capacity); }

void shared_memory::poison(std::int64_t bytes) noexcept {
  std::memset(own_.get(), 0xFF, static_cast<std::size_t>(bytes));
  std::memset(async_.get(), 0xFF, static_cast<std::size_t>(bytes));
}

} // namespace tegula::cpu::detail
