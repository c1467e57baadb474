// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backward_kernels.h"
#include "kernels.h"

#include "../common/attention_cases.h"
#include "../common/attention_gradients.h"

namespace {

using namespace samples;
using namespace sample::attention;
using tegula::bf16;
using tegula::f16;

/// The gradients, of what the forward pass has made.
class gradients {
public:
  gradients(const cases &all, sample::device where, sample::random &random)
      : where_(where), all_(all), random_(random) {}

  template <class T, class Forward, class Backward>
  void dense(const std::string &name, std::int64_t dim, const limits &sees, Forward forward, Backward backward) {
    for (const shape &size : all_.sizes)
      passed &= run_backward<T>("gradients, " + name, dim, size, sees, called(forward), called(backward), where_,
                                random_, twice);
  }
  template <class T, class Forward, class Backward>
  void windows(const std::string &name, std::int64_t dim, bool has_softcap, Forward forward, Backward backward) {
    passed &= windows_backward<T>("gradients, " + name, dim, has_softcap, forward, backward, all_.windowed, where_,
                                  random_, twice);
  }
  template <class T, class Forward, class Backward>
  void packed(const std::string &name, std::int64_t dim, const limits &sees, Forward forward, Backward backward) {
    passed &=
        packed_backward<T>("gradients, " + name, dim, sees, forward, backward, all_.lengths, where_, random_, twice);
  }

  bool passed = true;
  bool twice = false; ///< and the same bits once more

private:
  sample::device where_;
  const cases &all_;
  sample::random &random_;
};

bool run_gradients(const cases &sizes, sample::device where, sample::random &random) {
  gradients all(sizes, where, random);
  all.dense<f16>("f16 d64", 64, {}, attention_f16_d64, attention_backward_f16_d64);
  all.dense<f16>("f16 d64 causal", 64, causal, attention_f16_d64_causal, attention_backward_f16_d64_causal);
  all.dense<f16>("f16 d128", 128, {}, attention_f16_d128, attention_backward_f16_d128);
  all.dense<f16>("f16 d128 causal", 128, causal, attention_f16_d128_causal, attention_backward_f16_d128_causal);
  all.dense<f16>("f16 d256", 256, {}, attention_f16_d256, attention_backward_f16_d256);
  all.dense<f16>("f16 d256 causal", 256, causal, attention_f16_d256_causal, attention_backward_f16_d256_causal);
  all.dense<bf16>("bf16 d64", 64, {}, attention_bf16_d64, attention_backward_bf16_d64);
  all.dense<bf16>("bf16 d64 causal", 64, causal, attention_bf16_d64_causal, attention_backward_bf16_d64_causal);
  all.dense<bf16>("bf16 d128", 128, {}, attention_bf16_d128, attention_backward_bf16_d128);
  all.dense<bf16>("bf16 d128 causal", 128, causal, attention_bf16_d128_causal, attention_backward_bf16_d128_causal);
  all.dense<bf16>("bf16 d256", 256, {}, attention_bf16_d256, attention_backward_bf16_d256);
  all.dense<bf16>("bf16 d256 causal", 256, causal, attention_bf16_d256_causal, attention_backward_bf16_d256_causal);
  all.windows<f16>("f16 d64, capped,", 64, true, windowed_attention_f16_d64, windowed_attention_backward_f16_d64);
  all.windows<f16>("f16 d128", 128, false, windowed_attention_f16_d128, windowed_attention_backward_f16_d128);
  all.windows<bf16>("bf16 d256, capped,", 256, true, windowed_attention_bf16_d256,
                    windowed_attention_backward_bf16_d256);
  all.packed<bf16>("bf16 d64", 64, {}, packed_attention_bf16_d64, packed_attention_backward_bf16_d64);
  all.packed<f16>("f16 d128 causal", 128, causal, packed_attention_f16_d128_causal,
                  packed_attention_backward_f16_d128_causal);
  all.packed<bf16>("bf16 d256 causal", 256, causal, packed_attention_bf16_d256_causal,
                   packed_attention_backward_bf16_d256_causal);
  all.twice = true;
  all.dense<f16>("deterministic, f16 d64", 64, {}, attention_f16_d64, deterministic_attention_backward_f16_d64);
  all.dense<bf16>("deterministic, bf16 d128 causal", 128, causal, attention_bf16_d128_causal,
                  deterministic_attention_backward_bf16_d128_causal);
  all.dense<bf16>("deterministic, bf16 d256", 256, {}, attention_bf16_d256, deterministic_attention_backward_bf16_d256);
  all.windows<f16>("deterministic, f16 d128", 128, false, windowed_attention_f16_d128,
                   deterministic_windowed_attention_backward_f16_d128);
  all.packed<bf16>("deterministic, bf16 d64", 64, {}, packed_attention_bf16_d64,
                   deterministic_packed_attention_backward_bf16_d64);
  return all.passed;
}

} // namespace

int main(int count, char **arguments) {
  return sample::run([&] {
    sample::random random(7);
    const auto options = sample::parse(count, arguments, size_names);
    bool passed = true;
    for (const auto where : options.devices) {
      const cases all(options, where);
      passed &= run_common(all, where, random);
      for (const shape &size : all.sizes)
        passed &= run<f16>("f16 d128, blocks of 144 keys,", 128, size, {}, kind::random,
                           called(attention_f16_d128_long), where, random);
      passed &=
          packed<bf16>("bf16 d256 causal", 256, causal, packed_attention_bf16_d256_causal, all.lengths, where, random);
      passed &= run_gradients(all, where, random);
    }
    return passed;
  });
}
