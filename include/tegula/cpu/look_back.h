// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decoupled look-back on the CPU: thread groups that share the rows of a scan, when kernels for a GPU run on the CPU.
// Each part waits for the prefix of the part before it. State: some words for each part, of 32 bits each, with a bit
// above them that marks them as available.

#ifndef TEGULA_CPU_LOOK_BACK_H
#define TEGULA_CPU_LOOK_BACK_H

#include "tegula/cpu/ref.h"

#include <cstring>
#include <thread>

namespace tegula::cpu {

namespace detail {
template <class T> constexpr int words_of() { return sizeof(T) > 4 ? 2 : 1; }

inline std::int64_t *words_at(const ref<std::int64_t, 1> &state, std::int64_t parts, std::int64_t part,
                              int word) noexcept {
  return state.data() + word * parts + part;
}
} // namespace detail

/// Publishes the prefix of a part, in words from `word` on.
template <class T>
void tell(const ref<std::int64_t, 1> &state, std::int64_t parts, std::int64_t part, int word, T value) noexcept {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  for (int i = 0; i < detail::words_of<T>(); ++i) {
    const std::uint64_t half = bits >> (32 * i) & 0xffffffffU;
    __atomic_store_n(detail::words_at(state, parts, part, word + i),
                     static_cast<std::int64_t>(std::uint64_t{1} << 32 | half), __ATOMIC_RELEASE);
  }
}

/// The prefix of a part, once it is published.
template <class T> T told(const ref<std::int64_t, 1> &state, std::int64_t parts, std::int64_t part, int word) noexcept {
  std::uint64_t bits = 0;
  for (int i = 0; i < detail::words_of<T>(); ++i) {
    std::int64_t *from = detail::words_at(state, parts, part, word + i);
    std::int64_t found = 0;
    while ((found = __atomic_load_n(from, __ATOMIC_ACQUIRE)) == 0)
      std::this_thread::yield();
    bits |= (static_cast<std::uint64_t>(found) & 0xffffffffU) << (32 * i);
  }
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

} // namespace tegula::cpu

#endif // TEGULA_CPU_LOOK_BACK_H
