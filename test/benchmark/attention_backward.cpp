// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backward pass of samples/hopper_attention as a C function, for attention.py.
#include "backward_kernels.h"

#include <cstdio>
#include <cstring>
#include <exception>

using namespace tegula;

namespace {

/// Pointers to the GPU's memory.
struct arguments {
  const void *q, *k, *v, *o;
  const float *log_sum_exp;
  const void *d_o;
  void *dq, *dk, *dv;
  std::int64_t batches, queries, keys, heads, key_heads, head_dim;
  float scale;
  CUstream_st *stream;
};

template <class T, class Entry> bool call(Entry entry, const arguments &given) {
  const auto gpu = device::gpu(0);
  const shape<4> queries{given.batches, given.queries, given.heads, given.head_dim},
      keys{given.batches, given.keys, given.key_heads, given.head_dim};
  const auto read = [&](const void *data, const shape<4> &dims) {
    return array<const T, 4>(static_cast<const T *>(data), dims, gpu);
  };
  const auto written = [&](void *data, const shape<4> &dims) { return array<T, 4>(static_cast<T *>(data), dims, gpu); };
  const array<const float, 3> lse(given.log_sum_exp, {given.batches, given.heads, given.queries}, gpu);
  entry(read(given.q, queries), read(given.k, keys), read(given.v, keys), read(given.o, queries), lse,
        read(given.d_o, queries), written(given.dq, queries), written(given.dk, keys), written(given.dv, keys),
        given.scale, stream::wrap(given.stream, gpu));
  return true;
}

bool call(const char *name, const arguments &given) {
  using namespace samples;
  const auto is = [&](const char *other) { return std::strcmp(name, other) == 0; };
  return (is("f16_d64") && call<f16>(attention_backward_f16_d64, given)) ||
         (is("f16_d64_causal") && call<f16>(attention_backward_f16_d64_causal, given)) ||
         (is("f16_d128") && call<f16>(attention_backward_f16_d128, given)) ||
         (is("f16_d128_causal") && call<f16>(attention_backward_f16_d128_causal, given)) ||
         (is("f16_d64_deterministic") && call<f16>(deterministic_attention_backward_f16_d64, given)) ||
         (is("bf16_d256") && call<bf16>(attention_backward_bf16_d256, given)) ||
         (is("bf16_d256_causal") && call<bf16>(attention_backward_bf16_d256_causal, given));
}

} // namespace

/// 0; 1 if the call failed, with its message on stderr; 2 if there is no such instance.
extern "C" int attention_backward(const char *name, const arguments *given) {
  try {
    return call(name, *given) ? 0 : 2;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
