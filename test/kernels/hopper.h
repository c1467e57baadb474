// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tests of the explicit level share.
#pragma once

#include "support.h"

#include <tegula/cpu/explicit.h>

namespace tegula::test {

/// Runs the body on every device. The CPU runs threads, copies and products in an order that a seed chooses: there,
/// under several.
template <class Body> void everywhere(Body body) {
  on_every_device([&](device where) {
    for (std::uint64_t seed = 0; seed < (where.is_cpu() ? 8U : 1U); ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      cpu::set_seed(seed);
      body(where);
    }
    cpu::set_seed(0);
  });
}

/// Small integers, whose sums are exact in every type and order.
template <class T, int Rank> buffer<T, Rank> small_numbers(const shape<Rank> &dims) {
  const int least = std::is_unsigned_v<T> ? 0 : -2;
  return make<T, Rank>(dims, [&](std::int64_t) {
    return static_cast<T>(static_cast<float>(least + static_cast<int>(generator()() % 5)));
  });
}

} // namespace tegula::test
