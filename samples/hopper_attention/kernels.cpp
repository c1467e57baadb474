// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "configurations.h"

namespace samples {

using namespace forward;

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
