// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../common/attention.h"
#include "kernels.h"

int main(int count, char **arguments) {
  return sample::run([&] {
    using namespace samples;
    using namespace sample::attention;
    sample::random random(7);
    bool passed = true;
    for (const auto where : sample::parse(count, arguments).devices) {
      // One of each, not a multiple of anything, fewer queries than keys and more, groups of heads.
      std::vector<shape> sizes = {{1, 1, 1, 1, 1}, {1, 127, 129, 2, 1}, {1, 65, 300, 1, 1}, {1, 200, 70, 1, 1}};
      std::vector<std::int64_t> lengths = {130, 1, 0, 200};
      std::vector<shape> windowed = {{1, 200, 300, 2, 1}};
      if (where.is_gpu()) {
        sizes.insert(sizes.end(), {{2, 1000, 1000, 6, 3}, {2, 1, 4096, 8, 2}, {1, 4096, 4096, 16, 16}});
        lengths.insert(lengths.end(), {1000, 127, 128, 129, 4096, 0, 64, 2000});
        windowed.push_back({2, 3000, 3000, 4, 2});
      }
      passed &= instances(64, attention_f16_d64, attention_f16_d64_causal, attention_bf16_d64,
                          attention_bf16_d64_causal, sizes, where, random);
      passed &= instances(128, attention_f16_d128, attention_f16_d128_causal, attention_bf16_d128,
                          attention_bf16_d128_causal, sizes, where, random);
      for (const shape &size : sizes)
        passed &= run<tegula::f16>(
            "f16 d128, blocks of 144 keys,", 128, size, {}, kind::random,
            [](const auto &...given) { attention_f16_d128_long(given..., {}); }, where, random);
      passed &= instances(256, attention_f16_d256, attention_f16_d256_causal, attention_bf16_d256,
                          attention_bf16_d256_causal, sizes, where, random);
      passed &= windows<tegula::f16>("f16 d64, capped,", 64, true, windowed_attention_f16_d64, windowed, where, random);
      passed &= windows<tegula::f16>("f16 d128", 128, false, windowed_attention_f16_d128, windowed, where, random);
      passed &=
          windows<tegula::bf16>("bf16 d256, capped,", 256, true, windowed_attention_bf16_d256, windowed, where, random);
      passed &= packed<tegula::bf16>("bf16 d64", 64, {}, packed_attention_bf16_d64, lengths, where, random);
      passed &= packed<tegula::f16>("f16 d128", 128, {}, packed_attention_f16_d128, lengths, where, random);
      passed &=
          packed<tegula::f16>("f16 d128 causal", 128, causal, packed_attention_f16_d128_causal, lengths, where, random);
      passed &= packed<tegula::bf16>("bf16 d256 causal", 256, causal, packed_attention_bf16_d256_causal, lengths, where,
                                     random);
    }
    return passed;
  });
}
