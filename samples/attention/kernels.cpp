// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of 64 queries for each warpgroup, two or three, and as many keys as registers and shared memory hold.
#include "attention.h"

namespace samples {

constexpr AttentionConfig d64{.head_dim = 64, .queries = 192};
constexpr AttentionConfig d64_masked{.head_dim = 64, .queries = 192, .keys = 112}; // Masks take registers, too.
constexpr AttentionConfig d64_windowed{.head_dim = 64, .queries = 192, .keys = 96};
constexpr AttentionConfig d128{};
constexpr AttentionConfig d256{.head_dim = 256, .keys = 80};
constexpr AttentionConfig f32_d64{.head_dim = 64, .queries = 64, .keys = 64};
constexpr AttentionConfig f32_d128{.head_dim = 128, .queries = 32, .keys = 32};
constexpr AttentionConfig causal(AttentionConfig configuration) {
  configuration.sees = Sees::causal;
  return configuration;
}
constexpr AttentionConfig tf32(AttentionConfig configuration) {
  configuration.is_tf32 = true;
  return configuration;
}
constexpr AttentionConfig windowed(AttentionConfig configuration, bool has_softcap) {
  configuration.sees = Sees::window, configuration.has_softcap = has_softcap;
  return configuration;
}

TEGULA_INSTANTIATE("attention_f16_d64", attention<d64, tg::f16>);
TEGULA_INSTANTIATE("attention_f16_d64_causal", attention<causal(d64_masked), tg::f16>);
TEGULA_INSTANTIATE("attention_f16_d128", attention<d128, tg::f16>);
TEGULA_INSTANTIATE("attention_f16_d128_causal", attention<causal(d128), tg::f16>);
TEGULA_INSTANTIATE("attention_f16_d256", attention<d256, tg::f16>);
TEGULA_INSTANTIATE("attention_f16_d256_causal", attention<causal(d256), tg::f16>);
TEGULA_INSTANTIATE("attention_bf16_d64", attention<d64, tg::bf16>);
TEGULA_INSTANTIATE("attention_bf16_d64_causal", attention<causal(d64_masked), tg::bf16>);
TEGULA_INSTANTIATE("attention_bf16_d128", attention<d128, tg::bf16>);
TEGULA_INSTANTIATE("attention_bf16_d128_causal", attention<causal(d128), tg::bf16>);
TEGULA_INSTANTIATE("attention_bf16_d256", attention<d256, tg::bf16>);
TEGULA_INSTANTIATE("attention_bf16_d256_causal", attention<causal(d256), tg::bf16>);

TEGULA_INSTANTIATE("windowed_attention_f16_d64", windowed_attention<windowed(d64_windowed, true), tg::f16>);
TEGULA_INSTANTIATE("windowed_attention_f16_d128", windowed_attention<windowed(d128, false), tg::f16>);
TEGULA_INSTANTIATE("windowed_attention_bf16_d256", windowed_attention<windowed(d256, true), tg::bf16>);

TEGULA_INSTANTIATE("packed_attention_bf16_d64", packed_attention<d64_masked, tg::bf16>);
TEGULA_INSTANTIATE("packed_attention_f16_d128", packed_attention<d128, tg::f16>);
TEGULA_INSTANTIATE("packed_attention_f16_d128_causal", packed_attention<causal(d128), tg::f16>);

TEGULA_INSTANTIATE("attention_f32_d64", attention<f32_d64, float>);
TEGULA_INSTANTIATE("attention_f32_d128_causal", attention<causal(f32_d128), float>);
TEGULA_INSTANTIATE("attention_tf32_d64_causal", attention<tf32(causal(f32_d64)), float>);

TEGULA_INSTANTIATE("paged_attention_f16_d128_causal", paged_attention<causal(d128), tg::f16>);
TEGULA_INSTANTIATE("paged_attention_bf16_d64", paged_attention<d64, tg::bf16>);

} // namespace samples
