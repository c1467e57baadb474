// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rings that fill shared memory for each head dimension.
#include "decode.h"

namespace samples {

constexpr DecodingConfig d64{.head_dim = 64, .keys = 128};
constexpr DecodingConfig d128{};
constexpr DecodingConfig d256{.head_dim = 256, .keys = 32, .stages = 5};
constexpr DecodingConfig small_pages{.page = 16};
constexpr DecodingConfig large_pages{.page = 128};
constexpr DecodingConfig large_groups{.group = 8};
constexpr DecodingConfig no_groups{.group = 1};

TEGULA_INSTANTIATE("decode_f16_d64", decode<d64, tg::f16>);
TEGULA_INSTANTIATE("decode_f16_d128", decode<d128, tg::f16>);
TEGULA_INSTANTIATE("decode_f16_d256", decode<d256, tg::f16>);
TEGULA_INSTANTIATE("decode_bf16_d64", decode<d64, tg::bf16>);
TEGULA_INSTANTIATE("decode_bf16_d128", decode<d128, tg::bf16>);
TEGULA_INSTANTIATE("decode_bf16_d256", decode<d256, tg::bf16>);

TEGULA_INSTANTIATE("decode_f16_d128_small_pages", decode<small_pages, tg::f16>);
TEGULA_INSTANTIATE("decode_bf16_d128_large_pages", decode<large_pages, tg::bf16>);
TEGULA_INSTANTIATE("decode_bf16_d128_large_groups", decode<large_groups, tg::bf16>);
TEGULA_INSTANTIATE("decode_f16_d128_no_groups", decode<no_groups, tg::f16>);

} // namespace samples
