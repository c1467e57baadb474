// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ragged_dot.h"

namespace samples {

TEGULA_INSTANTIATE("ragged_dot_f16", ragged_dot<RaggedDotConfig{}, tg::f16>);
TEGULA_INSTANTIATE("ragged_dot_bf16", ragged_dot<RaggedDotConfig{}, tg::bf16>);

} // namespace samples
