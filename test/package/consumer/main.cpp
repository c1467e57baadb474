// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>

#include "scale.c.h"
#include "scale.h"

/// The same by the C function.
static float last_of_c(const float *values, std::int64_t count) {
  DLTensor x{};
  x.data = const_cast<float *>(values);
  x.device.device_type = kDLCPU;
  x.ndim = 1;
  x.dtype = {kDLFloat, 32, 1};
  x.shape = &count;
  DLManagedTensorVersioned *result = nullptr;
  if (scale_scale(&x, nullptr, &result) != TEGULA_SUCCESS)
    return std::puts(scale_last_error()), 0.0F;
  const float last = static_cast<const float *>(result->dl_tensor.data)[count - 1];
  result->deleter(result);
  return last;
}

int main() {
  const float values[] = {1, 2, 3, 4, 5};
  const auto scaled = scale(tegula::array<const float, 1>(values, {5}));
  for (int i = 0; i < 5; ++i)
    std::printf("%g%c", static_cast<double>(scaled(i)), i < 4 ? ' ' : '\n');
  return last_of_c(values, 5) == scaled(4) ? 0 : 1;
}
