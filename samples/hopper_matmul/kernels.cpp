// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The configurations of the matmul that the program chooses from.
#include "matmul.h"

namespace samples {

constexpr MatmulConfig wide{};
constexpr MatmulConfig square{.tile_n = 128, .stages = 6};
constexpr MatmulConfig tall_cluster{.tile_m = 256, .tile_n = 128, .cluster_n = 2};
constexpr MatmulConfig transposed{.a_is_transposed = true, .b_is_transposed = true};
// 128 bytes of a row, as with 16 bits; of 8-bit operands the contracted dimension runs along the rows.
constexpr MatmulConfig bytes{.tile_k = 128, .b_is_transposed = true};

TEGULA_INSTANTIATE("matmul_bf16", matmul<wide, tg::bf16, tg::bf16>);
TEGULA_INSTANTIATE("matmul_bf16_square", matmul<square, tg::bf16, tg::bf16>);
TEGULA_INSTANTIATE("matmul_bf16_cluster", matmul<tall_cluster, tg::bf16, tg::bf16>);
TEGULA_INSTANTIATE("matmul_f16_transposed", matmul<transposed, tg::f16, tg::f16>);
TEGULA_INSTANTIATE("matmul_e4m3", matmul<bytes, tg::e4m3, tg::bf16>);

} // namespace samples
