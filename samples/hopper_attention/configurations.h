// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that fill registers and shared memory for each head dimension, and what may differ beside it.
#pragma once

#include "attention.h"
#include "backward.h"

namespace samples {

namespace forward {
constexpr AttentionConfig d64{
    .head_dim = 64, .compute_threads = 3, .compute_registers = 160, .memory_registers = 32, .takes_turns = true};
constexpr AttentionConfig d128{};
// Less time a key, but the last block may be a larger part of the work: faster from some 16384 keys on.
constexpr AttentionConfig d128_long{.keys = 144};
constexpr AttentionConfig d256{.head_dim = 256, .keys = 80};
} // namespace forward

namespace backward {
constexpr BackwardConfig d64{.head_dim = 64, .rows = 128};
constexpr BackwardConfig d64_small{.head_dim = 64}; // with softcap: slopes take registers beside weights
constexpr BackwardConfig d128{};
constexpr BackwardConfig d256{.head_dim = 256, .do_stages = 1};
} // namespace backward

template <class C> constexpr C causal(C configuration) {
  configuration.sees = Sees::causal;
  return configuration;
}
template <class C> constexpr C windowed(C configuration, bool has_softcap) {
  configuration.sees = Sees::window, configuration.has_softcap = has_softcap;
  return configuration;
}
template <class C> constexpr C packed(C configuration) {
  configuration.is_packed = true;
  return configuration;
}
constexpr BackwardConfig deterministic(BackwardConfig configuration) {
  configuration.is_deterministic = true;
  return configuration;
}

} // namespace samples
