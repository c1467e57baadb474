// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels.h"

#include "../common/attention_cases.h"

int main(int count, char **arguments) {
  return sample::run([&] {
    using namespace samples;
    using namespace sample::attention;
    sample::random random(7);
    bool passed = true;
    for (const auto where : sample::parse(count, arguments).devices) {
      const cases all(where);
      passed &= run_common(all, where, random);
      passed &= paged<tegula::bf16>("bf16 d64", 64, {128}, {}, called(paged_attention_bf16_d64), {1, 129, 0, 300},
                                    where, random);
      passed &= paged<tegula::f16>("f16 d128 causal", 128, {128}, causal, called(paged_attention_f16_d128_causal),
                                   {77, 256, 60, 511}, where, random);
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
