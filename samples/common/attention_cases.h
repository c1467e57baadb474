// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instances that every attention sample has, at sizes that are not multiples of anything. Comes behind the
// sample's kernels.h, which declares them.
#pragma once

#include "attention.h"

namespace sample::attention {

/// The names of the sizes.
const std::vector<std::string> size_names = {"batches", "queries", "keys", "heads", "key_heads"};

/// What instances are called with: on a GPU more, and larger; with sizes on the command line, these alone.
struct cases {
  // Fewer queries than keys and more, groups of heads.
  std::vector<shape> sizes = {{1, 1, 1, 1, 1}, {1, 127, 129, 2, 1}, {1, 65, 300, 1, 1}, {1, 200, 70, 1, 1}};
  attention::lengths lengths = {{130, 1, 0, 200}};
  std::vector<shape> windowed = {{1, 200, 300, 2, 1}};

  cases(const sample::options &options, device where) {
    if (const auto &given = options.sizes; !given.empty()) {
      sizes = windowed = {{given[0], given[1], given[2], given[3], given[4]}};
      lengths = {std::vector<std::int64_t>(static_cast<std::size_t>(given[0]), given[2]), given[3], given[4]};
    }
    if (!where.is_gpu() || !options.sizes.empty())
      return;
    sizes.insert(sizes.end(), {{2, 1000, 1000, 6, 3}, {2, 1, 4096, 8, 2}, {1, 4096, 4096, 16, 16}});
    lengths.keys.insert(lengths.keys.end(), {1000, 127, 128, 129, 4096, 0, 64, 2000});
    windowed.push_back({2, 3000, 3000, 4, 2});
  }
};

/// Whether those that every sample has are right.
inline bool run_common(const cases &all, device where, sample::random &random) {
  using namespace samples;
  bool passed = true;
  passed &= instances(64, attention_f16_d64, attention_f16_d64_causal, attention_bf16_d64, attention_bf16_d64_causal,
                      all.sizes, where, random);
  passed &= instances(128, attention_f16_d128, attention_f16_d128_causal, attention_bf16_d128,
                      attention_bf16_d128_causal, all.sizes, where, random);
  passed &= instances(256, attention_f16_d256, attention_f16_d256_causal, attention_bf16_d256,
                      attention_bf16_d256_causal, all.sizes, where, random);
  passed &= windows<tegula::f16>("f16 d64, capped,", 64, true, windowed_attention_f16_d64, all.windowed, where, random);
  passed &= windows<tegula::f16>("f16 d128", 128, false, windowed_attention_f16_d128, all.windowed, where, random);
  passed &=
      windows<tegula::bf16>("bf16 d256, capped,", 256, true, windowed_attention_bf16_d256, all.windowed, where, random);
  passed &= packed<tegula::bf16>("bf16 d64", 64, {}, packed_attention_bf16_d64, all.lengths, where, random);
  passed &= packed<tegula::f16>("f16 d128", 128, {}, packed_attention_f16_d128, all.lengths, where, random);
  passed &=
      packed<tegula::f16>("f16 d128 causal", 128, causal, packed_attention_f16_d128_causal, all.lengths, where, random);
  return passed;
}

} // namespace sample::attention
