// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// samples/hopper_attention or samples/attention as C functions, for attention.py, which races them against
// FlashAttention in one process.
#include "kernels.h"

#include <cstdio>
#include <cstring>
#include <exception>

using namespace tegula;

namespace {

/// Pointers to the GPU's memory. Of packed sequences, `batches` is 1, and `queries` counts those of all of them.
struct arguments {
  const void *q, *k, *v;
  void *o;
  float *log_sum_exp;
  std::int64_t batches, queries, keys, heads, key_heads, head_dim;
  float scale;
  CUstream_st *stream;
  const int *begins; ///< of packed sequences
  std::int64_t sequences, longest;
};

template <class T, class Entry> void call(Entry entry, const arguments &given) {
  const auto gpu = device::gpu(0);
  const auto &[q, k, v, o, lse, b, m, n, h, g, d, scale, stream, begins, sequences, longest] = given;
  const array<const T, 4> queries(static_cast<const T *>(q), {b, m, h, d}, gpu),
      keys(static_cast<const T *>(k), {b, n, g, d}, gpu), values(static_cast<const T *>(v), {b, n, g, d}, gpu);
  entry(queries, keys, values, array<T, 4>(static_cast<T *>(o), {b, m, h, d}, gpu),
        array<float, 3>(lse, {b, h, m}, gpu), stream::wrap(given.stream, gpu));
}

template <class T, class Entry> bool dense(Entry entry, const arguments &given) {
  call<T>([&](auto &&q, auto &&k, auto &&v, auto &&o, auto &&lse,
              const tegula::stream &on) { entry(q, k, v, o, lse, given.scale, on); },
          given);
  return true;
}

template <class T, class Entry> bool packed(Entry entry, const arguments &given) {
  const array<const int, 1> begins(given.begins, {given.sequences + 1}, device::gpu(0));
  call<T>([&](auto &&q, auto &&k, auto &&v, auto &&o, auto &&lse,
              const tegula::stream &on) { entry(q, k, v, o, lse, begins, begins, given.longest, given.scale, on); },
          given);
  return true;
}

/// By hand there is one for many keys, too (samples/hopper_attention/kernels.cpp).
auto f16_d128([[maybe_unused]] std::int64_t keys) {
#ifdef HAS_LONG_ATTENTION
  if (keys >= 16384)
    return samples::attention_f16_d128_long;
#endif
  return samples::attention_f16_d128;
}

bool call(const char *name, const arguments &given) {
  using namespace samples;
  const auto is = [&](const char *other) { return std::strcmp(name, other) == 0; };
  return (is("f16_d64") && dense<f16>(attention_f16_d64, given)) ||
         (is("f16_d64_causal") && dense<f16>(attention_f16_d64_causal, given)) ||
         (is("f16_d128") && dense<f16>(f16_d128(given.keys), given)) ||
         (is("f16_d128_causal") && dense<f16>(attention_f16_d128_causal, given)) ||
         (is("bf16_d256") && dense<bf16>(attention_bf16_d256, given)) ||
         (is("bf16_d256_causal") && dense<bf16>(attention_bf16_d256_causal, given)) ||
         (is("f16_d128_packed") && packed<f16>(packed_attention_f16_d128, given)) ||
         (is("f16_d128_causal_packed") && packed<f16>(packed_attention_f16_d128_causal, given));
}

} // namespace

/// 0; 1 if the call failed, with its message on stderr; 2 if there is no such instance.
extern "C" int attention(const char *name, const arguments *given) {
  try {
    return call(name, *given) ? 0 : 2;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
