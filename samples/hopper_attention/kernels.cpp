// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that fill registers and shared memory for each head dimension.
#include "attention.h"

namespace samples {

constexpr AttentionConfig d64{.head_dim = 64, .compute_threads = 3, .compute_registers = 160, .memory_registers = 32};
constexpr AttentionConfig d128{};
constexpr AttentionConfig d256{.head_dim = 256, .keys = 80};
constexpr AttentionConfig causal(AttentionConfig configuration) {
  configuration.is_causal = true;
  return configuration;
}

TEGULA_INSTANTIATE("attention_f16_d64", attention<d64, tg::f16>);
TEGULA_INSTANTIATE("attention_f16_d64_causal", attention<causal(d64), tg::f16>);
TEGULA_INSTANTIATE("attention_f16_d128", attention<d128, tg::f16>);
TEGULA_INSTANTIATE("attention_f16_d128_causal", attention<causal(d128), tg::f16>);
TEGULA_INSTANTIATE("attention_f16_d256", attention<d256, tg::f16>);
TEGULA_INSTANTIATE("attention_f16_d256_causal", attention<causal(d256), tg::f16>);
TEGULA_INSTANTIATE("attention_bf16_d64", attention<d64, tg::bf16>);
TEGULA_INSTANTIATE("attention_bf16_d64_causal", attention<causal(d64), tg::bf16>);
TEGULA_INSTANTIATE("attention_bf16_d128", attention<d128, tg::bf16>);
TEGULA_INSTANTIATE("attention_bf16_d128_causal", attention<causal(d128), tg::bf16>);
TEGULA_INSTANTIATE("attention_bf16_d256", attention<d256, tg::bf16>);
TEGULA_INSTANTIATE("attention_bf16_d256_causal", attention<causal(d256), tg::bf16>);

} // namespace samples
