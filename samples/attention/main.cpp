// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels.h"

#include "../common/attention_cases.h"

int main(int count, char **arguments) {
  return sample::run([&] {
    using namespace samples;
    using namespace sample::attention;
    sample::random random(7);
    const auto options = sample::parse(count, arguments, size_names);
    bool passed = true;
    for (const auto where : options.devices) {
      const cases all(options, where);
      passed &= run_common(all, where, random);
      const bool is_fixed = options.sizes.empty();
      const paging pages =
          is_fixed ? paging{128} : paging{128, all.sizes[0].queries, all.lengths.heads, all.lengths.key_heads};
      passed &=
          paged<tegula::bf16>("bf16 d64", 64, pages, {}, called(paged_attention_bf16_d64),
                              is_fixed ? std::vector<std::int64_t>{1, 129, 0, 300} : all.lengths.keys, where, random);
      passed &=
          paged<tegula::f16>("f16 d128 causal", 128, pages, causal, called(paged_attention_f16_d128_causal),
                             is_fixed ? std::vector<std::int64_t>{77, 256, 60, 511} : all.lengths.keys, where, random);
      for (const shape &size : all.sizes) {
        passed &= run<float>("f32 d64", 64, size, {}, kind::random, called(attention_f32_d64), where, random);
        passed &= run<float>("f32 d128 causal", 128, size, causal, kind::random, called(attention_f32_d128_causal),
                             where, random);
        passed &= run<float>("tf32 d64 causal", 64, size, limits{everything, 0, 0, 0x1p12}, kind::random,
                             called(attention_tf32_d64_causal), where, random);
      }
    }
    return passed;
  });
}
