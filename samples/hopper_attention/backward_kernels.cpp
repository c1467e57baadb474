// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backward_entries.h"
#include "configurations.h"

namespace samples {

using namespace backward;

TEGULA_INSTANTIATE("attention_backward_f16_d64", attention_backward<d64, tg::f16>);
TEGULA_INSTANTIATE("attention_backward_f16_d64_causal", attention_backward<causal(d64), tg::f16>);
TEGULA_INSTANTIATE("attention_backward_f16_d128", attention_backward<d128, tg::f16>);
TEGULA_INSTANTIATE("attention_backward_f16_d128_causal", attention_backward<causal(d128), tg::f16>);
TEGULA_INSTANTIATE("attention_backward_f16_d256", attention_backward<d256, tg::f16>);
TEGULA_INSTANTIATE("attention_backward_f16_d256_causal", attention_backward<causal(d256), tg::f16>);
TEGULA_INSTANTIATE("attention_backward_bf16_d64", attention_backward<d64, tg::bf16>);
TEGULA_INSTANTIATE("attention_backward_bf16_d64_causal", attention_backward<causal(d64), tg::bf16>);
TEGULA_INSTANTIATE("attention_backward_bf16_d128", attention_backward<d128, tg::bf16>);
TEGULA_INSTANTIATE("attention_backward_bf16_d128_causal", attention_backward<causal(d128), tg::bf16>);
TEGULA_INSTANTIATE("attention_backward_bf16_d256", attention_backward<d256, tg::bf16>);
TEGULA_INSTANTIATE("attention_backward_bf16_d256_causal", attention_backward<causal(d256), tg::bf16>);

TEGULA_INSTANTIATE("deterministic_attention_backward_f16_d64", attention_backward<deterministic(d64), tg::f16>);
TEGULA_INSTANTIATE("deterministic_attention_backward_bf16_d128_causal",
                   attention_backward<deterministic(causal(d128)), tg::bf16>);
TEGULA_INSTANTIATE("deterministic_attention_backward_bf16_d256", attention_backward<deterministic(d256), tg::bf16>);

TEGULA_INSTANTIATE("windowed_attention_backward_f16_d64",
                   windowed_attention_backward<windowed(d64_small, true), tg::f16>);
TEGULA_INSTANTIATE("windowed_attention_backward_f16_d128", windowed_attention_backward<windowed(d128, false), tg::f16>);
TEGULA_INSTANTIATE("windowed_attention_backward_bf16_d256",
                   windowed_attention_backward<windowed(d256, true), tg::bf16>);
TEGULA_INSTANTIATE("deterministic_windowed_attention_backward_f16_d128",
                   windowed_attention_backward<deterministic(windowed(d128, false)), tg::f16>);

TEGULA_INSTANTIATE("packed_attention_backward_bf16_d64", packed_attention_backward<packed(d64), tg::bf16>);
TEGULA_INSTANTIATE("packed_attention_backward_f16_d128_causal",
                   packed_attention_backward<packed(causal(d128)), tg::f16>);
TEGULA_INSTANTIATE("packed_attention_backward_bf16_d256_causal",
                   packed_attention_backward<packed(causal(d256)), tg::bf16>);
TEGULA_INSTANTIATE("deterministic_packed_attention_backward_bf16_d64",
                   packed_attention_backward<deterministic(packed(d64)), tg::bf16>);

} // namespace samples
