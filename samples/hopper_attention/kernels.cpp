// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that fill registers and shared memory for each head dimension.
#include "attention.h"

namespace samples {

constexpr AttentionConfig d64{
    .head_dim = 64, .compute_threads = 3, .compute_registers = 160, .memory_registers = 32, .takes_turns = true};
constexpr AttentionConfig d128{};
// Less time a key, but the last block may be a larger part of the work: faster from some 16384 keys on.
constexpr AttentionConfig d128_long{.keys = 144};
constexpr AttentionConfig d256{.head_dim = 256, .keys = 80};
constexpr AttentionConfig causal(AttentionConfig configuration) {
  configuration.sees = Sees::causal;
  return configuration;
}
constexpr AttentionConfig windowed(AttentionConfig configuration, bool has_softcap) {
  configuration.sees = Sees::window, configuration.has_softcap = has_softcap;
  return configuration;
}
constexpr AttentionConfig packed(AttentionConfig configuration) {
  configuration.is_packed = true;
  return configuration;
}

TEGULA_INSTANTIATE("attention_f16_d64", attention<d64, tg::f16>);
TEGULA_INSTANTIATE("attention_f16_d64_causal", attention<causal(d64), tg::f16>);
TEGULA_INSTANTIATE("attention_f16_d128", attention<d128, tg::f16>);
TEGULA_INSTANTIATE("attention_f16_d128_long", attention<d128_long, tg::f16>);
TEGULA_INSTANTIATE("attention_f16_d128_causal", attention<causal(d128), tg::f16>);
TEGULA_INSTANTIATE("attention_f16_d256", attention<d256, tg::f16>);
TEGULA_INSTANTIATE("attention_f16_d256_causal", attention<causal(d256), tg::f16>);
TEGULA_INSTANTIATE("attention_bf16_d64", attention<d64, tg::bf16>);
TEGULA_INSTANTIATE("attention_bf16_d64_causal", attention<causal(d64), tg::bf16>);
TEGULA_INSTANTIATE("attention_bf16_d128", attention<d128, tg::bf16>);
TEGULA_INSTANTIATE("attention_bf16_d128_causal", attention<causal(d128), tg::bf16>);
TEGULA_INSTANTIATE("attention_bf16_d256", attention<d256, tg::bf16>);
TEGULA_INSTANTIATE("attention_bf16_d256_causal", attention<causal(d256), tg::bf16>);

TEGULA_INSTANTIATE("windowed_attention_f16_d64", windowed_attention<windowed(d64, true), tg::f16>);
TEGULA_INSTANTIATE("windowed_attention_f16_d128", windowed_attention<windowed(d128, false), tg::f16>);
TEGULA_INSTANTIATE("windowed_attention_bf16_d256", windowed_attention<windowed(d256, true), tg::bf16>);

TEGULA_INSTANTIATE("packed_attention_bf16_d64", packed_attention<packed(d64), tg::bf16>);
TEGULA_INSTANTIATE("packed_attention_f16_d128", packed_attention<packed(d128), tg::f16>);
TEGULA_INSTANTIATE("packed_attention_f16_d128_causal", packed_attention<packed(causal(d128)), tg::f16>);
TEGULA_INSTANTIATE("packed_attention_bf16_d256_causal", packed_attention<packed(causal(d256)), tg::bf16>);

} // namespace samples
