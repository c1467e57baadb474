// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The configurations of the matmul that choose.h chooses from, and some that show what else there is.
#include "matmul.h"

namespace samples {

// Wide tiles take the fewest bytes from shared memory and L2, and clusters fewer from L2; narrow tiles leave fewer
// multiprocessors idle.
constexpr MatmulConfig tile_128x256{.snake_width = 12};
constexpr MatmulConfig pair_128x256{.cluster_m = 2};
constexpr MatmulConfig tile_128x192{.tile_n = 192, .store_buffers = 3, .snake_width = 12};
constexpr MatmulConfig tile_128x160{.tile_n = 160, .stages = 5, .store_buffers = 5, .snake_width = 12};
constexpr MatmulConfig tile_128x128{.tile_n = 128, .stages = 6};
constexpr MatmulConfig tile_64x128{
    .tile_m = 64, .tile_n = 128, .tile_k = 128, .stages = 4, .compute_threads = 1, .snake_width = 16};
constexpr MatmulConfig tile_64x64{.tile_m = 64,
                                  .tile_n = 64,
                                  .tile_k = 128,
                                  .stages = 6,
                                  .compute_threads = 1,
                                  .store_buffers = 1,
                                  .snake_width = 16};
constexpr MatmulConfig of_rows(MatmulConfig configuration) { // b is (N, K)
  configuration.b_is_transposed = true;
  return configuration;
}

TEGULA_INSTANTIATE("matmul_bf16_128x256", matmul<tile_128x256, tg::bf16, tg::bf16>);
TEGULA_INSTANTIATE("matmul_bf16_pair_128x256", matmul<pair_128x256, tg::bf16, tg::bf16>);
TEGULA_INSTANTIATE("matmul_bf16_128x192", matmul<tile_128x192, tg::bf16, tg::bf16>);
TEGULA_INSTANTIATE("matmul_bf16_128x128", matmul<tile_128x128, tg::bf16, tg::bf16>);
TEGULA_INSTANTIATE("matmul_bf16_64x128", matmul<tile_64x128, tg::bf16, tg::bf16>);
TEGULA_INSTANTIATE("matmul_bf16_64x64", matmul<tile_64x64, tg::bf16, tg::bf16>);
TEGULA_INSTANTIATE("matmul_bf16_128x256_nk", matmul<of_rows(tile_128x256), tg::bf16, tg::bf16>);
TEGULA_INSTANTIATE("matmul_bf16_128x192_nk", matmul<of_rows(tile_128x192), tg::bf16, tg::bf16>);
TEGULA_INSTANTIATE("matmul_bf16_128x160_nk", matmul<of_rows(tile_128x160), tg::bf16, tg::bf16>);
TEGULA_INSTANTIATE("matmul_bf16_128x128_nk", matmul<of_rows(tile_128x128), tg::bf16, tg::bf16>);
TEGULA_INSTANTIATE("matmul_bf16_64x128_nk", matmul<of_rows(tile_64x128), tg::bf16, tg::bf16>);

TEGULA_INSTANTIATE("matmul_f16_128x256", matmul<tile_128x256, tg::f16, tg::f16>);
TEGULA_INSTANTIATE("matmul_f16_pair_128x256", matmul<pair_128x256, tg::f16, tg::f16>);
TEGULA_INSTANTIATE("matmul_f16_128x192", matmul<tile_128x192, tg::f16, tg::f16>);
TEGULA_INSTANTIATE("matmul_f16_128x128", matmul<tile_128x128, tg::f16, tg::f16>);
TEGULA_INSTANTIATE("matmul_f16_64x128", matmul<tile_64x128, tg::f16, tg::f16>);
TEGULA_INSTANTIATE("matmul_f16_64x64", matmul<tile_64x64, tg::f16, tg::f16>);
TEGULA_INSTANTIATE("matmul_f16_128x256_nk", matmul<of_rows(tile_128x256), tg::f16, tg::f16>);
TEGULA_INSTANTIATE("matmul_f16_128x192_nk", matmul<of_rows(tile_128x192), tg::f16, tg::f16>);
TEGULA_INSTANTIATE("matmul_f16_128x160_nk", matmul<of_rows(tile_128x160), tg::f16, tg::f16>);
TEGULA_INSTANTIATE("matmul_f16_128x128_nk", matmul<of_rows(tile_128x128), tg::f16, tg::f16>);
TEGULA_INSTANTIATE("matmul_f16_64x128_nk", matmul<of_rows(tile_64x128), tg::f16, tg::f16>);

constexpr MatmulConfig transposed{.a_is_transposed = true, .b_is_transposed = true};
// 128 bytes of a row, as with 16 bits; of 8-bit operands the contracted dimension runs along the rows.
constexpr MatmulConfig bytes{.tile_k = 128, .b_is_transposed = true};

TEGULA_INSTANTIATE("matmul_f16_transposed", matmul<transposed, tg::f16, tg::f16>);
constexpr MatmulConfig words{.tile_k = 32, .b_is_transposed = true};

TEGULA_INSTANTIATE("matmul_e4m3", matmul<bytes, tg::e4m3, tg::bf16>);
TEGULA_INSTANTIATE("matmul_e4m3_e5m2", matmul<bytes, tg::e4m3, tg::bf16, tg::e5m2>);
TEGULA_INSTANTIATE("matmul_s8", matmul<bytes, tg::s8, tg::s32>);
TEGULA_INSTANTIATE("matmul_tf32", matmul<words, float, float>);

// D = A @ B + C, C as large as D; and a row that is added to each of D.
TEGULA_INSTANTIATE("matmul_bf16_plus", matmul_plus<tile_128x256, tg::bf16, tg::bf16, 2>);
TEGULA_INSTANTIATE("matmul_bf16_bias", matmul_plus<tile_128x256, tg::bf16, tg::bf16, 1>);
TEGULA_INSTANTIATE("matmul_tf32_plus", matmul_plus<words, float, float, 2>);
TEGULA_INSTANTIATE("matmul_s8_bias", matmul_plus<bytes, tg::s8, tg::s32, 1>);

} // namespace samples
