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
      for (const shape &size : all.sizes)
        passed &= run<tegula::f16>("f16 d128, blocks of 144 keys,", 128, size, {}, kind::random,
                                   called(attention_f16_d128_long), where, random);
      passed &= packed<tegula::bf16>("bf16 d256 causal", 256, causal, packed_attention_bf16_d256_causal, all.lengths,
                                     where, random);
    }
    return passed;
  });
}
